//! `evouct verify`: checks recorded games against the rules and replays a sample.

use super::evolution_folder;
use super::phrases::wrong_and_unread;
use super::{Outcome, programs, signals};
use crate::clock::WallClock;
use crate::config::Contender;
use crate::error::Failure;
use crate::league::Verifier;
use crate::plural::{counted, is_or_are, was_or_were};
use crate::record::{Ended, GameRecord, RecordError, Run};
use crate::sampling::below;
use crate::seed::Key;
use crate::tune::Tuning;
use clap::Args;
use rand::Rng;
use std::io::Write;
use std::path::PathBuf;
use std::sync::atomic::AtomicBool;

#[derive(Args)]
pub(super) struct Arguments {
    /// The folder of a run, of a tuning or of an evolution
    folder: PathBuf,
    /// Number of games to play again, drawn by --seed; 0 for none
    #[arg(long, default_value_t = 5, value_name = "N")]
    games: usize,
    /// Play only this game again
    #[arg(long, value_name = "ID")]
    game: Option<String>,
    /// The bank that an evolution used, to make its measurements again
    #[arg(long, value_name = "DIR")]
    bank: Option<PathBuf>,
    /// Also play again what other programs have played that are declared deterministic: starts the commands that the
    /// folder names
    #[arg(long)]
    programs: bool,
    /// Seed of the sample of games
    #[arg(long, default_value_t = 1)]
    seed: u64,
}

pub(super) fn run(arguments: &Arguments, out: &mut dyn Write) -> Outcome {
    if let Some(evolution) = evolution_folder::open(&arguments.folder)? {
        if arguments.game.is_some() {
            return Err(Failure::Usage("--game is for runs; an evolution has measurements".to_owned()));
        }
        let sample = (arguments.games, arguments.seed);
        let opponents = &evolution.plan().opponents;
        if let Some(opponent) =
            opponents.iter().find(|opponent| opponent.spec.kind().is_program() && !arguments.programs)
        {
            let folder = arguments.folder.display();
            let problem = format!("{folder}: the opponent {} is another program; --programs starts it", opponent.name);
            return Err(Failure::Usage(problem));
        }
        signals::watch_for_programs(opponents.iter().map(|opponent| &opponent.spec));
        if arguments.games > 0 {
            programs::check(opponents, &AtomicBool::new(false))?;
        }
        return evolution_folder::verify(&evolution, arguments.bank.as_deref(), sample, out);
    }
    if arguments.bank.is_some() {
        return Err(Failure::Usage("--bank is for the folder of an evolution".to_owned()));
    }
    let Some(tuning) = Tuning::open(&arguments.folder).map_err(Failure::usage)? else {
        return check(&Run::open(&arguments.folder).map_err(Failure::usage)?, arguments, out);
    };
    if arguments.game.is_some() {
        let folder = arguments.folder.display();
        let problem = format!("{folder}: --game needs the folder of one run, such as {folder}/round-1");
        return Err(Failure::Usage(problem));
    }
    let mut wrong = Vec::new();
    for stage in tuning.course().map_err(Failure::failed)?.stages() {
        let Some(run) = stage.open(tuning.folder()).map_err(Failure::failed)? else { continue };
        writeln!(out, "{}:", stage.name)?;
        match check(&run, arguments, out) {
            Err(Failure::Failed(problem)) => wrong.push(format!("{}: {problem}", stage.name)),
            outcome => outcome?,
        }
    }
    if wrong.is_empty() { Ok(()) } else { Err(Failure::Failed(wrong.join("; "))) }
}

/// Games drawn from a stream of unknown length: each that was offered is equally likely to be among those kept.
#[derive(Default)]
struct Reservoir {
    wanted: usize,
    offered: usize,
    kept: Vec<GameRecord>,
}

impl Reservoir {
    fn offer(&mut self, game: GameRecord, rng: &mut impl Rng) {
        self.offered += 1;
        if self.kept.len() < self.wanted {
            self.kept.push(game);
        } else if let Some(kept) = self.kept.get_mut(below(rng, self.offered)) {
            *kept = game;
        }
    }
}

/// Verifies one run.
fn check(run: &Run, arguments: &Arguments, out: &mut dyn Write) -> Outcome {
    let experiment = run.experiment().map_err(Failure::usage)?;
    let verifier = Verifier::new(&experiment);
    let mut rng = Key::experiment(arguments.seed).stream();
    let (mut checked, mut wrong, mut skipped, mut left) = (0_usize, Vec::new(), 0, 0);
    // A folder may come from elsewhere: its commands are run only if that is asked for.
    let is_left = |player: &&Contender| player.spec.kind().is_outside() && !arguments.programs;
    let left_players: Vec<String> =
        experiment.players.iter().filter(is_left).map(|player| player.identity.short()).collect();
    let mut sample =
        Reservoir { wanted: if arguments.game.is_some() { 1 } else { arguments.games }, ..Reservoir::default() };
    let problems = run.games(|game| -> Result<(), RecordError> {
        checked += 1;
        if let Err(discrepancy) = verifier.replay(&game) {
            wrong.push(discrepancy.to_string());
        }
        if !game.reproducible || game.ended == Ended::Left {
            skipped += 1;
        } else if game.seats.iter().any(|seat| left_players.contains(seat)) {
            left += 1;
        } else if arguments.game.as_ref().is_none_or(|id| *id == game.id) {
            sample.offer(game, &mut rng);
        }
        Ok(())
    });
    let problems = problems.map_err(Failure::failed)?;
    if let (Some(id), true) = (&arguments.game, sample.kept.is_empty()) {
        let hint = if left > 0 { "; --programs plays those of other programs again" } else { "" };
        let folder = arguments.folder.display();
        return Err(Failure::Usage(format!("{folder}: no reproducible game {id} is recorded{hint}")));
    }
    if arguments.programs {
        signals::watch_for_programs(experiment.players.iter().map(|player| &player.spec));
        let is_sampled = |player: &&Contender| {
            let identity = player.identity.short();
            sample.kept.iter().any(|game| game.seats.contains(&identity))
        };
        let players = experiment.players.iter().filter(is_sampled);
        programs::start(players.map(|player| (player.name.as_str(), &player.spec)), &AtomicBool::new(false))?;
    }
    let clock = WallClock::start();
    for game in &sample.kept {
        if let Err(discrepancy) = verifier.play_again(game, &clock) {
            wrong.push(format!("{discrepancy} (played again)"));
        }
    }
    for problem in &problems {
        writeln!(out, "{problem}")?;
    }
    for line in &wrong {
        writeln!(out, "{line}")?;
    }
    writeln!(
        out,
        "{} replayed by the rules, {} played again from their keys",
        counted(checked, "game"),
        sample.kept.len()
    )?;
    if skipped > 0 {
        writeln!(
            out,
            "{} {} limited by a clock, played by people or other programs, or left, and cannot be played again",
            counted(skipped, "game"),
            was_or_were(skipped)
        )?;
    }
    if left > 0 {
        let games = counted(left, "game");
        let were = was_or_were(left);
        writeln!(out, "{games} {were} played by other programs, which --programs starts to play games again")?;
    }
    if wrong.is_empty() && problems.is_empty() {
        return Ok(());
    }
    let lines: u64 = problems.iter().map(|problem| problem.lines).sum();
    let (records, are) = (counted(wrong.len(), "record"), is_or_are(wrong.len()));
    Err(Failure::Failed(wrong_and_unread(format!("{records} {are} wrong"), lines)))
}
