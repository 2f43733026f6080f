//! Everything that a report says.

use super::faults::FaultRow;
use super::formulas::{EvolutionRow, FormulaRow, FrontRow, OrderRow, ShapeRow};
use super::frame::FrameRow;
use super::gauntlet::Gauntlet;

use super::headline::Headline;
use super::histograms::HistogramRow;
use super::league::League;
use super::looks::TestAtLooks;
use super::matches::{MatchRow, RankingRow};
use super::pairs::PairRow;
use super::paper::{Ours, PrintedComparison, compare};
use super::ratings::RatingTable;
use super::seats::{SeatRow, TurnRow, UnusedDraws, turns};
use super::sequential::SequentialTest;
use super::sweep::Sweep;
use crate::aggregate::Aggregate;
use crate::aggregate::game_result::FailedGame;
use crate::aggregate::measures::{self, SeatMeasure};
use evouct_base::named::Named;
use evouct_base::plural::noun_of;
use evouct_league::config::{Experiment, ScheduleKind, TimeControl, play_command};
use evouct_league::record::{Digest, Ended};
use evouct_stats::points::Match;
use evouct_stats::t_test::TTest;
use evouct_store::VERSION;
use serde::Serialize;
use std::collections::BTreeMap;

/// The version of `report.json`.
const SCHEMA: u32 = 5;

/// Everything that a report says.
#[derive(Clone, Debug, Serialize)]
pub struct Report {
    /// The version of this structure.
    pub schema: u32,
    /// The evouct that made the report.
    pub evouct: String,
    /// The experiment.
    pub name: String,
    /// Its description.
    pub about: Option<String>,
    /// The hash of the resolved experiment.
    pub hash: String,
    /// `text` or `reference`.
    pub preset: String,
    /// The seed.
    pub seed: u64,
    /// Decks per match.
    pub games_per_match: u32,
    /// Whether matches share their decks.
    pub mirror: bool,
    /// Digest of all records.
    pub digest: Digest,
    /// Who meets whom.
    pub schedule: &'static str,
    /// The rounds of a Swiss schedule; none of another one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rounds: Option<u32>,
    /// Games of the schedule; of a test at looks those that are recorded or may still be wanted.
    pub scheduled: u64,
    /// Games that have a result: they finished, or were lost by a fault.
    pub finished: u64,
    /// Of these, games that were lost on time: they count in the points table and in matches, and in no other statistic.
    #[serde(skip_serializing_if = "evouct_base::is_default")]
    pub lost_on_time: u64,
    /// The time of each seat; none if games have no clock.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub clock: Option<TimeControl>,
    /// Seats of a game.
    #[serde(skip)]
    pub game_seats: usize,
    /// Games that failed.
    pub failures: Vec<FailureRow>,
    /// Games that players lost by faults; absent where there are none.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub faults: Vec<FaultRow>,
    /// How games begin and where they end, where not by the rules alone.
    #[serde(flatten)]
    pub frame: FrameRow,
    /// What 1 of the score is; empty where the game itself has points.
    #[serde(skip_serializing_if = "str::is_empty")]
    pub point: &'static str,
    /// What every game that is not drawn is worth, where all are worth the same: no difference is larger.
    #[serde(skip)]
    pub worth: Option<f64>,
    /// The league's ranking.
    pub ranking: Vec<RankingRow>,
    /// The contestants of a gauntlet against the fixed opponent; none in another league.
    pub gauntlet: Option<Gauntlet>,
    /// Strength over a parameter, for players that differ in one numeric parameter only.
    pub sweeps: Vec<Sweep>,
    /// Every match of the pairs that are listed.
    pub matches: Vec<MatchRow>,
    /// Every pair of players; in a large league the pairs that met, where these are many those of the best players.
    pub significance: Vec<PairRow>,
    /// Pairs of players that met and are not in `significance` and `matches`; absent where there are none.
    #[serde(skip_serializing_if = "evouct_base::is_default")]
    pub pairs_not_listed: usize,
    /// The best players, or contestants of a gauntlet, whose pairs are listed where not all are.
    #[serde(skip)]
    pub(crate) best_listed: usize,
    /// How many decks the pairs have played, and how many of them are distinct; absent where all are.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub distinct: Option<DistinctDecks>,
    /// Ratings of all players on one scale.
    pub ratings: RatingTable,
    /// The sequential test of a match of two players.
    pub sequential: Option<SequentialTest>,
    /// Where a test of all pairs at looks stands; none in another league.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub looks: Option<TestAtLooks>,
    /// Every player by seat.
    pub seats: Vec<SeatRow>,
    /// What is measured of a seat.
    #[serde(skip)]
    pub measures: Vec<SeatMeasure>,
    /// What the table of seats shows.
    #[serde(skip)]
    pub seats_caption: String,
    /// Draws that no seat could act on; none where every draw was used.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub unused: Option<UnusedDraws>,
    /// Virtual scores by player, seat and turn.
    pub turns: Vec<TurnRow>,
    /// EvolutionRow by player.
    pub evolution: Vec<EvolutionRow>,
    /// The most frequent formulas of each player.
    pub formulas: Vec<FormulaRow>,
    /// Evolved formulas grouped by the order that they induce on the children of a node.
    pub orders: Vec<OrderRow>,
    /// The front of size against gain in fitness of each player.
    pub front: Vec<FrontRow>,
    /// Sizes, depths and gains of formulas by turn.
    pub shapes: Vec<ShapeRow>,
    /// Histograms of what searches left behind; none in games that keep none.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub histograms: Vec<HistogramRow>,
    /// The printed numbers beside ours.
    pub paper: Option<PrintedComparison>,
    /// Thinking time of all players in seconds.
    pub seconds: f64,
    /// Playouts of all players.
    pub playouts: u64,
}

