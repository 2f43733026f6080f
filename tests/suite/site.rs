//! The documentation site in a browser: axe-core looks for what hinders people, in a light and in a dark theme.
//!
//! `scripts/site` builds the site and runs this test on it. Without Chromium or axe-core it prints a line and passes.

use crate::chromium;
use chromium::Browser;
use std::path::Path;

/// The first page, chapters with tables and with commands, a notebook, pages of the reference, and the gallery.
const PAGES: [&str; 7] = [
    "index.html",
    "docs/reference/outputs.html",
    "docs/manual/first-league.html",
    "python/notebooks/league.html",
    "docs/reference/commands.html",
    "docs/reference/experiment-files.html",
    "gallery/index.html",
];

#[test]
#[ignore = "needs a built site: run scripts/site"]
fn nothing_hinders_readers_of_the_site() {
    let folder = std::env::var("EVOUCT_SITE").expect("EVOUCT_SITE names the folder of the site");
    let Some(mut browser) = Browser::start() else { return };
    let mut found = Vec::new();
    for page in PAGES {
        let file = Path::new(&folder).join(page);
        assert!(file.is_file(), "{} is missing", file.display());
        for (width, scheme) in [(1440, "light"), (1440, "dark"), (390, "light")] {
            browser.device(width, scheme);
            browser.open(&format!("file://{}", file.display()));
            let theme = if scheme == "light" { "light" } else { "navy" };
            assert_eq!(
                browser.value(&format!("document.documentElement.classList.contains('{theme}')")),
                true,
                "{page}"
            );
            assert_eq!(browser.errors, Vec::<String>::new(), "{page}");
            let Some(findings) = browser.findings() else { return };
            // axe-core asks for style sheets, which files may not.
            browser.errors.clear();
            found.extend(findings.into_iter().map(|finding| format!("{page} {width} {scheme}: {finding}")));
        }
    }
    assert!(found.is_empty(), "{}", found.join("\n"));
}
