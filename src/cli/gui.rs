//! `evouct gui`: playing and analysing in the browser.

use super::Outcome;
use super::pairs::pair;
use crate::domain::Spec;
use crate::error::Failure;
use crate::gui::{GuiError, GuiOptions, gui, player_of};
use crate::parameter::Preset;
use crate::registry;
use crate::serve::ServeError;
use clap::Args;
use std::io::Write;
use std::path::PathBuf;
use std::sync::atomic::AtomicBool;

#[derive(Args)]
pub(super) struct Arguments {
    /// Port; 0 picks a free one. From another machine: ssh -L N:localhost:N HOST, then the same address
    #[arg(long, value_name = "N", default_value_t = 8018)]
    port: u16,
    /// Ask for no secret: for a machine that nobody else uses
    #[arg(long)]
    open: bool,
    /// Player that the page offers: easy, medium, hard, champion, a kind or kind:key=value,key=value, with a name before
    /// = if you like, Ada=human for a person. They sit in their order. Where they leave seats empty, you take the first
    /// one and medium the others; repeatable
    #[arg(short, long = "player", value_name = "[NAME=]PLAYER")]
    players: Vec<String>,
    /// Folder of a run whose games to show
    #[arg(long, value_name = "RUN")]
    run: Option<PathBuf>,
    /// Game to play
    #[arg(long, default_value_t = registry::default_game().name().to_owned())]
    game: String,
    /// Option of the rules, as in an experiment; repeatable
    #[arg(long, value_name = "KEY=VALUE")]
    rule: Vec<String>,
    /// Seed of the first game, as in an experiment
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u64).range(..u64::MAX))]
    seed: u64,
    /// Preset of the players: as-printed or reference
    #[arg(long, default_value = "as-printed", value_parser = super::experiment_args::preset)]
    preset: Preset,
    /// Folder in which games are saved, each in a folder of its own
    #[arg(long, value_name = "DIR", default_value = "games")]
    save: PathBuf,
}

pub(super) fn run(arguments: &Arguments, out: &mut dyn Write) -> Outcome {
    let game = registry::game(&arguments.game).map_err(Failure::Usage)?;
    let wrong = |text: &str, problem: String| Failure::Usage(format!("--player {text}: {problem}"));
    let named = |text: &String| match Spec::parse(game, text, arguments.preset) {
        Ok(spec) => Ok((spec.default_name(), text.clone())),
        // An = after a colon is that of a parameter.
        Err(error) => match text.split_once('=') {
            Some((name, _)) if !name.contains(':') => {
                let (name, player) = pair("--player", text, "NAME=PLAYER")?;
                Ok((name, player_of(game, &player).map_err(|problem| wrong(text, problem))?))
            }
            _ => match player_of(game, text) {
                Ok(player) if player == *text => Err(wrong(text, error.to_string())),
                found => Ok((text.clone(), found.map_err(|problem| wrong(text, problem))?)),
            },
        },
    };
    let beginning = GuiOptions {
        game: arguments.game.clone(),
        seed: arguments.seed,
        rules: arguments.rule.iter().map(|text| pair("--rule", text, "key=value")).collect::<Result<_, _>>()?,
        preset: arguments.preset,
        players: arguments.players.iter().map(named).collect::<Result<_, _>>()?,
        run: arguments.run.clone(),
        folder: arguments.save.clone(),
    };
    let spec = |(name, text): &(String, String)| {
        let spec = Spec::parse(game, text, arguments.preset);
        spec.map_err(|error| Failure::Usage(format!("--player {name}: {error}")))
    };
    let specs: Vec<Spec> = beginning.players.iter().map(spec).collect::<Result<_, _>>()?;
    if specs.iter().any(|spec| spec.kind().is_program()) {
        super::signals::watch_for_programs(specs.iter());
        let names = beginning.players.iter().map(|(name, _)| name.as_str());
        super::programs::start(names.zip(&specs), &AtomicBool::new(false))?;
    } else {
        super::signals::end_with_success();
    }
    let served = gui(beginning, arguments.port, arguments.open, |address| {
        writeln!(out, "{address} serves the table to a browser on this machine; stop with Ctrl-C")?;
        out.flush()
    });
    served.map_err(|error| match error {
        GuiError::Serve(ServeError::System(_)) => Failure::failed(error),
        GuiError::Serve(ServeError::Address { address, error }) => {
            Failure::Usage(format!("{address}: cannot listen there: {error}; choose another port with --port"))
        }
        error => Failure::usage(error),
    })
}