/// The decks of all pairs together, where decks are not mirrored their games.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct DistinctDecks {
    /// Decks that pairs have played.
    pub decks: u64,
    /// Those that repeat no earlier deck of the same pair: the sample of every test.
    pub distinct: u64,
}

impl DistinctDecks {
    /// Those of pairs; none where no deck repeats another.
    fn of(pairs: &[PairRow]) -> Option<DistinctDecks> {
        let distinct = pairs.iter().map(|row| row.units).sum();
        let repeats: u64 = pairs.iter().map(|row| row.repeats).sum();
        (repeats > 0).then_some(DistinctDecks { decks: distinct + repeats, distinct })
    }
}

/// A game that failed.
#[derive(Clone, Debug, Serialize)]
pub struct FailureRow {
    /// The game.
    pub game: String,
    /// Its players, by seat.
    pub players: Vec<String>,
    /// `panicked`, `illegal-move`, `not-started` or `left`.
    pub ended: String,
    /// The message.
    pub message: String,
    /// A command that plays the game again.
    pub repeat: String,
}

impl Report {
    /// The gauntlet, if it has several fixed opponents.
    pub(crate) fn several(&self) -> Option<&Gauntlet> {
        self.gauntlet.as_ref().filter(|gauntlet| gauntlet.has_several())
    }

    /// Whether each player meets only the players before and after it in the file.
    pub fn is_of_neighbours(&self) -> bool {
        self.schedule == ScheduleKind::Neighbours.name()
    }

    /// What a test needs two of: `decks`, or `distinct decks` where some repeat others.
    pub(crate) fn distinct_unit(&self) -> String {
        if self.distinct.is_some() { format!("distinct {}", self.unit()) } else { self.unit().to_owned() }
    }

