//! The paragraph of methods and the BibTeX entries of a paper.

use super::{escape, mark, origin};
use crate::tables::captions;
use crate::tables::gauntlet::Gauntlet;
use crate::tables::report::Report;
use evouct_base::plural::counted;
use evouct_league::config::{Experiment, ScheduleKind, Seatings};
use std::fmt::Write;

fn code(text: &str) -> String {
    format!("\\texttt{{{}}}", escape(text))
}

/// What was played and how it was tested, in sentences.
pub(super) fn methods(experiment: &Experiment, report: &Report) -> String {
    let mut text = format!("% Methods of {}.\n", origin(report));
    if report.interim().is_some() {
        let _ = writeln!(text, "{}Matches have fewer games than planned, and all numbers can change.", mark(report));
    }
    let seats = experiment.rules.seats();
    let rules: Vec<String> =
        experiment.rules.recorded().iter().map(|(name, value)| format!("{name}={value}")).collect();
    let _ = write!(
        text,
        "We played {} of the game {} ({}) with evouct~{}~\\cite{{evouct}}. ",
        counted(report.finished, "game"),
        code(experiment.rules.domain().name()),
        code(&rules.join(", ")),
        escape(&report.evouct)
    );
    let _ = writeln!(text, "{} {}", league(experiment), decks(experiment, seats));
    let _ = writeln!(
        text,
        "Parameters that are not named have the defaults of the preset {}. The players are:",
        code(&report.preset)
    );
    text.push_str("\\begin{itemize}\n");
    for player in &experiment.players {
        let cost = report.ranking.iter().find(|row| row.player == player.name);
        let cost = cost.map_or(String::new(), |row| format!(" ({})", escape(&row.cost.phrase())));
        let _ = writeln!(text, "  \\item {}: {}{cost}", escape(&player.name), code(&player.spec.default_name()));
    }
    text.push_str("\\end{itemize}\n");
    let unit = report.unit();
    let several = report.several();
    let of_means = several.map_or(0, Gauntlet::tested);
    let corrected = match (captions::tested_pairs(report), of_means) {
        (0 | 1, _) => String::new(),
        (pairs, 0) => format!(", corrected by Holm's method over {} of players", counted(pairs, "pair")),
        (pairs, contestants) => format!(
            ", corrected by Holm's method over {} of players, and those of mean differences over {}",
            counted(pairs, "pair"),
            counted(contestants, "contestant")
        ),
    };
    if let Some(looks) = &report.looks {
        let _ = writeln!(
            text,
            "Every pair of players that met was tested by paired $t$-tests over {unit} at up to {} looks, equally spaced over {} {unit}, with an \
             error rate of 5\\,\\% over all looks and pairs: $\\alpha$-spending $t^2$, repeated $p$-values, Holm's correction over \
             {}. A pair that differed was played no more. A difference is the mean difference of scores per game, with a \
             95\\,\\% interval that holds at all looks.",
            looks.decks.len(),
            looks.decks.last().unwrap_or(&0),
            counted(looks.pairs, "pair"),
        );
    } else {
        let _ = writeln!(
            text,
            "A difference is the mean difference of scores per game, with its 95\\,\\% $t$-interval over {unit}. $p$-values are those of \
             two-sided paired $t$-tests over {unit}{corrected}.",
        );
        text.extend(captions::exact(report).map(|sentence| format!("{}\n", escape(&sentence))));
    }
    let timed: Vec<String> = experiment
        .players
        .iter()
        .filter(|player| !player.spec.is_reproducible())
        .map(|player| escape(&player.name))
        .collect();
    let repeated = if let Some(clock) = experiment.clock {
        let lost = match report.lost_on_time {
            0 => String::new(),
            lost => format!("; {} lost on time count in points and matches, and in no test", counted(lost, "game")),
        };
        format!("Each seat has {} on its clock, so that games cannot be repeated exactly{lost}", clock.words())
    } else if timed.is_empty() {
        let options = experiment.overrides.options().join(" ");
        let run =
            if options.is_empty() { "a run of it".to_owned() } else { format!("a run of it with {}", code(&options)) };
        format!(
            "The experiment file determines every game: {run} gives records with the same digest, on any machine and with any number of \
             threads"
        )
    } else {
        format!("Games of {} cannot be repeated exactly, so that another run has another digest", timed.join(", "))
    };
    let _ = writeln!(text, "{repeated} ({}).", code(&report.digest.digest));
    text
}

fn league(experiment: &Experiment) -> String {
    let players = experiment.players.len();
    match experiment.schedule {
        ScheduleKind::RoundRobin => format!("The league is a round robin of {}.", counted(players as u64, "player")),
        ScheduleKind::Gauntlet if experiment.fixed > 1 => {
            let names = experiment.players[..experiment.fixed].iter().map(|player| escape(&player.name));
            format!(
                "The league is a gauntlet: each of {} fixed opponents ({}) plays against each of {}. The difference of a contestant is \
                 the mean over the fixed opponents, deck by deck.",
                experiment.fixed,
                names.collect::<Vec<_>>().join(", "),
                counted(players as u64 - experiment.fixed as u64, "contestant")
            )
        }
        ScheduleKind::Gauntlet => format!(
            "The league is a gauntlet: {} plays against each of {}.",
            experiment.players.first().map_or(String::new(), |player| escape(&player.name)),
            counted(players as u64 - 1, "opponent")
        ),
        ScheduleKind::Swiss => format!(
            "The league has {} of a Swiss schedule for {}: players with about as many points met, and no two met twice. Of equal \
             points those with stronger opponents are first (Buchholz).",
            counted(experiment.rounds.unwrap_or_default(), "round"),
            counted(players as u64, "player")
        ),
        ScheduleKind::Neighbours => {
            format!("Of {}, each plays against the next.", counted(players as u64, "player"))
        }
    }
}

fn decks(experiment: &Experiment, seats: usize) -> String {
    let decks = counted(experiment.games_per_match, "deck");
    let seed = experiment.seed;
    if seats == 1 {
        return format!(
            "Each player plays {decks} by itself, all the same ones (seed {seed}); players are compared deck by deck."
        );
    }
    if !experiment.mirror {
        return format!("Each match has {decks} of its own (seed {seed}).");
    }
    let orders = match experiment.seatings {
        Seatings::Mirrored if seats == 2 => "from both seats",
        Seatings::Mirrored => "in all rotations of the seats and of their reversed order",
        Seatings::Rotations => "in all rotations of the seats",
        Seatings::All => "in all orders of the seats",
        Seatings::Once => "once",
    };
    format!("Each match has {decks}, and every deck is played {orders}; all matches share their decks (seed {seed}).")
}

/// The BibTeX entry of the paper on SIEA-MCTS.
const PAPER: &str = include_str!("siea-mcts.bib");

/// The entries of the program and of that paper.
pub(super) fn bibliography(report: &Report) -> String {
    format!(
        "@software{{evouct,\n  title = {{evouct: experiments in which game-playing search is improved by evolution}},\n  \
         author = {{{{The evouct authors}}}},\n  version = {{{}}},\n  note = {{Run {}, digest {}}}\n}}\n\n{PAPER}",
        report.evouct,
        escape(&report.name),
        report.digest.digest
    )
}
