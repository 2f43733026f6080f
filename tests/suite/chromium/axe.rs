//! axe-core, which checks the accessibility of a page. It is fetched from npm once and kept beside the build.

use super::Browser;
use serde_json::Value;
use std::path::Path;
use std::process::{Command, Stdio};

const PACKAGE: &str = "axe-core@4.14.1";

/// The script; none where it cannot be had.
fn script() -> Option<String> {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("axe-core");
    let file = folder.join("package/axe.min.js");
    if !file.exists() {
        std::fs::create_dir_all(&folder).ok()?;
        let run = |program: &str, arguments: &[&str]| {
            let mut command = Command::new(program);
            command
                .args(arguments)
                .current_dir(&folder)
                .stdin(Stdio::null())
                .stdout(Stdio::piped())
                .stderr(Stdio::null());
            command.output().ok().filter(|output| output.status.success())
        };
        let packed = run("npm", &["pack", PACKAGE, "--fetch-retries=0", "--fetch-timeout=30000"])?;
        let packed = String::from_utf8(packed.stdout).ok()?;
        run("tar", &["xzf", packed.lines().last()?.trim()])?;
    }
    std::fs::read_to_string(file).ok()
}

impl Browser {
    /// The findings on the page as it is; none where axe-core cannot be had.
    pub fn findings(&mut self) -> Option<Vec<String>> {
        let Some(script) = script() else {
            eprintln!("left out: axe-core cannot be had from npm here");
            return None;
        };
        self.value(&format!("{{ {script}; window.findings = null; }}"));
        self.value("{ axe.run().then((result) => { window.findings = result.violations; }); }");
        self.wait("window.findings");
        let found = self.value(
            "window.findings.map((one) => \
             `${one.id}: ${one.help}: ${one.nodes.slice(0, 3).map((node) => node.html.slice(0, 160)).join(' | ')}`)",
        );
        found.as_array().map(|found| found.iter().filter_map(Value::as_str).map(str::to_owned).collect())
    }
}