    /// The units that intervals and tests take as independent.
    pub(crate) fn unit(&self) -> &'static str {
        if self.mirror { "decks" } else { "games" }
    }

    /// The noun of so many decks or games: what [`unit`](Report::unit) counts.
    pub(crate) fn units(&self, number: u64) -> String {
        noun_of(number, if self.mirror { "deck" } else { "game" })
    }

    /// The games that are finished, and of how many, where more are to be played: the results are interim. A
    /// sequential test may have been decided without them, and with looks more are played at most.
    pub fn interim(&self) -> Option<[u64; 2]> {
        if let Some(looks) = &self.looks {
            return (looks.missing > 0).then_some([self.finished, self.scheduled]);
        }
        let is_over = self.sequential.as_ref().is_some_and(SequentialTest::is_over);
        (self.recorded() < self.scheduled && !is_over).then_some([self.finished, self.scheduled])
    }

    /// All tests of this report.
    pub(crate) fn tests(&self) -> impl Iterator<Item = &TTest> {
        let of_pairs = self.significance.iter().map(|row| (&row.paired, row.holm));
        let gauntlet = self.gauntlet.iter();
        let of_contestants = gauntlet.clone().flat_map(|found| &found.comparisons).map(|row| (&row.paired, row.holm));
        let of_means = gauntlet.flat_map(Gauntlet::means).map(|(row, test)| (&test.paired, row.holm));
        let all = of_pairs.chain(of_contestants).chain(of_means);
        all.filter(|(_, holm)| holm.is_some()).filter_map(|(test, _)| test.as_ref().ok())
    }

    /// The report of the condensed records of an experiment.
    pub fn of(experiment: &Experiment, aggregate: &Aggregate) -> Report {
        let league = League::of(experiment, aggregate);
        let matches = League::matches_of(aggregate.results());
        let significance = league.significance();
        let gauntlet = league.gauntlet(&significance);
        let seats = || aggregate.results().flat_map(|game| &game.seats);
        let looks = league.test_at_looks();
        let is_listed = |met: &Match| league.lists([met.home, met.away]);
        // Printed numbers are beside all matches.
        let of_ours: Vec<Match> =
            matches.iter().filter(|met| experiment.paper.is_some() || is_listed(met)).copied().collect();
        let ours = Ours {
            ranking: league.ranking(&matches, gauntlet.as_ref()),
            matches: league.match_rows(&of_ours),
            seats: league.seats(),
        };
        Report {
            schema: SCHEMA,
            evouct: VERSION.to_owned(),
            name: experiment.name.clone(),
            about: experiment.about.clone(),
            hash: experiment.hash(),
            preset: experiment.preset.name().to_owned(),
            seed: experiment.seed,
            games_per_match: experiment.games_per_match,
            mirror: experiment.mirror,
            digest: aggregate.digester.finish(),
            schedule: experiment.schedule.name(),
            rounds: experiment.rounds,
            scheduled: match &looks {
                Some(looks) => (aggregate.results().count() + aggregate.failures.len()) as u64 + looks.missing,
                None => experiment.games(),
            },
            finished: aggregate.results().count() as u64,
            lost_on_time: aggregate.lost_on_time.len() as u64,
            clock: experiment.clock,
            game_seats: experiment.rules.seats(),
            failures: aggregate.failures.iter().map(|failed| FailureRow::of(failed, experiment)).collect(),
            faults: league.faults(aggregate),
            frame: FrameRow::of(experiment, aggregate),
            paper: experiment.paper.as_ref().map(|paper| compare(paper, &league, &ours)),
            ranking: ours.ranking,
            sweeps: league.sweeps(gauntlet.as_ref()),
            gauntlet,
            matches: of_ours.iter().zip(ours.matches).filter(|(met, _)| is_listed(met)).map(|(_, row)| row).collect(),
            ratings: league.ratings(&significance),
            distinct: DistinctDecks::of(&significance),
            significance,
            pairs_not_listed: league.pairs_not_listed(),
            best_listed: league.listed().map_or(0, |listed| listed.best),
            sequential: league.sequential(&aggregate.failures),
            looks,
            worth: league.worth,
            seats: ours.seats,
            measures: measures::measures(experiment.rules.domain()),
            point: experiment.rules.domain().point(),
            seats_caption: measures::caption(experiment.rules.domain()),
            unused: UnusedDraws::of(experiment, aggregate),
            turns: turns(experiment, aggregate),
            evolution: EvolutionRow::all(experiment, &aggregate.evolution),
            formulas: FormulaRow::all(experiment, &aggregate.formulas),
            orders: OrderRow::all(experiment, &aggregate.formulas),
            front: FrontRow::all(experiment, &aggregate.formulas),
            shapes: ShapeRow::all(experiment, &aggregate.formulas),
            histograms: HistogramRow::all(experiment, aggregate),
            seconds: seats().map(|seat| seat.seconds).sum(),
            playouts: seats().map(|seat| seat.playouts).sum(),
        }
    }

    /// What the tests show and what they do not.
    pub fn headline(&self) -> Headline {
        Headline::of(self)
    }

    /// The report as `report.json` has it: with the headline.
    pub fn json(&self) -> serde_json::Value {
        let mut json = serde_json::to_value(self).expect("a report is plain data");
        json["headline"] = serde_json::to_value(self.headline()).expect("a headline is plain data");
        json
    }

    /// The pairs of players with units, as tables and charts show them: in the order of the ranking, the player first
    /// that is ahead; in a gauntlet from the view of the fixed opponent. Files and `report.json` have the order of the
    /// experiment.
    pub(crate) fn shown_pairs(&self) -> Vec<PairRow> {
        let places: BTreeMap<&str, usize> =
            (self.ranking.iter().enumerate().map(|(place, row)| (&*row.player, place))).collect();
        let place = |player: &String| places.get(player.as_str()).copied().unwrap_or(usize::MAX);
        let view = |row: &PairRow| match &self.gauntlet {
            // The fixed opponent is the first of the file, and so of its pairs.
            Some(_) => row.clone(),
            None => row.stronger_first(),
        };
        let mut pairs: Vec<PairRow> = self.significance.iter().filter(|row| row.units > 0).map(view).collect();
        pairs.sort_by_key(|row| {
            let [a, b] = [&row.a, &row.b].map(place);
            (a.min(b), a.max(b))
        });
        pairs
    }

    /// Games that are recorded, failed ones included.
    pub fn recorded(&self) -> u64 {
        self.finished + self.failures.len() as u64
    }
}

impl FailureRow {
    fn of(failed: &FailedGame, experiment: &Experiment) -> FailureRow {
        // Not as the record has it: what a folder from elsewhere says is no command to run.
        let player = |short: &String| experiment.players.iter().find(|player| player.identity.short() == *short);
        let seats = failed.seats.iter().filter_map(player).map(|player| (&player.spec, player.ordinal));
        let terms = experiment.frame.terms(failed.deck).unwrap_or_default();
        let rules = (&experiment.rules, experiment.clock.as_ref());
        let repeat = play_command(rules, seats, experiment.seed, failed.deck, experiment.mirror, &terms);
        let ended = match failed.ended {
            Ended::IllegalMove => "illegal-move",
            Ended::Left => "left",
            Ended::Panicked => "panicked",
            // These are results, unless a program did not start.
            Ended::Finished | Ended::Limit | Ended::Fault => "not-started",
        };
        FailureRow {
            game: failed.id.clone(),
            players: failed.players.clone(),
            ended: ended.to_owned(),
            message: failed.message.clone(),
            repeat,
        }
    }
}
