//! The headline of a report: what its tests show and what they do not, in a few sentences.
//!
//! Every format prints these sentences first. They are made from the tables alone.

use super::detectable::{detectable, detectable_at};
use super::faults::lost_on_time;
use super::gauntlet::{ContestantRow, Gauntlet, SEVERAL};
use super::looks::TestAtLooks;
use super::report::{DistinctDecks, Report};
use super::sequential::SequentialTest;
use evouct_base::grouped::grouped;
use evouct_base::plural::{counted, is_or_are, noun_of, was_or_were};
use evouct_stats::SIGNIFICANCE_LEVEL;
use evouct_stats::distinct::REPEATS;
use evouct_stats::sprt::SprtDecision;
use evouct_stats::t_test::TTest;
use serde::Serialize;
use std::collections::BTreeMap;

/// Findings and pairs that are named one by one; of more only the number is given.
const NAMED: usize = 4;
/// Budgets that differ by no more than this ratio count as equal: a budget that runs out within a generation is not
/// spent to the last playout.
const EQUAL: f64 = 1.05;

/// What a report shows.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Headline {
    /// Differences that were tested: pairs of players, in a gauntlet contestants against the fixed opponent, against
    /// several of them by the mean.
    pub tested: usize,
    /// Of these, the differences that are significant after Holm's correction.
    pub significant: usize,
    /// Units of each test, the fewest and the most.
    pub units: [u64; 2],
    /// The sentences, the most important first.
    pub sentences: Vec<String>,
}

/// A tested difference.
struct Tested<'a> {
    /// The one with the higher mean.
    better: &'a str,
    worse: &'a str,
    difference: f64,
    test: &'a TTest,
    significant: bool,
}

impl<'a> Tested<'a> {
    /// The test of a less b with its corrected p-value; none if it was not tested.
    fn of(a: &'a str, b: &'a str, test: Option<&'a TTest>, holm: Option<f64>) -> Option<Tested<'a>> {
        let test = test?;
        let (better, worse) = if test.difference < 0.0 { (b, a) } else { (a, b) };
        let significant = holm? < SIGNIFICANCE_LEVEL;
        Some(Tested { better, worse, difference: test.difference.abs(), test, significant })
    }
}

impl Headline {
    /// The headline of a report whose tables are complete.
    pub(super) fn of(report: &Report) -> Headline {
        let (tested, units) = match report.several() {
            Some(gauntlet) => tested_means(gauntlet),
            None => {
                let pairs = || report.significance.iter();
                let tested = pairs().filter_map(|row| Tested::of(&row.a, &row.b, row.paired.as_ref().ok(), row.holm));
                (tested.collect::<Vec<_>>(), fewest_and_most(pairs().map(|row| row.units)))
            }
        };
        let mut sentences = Vec::new();
        if report.finished == 0 {
            sentences.push("No game is finished.".to_owned());
        }
        if let Some([finished, scheduled]) = report.interim().filter(|[finished, _]| *finished > 0) {
            sentences.push(format!(
                "These are interim results: {} of {}{} {} {} finished.",
                grouped(finished),
                if report.looks.is_some() { "at most " } else { "" },
                grouped(scheduled),
                noun_of(scheduled, "game"),
                is_or_are(finished)
            ));
        }
        if report.finished > 0 {
            match (&report.sequential, &report.gauntlet) {
                (Some(test), _) => sentences.extend([sequential(test), basis_of_sequential(test)]),
                (None, Some(gauntlet)) => sentences.extend(contestants(gauntlet, &tested, report)),
                (None, None) => {
                    sentences.extend(league(&tested, report));
                    sentences.extend(open_to("", &tested, report.pairs_not_listed, report.worth, report));
                }
            }
            sentences.extend(report.distinct.map(|distinct| repeats(distinct, report)));
            sentences.extend(report.looks.as_ref().map(|looks| stopped(looks, report)));
            if report.sequential.is_none() && !tested.is_empty() {
                sentences.push(basis(report, tested.len(), units));
            }
            if report.pairs_not_listed > 0 {
                let left_out = counted(report.pairs_not_listed, "pair");
                let best = report.best_listed;
                sentences.push(match &report.gauntlet {
                    None => {
                        let players = counted(report.ranking.len(), "player");
                        format!(
                            "Only the best {best} of {players} are compared with one another; {left_out} are not listed."
                        )
                    }
                    Some(gauntlet) => {
                        let contestants = counted(gauntlet.contestants.len(), "contestant");
                        format!("Only pairs of the best {best} of {contestants} are listed; {left_out} are not.")
                    }
                });
            }
            sentences.extend(budgets(report));
            sentences.extend(on_clock(report));
        }
        sentences.extend(report.frame.sentences());
        match report.failures.len() {
            0 => {}
            1 => sentences.push("One game failed and is in no table.".to_owned()),
            count => sentences.push(format!("{count} games failed and are in no table.")),
        }
        let faults: u64 = report.faults.iter().map(|row| row.faults).sum();
        match faults - report.lost_on_time {
            0 => {}
            1 => sentences.push("One game was lost by a fault of another program and counts as a loss.".to_owned()),
            count => {
                sentences.push(format!("{count} games were lost by faults of other programs and count as losses."));
            }
        }
        Headline {
            tested: tested.len(),
            significant: tested.iter().filter(|tested| tested.significant).count(),
            units,
            sentences,
        }
    }
}

/// What the clock of the games means for what is shown.
fn on_clock(report: &Report) -> Vec<String> {
    let Some(clock) = &report.clock else { return Vec::new() };
    let terms = format!("Each seat had {} on its clock: the games cannot be repeated.", clock.words());
    let lost = (report.lost_on_time > 0).then(|| {
        let (games, were) = (counted(report.lost_on_time, "game"), was_or_were(report.lost_on_time));
        format!("{games} of {} {were} lost on time.{}", grouped(report.finished), lost_on_time(report.lost_on_time))
    });
    [Some(terms), lost].into_iter().flatten().collect()
}

/// The tests of the contestants' mean differences from several fixed opponents, and their units.
fn tested_means(gauntlet: &Gauntlet) -> (Vec<Tested<'_>>, [u64; 2]) {
    let tested = gauntlet
        .means()
        .filter_map(|(row, test)| Tested::of(&row.player, SEVERAL, test.paired.as_ref().ok(), row.holm));
    let with_test = gauntlet.means().filter(|(row, _)| row.holm.is_some());
    (tested.collect(), fewest_and_most(with_test.map(|(_, test)| test.units)))
}

/// The fewest units of a test and the most, of tests that have any.
fn fewest_and_most(units: impl Iterator<Item = u64> + Clone) -> [u64; 2] {
    let units = units.filter(|units| *units > 0);
    [units.clone().min().unwrap_or(0), units.max().unwrap_or(0)]
}

/// What a league without a fixed opponent shows.
fn league(tested: &[Tested], report: &Report) -> Vec<String> {
    if tested.is_empty() {
        return vec![format!(
            "No difference can be tested: a test needs results on at least two {} that vary.",
            report.distinct_unit()
        )];
    }
    let shown: Vec<&Tested> = tested.iter().filter(|tested| tested.significant).collect();
    if shown.is_empty() {
        return vec![
            "No difference between players is significant. That is not evidence that they are equally strong."
                .to_owned(),
        ];
    }
    let players: Vec<&str> = report.ranking.iter().filter(|row| row.games > 0).map(|row| row.player.as_str()).collect();
    let others = players.len() - 1;
    if let Some(order) = order(&shown, &players) {
        return match &order[..] {
            [first, second] => vec![format!(
                "{first} is significantly stronger than {second}: {:+.1} points per game.",
                shown[0].difference
            )],
            all => vec![format!("All differences are significant. From strong to weak: {}.", all.join(", "))],
        };
    }
    let count = |is: &dyn Fn(&Tested) -> bool| shown.iter().filter(|found| is(found)).count();
    let best = players.iter().find(|player| count(&|found| found.better == **player) == others);
    let worst = players.iter().find(|player| count(&|found| found.worse == **player) == others);
    let mut sentences = Vec::new();
    sentences.extend(best.map(|player| format!("{player} is significantly stronger than every other player.")));
    sentences.extend(worst.map(|player| format!("Every other player is significantly stronger than {player}.")));
    let covered = |found: &Tested| best == Some(&found.better) || worst == Some(&found.worse);
    let more: Vec<&&Tested> = shown.iter().filter(|found| !covered(found)).collect();
    let is_first = sentences.is_empty();
    match more.len() {
        0 => (),
        count if count > NAMED && is_first => {
            sentences.push(format!("{count} of {} differences are significant.", tested.len()));
            sentences.extend(unbeaten(&shown, &players));
        }
        count if count > NAMED => sentences.push(format!("{count} more differences are significant.")),
        _ => {
            let also = if is_first { "Significant" } else { "Also significant" };
            sentences.push(format!("{also}: {}.", findings(&more)));
        }
    }
    sentences.extend(inconclusive(tested));
    sentences
}

/// The players that are not significantly weaker than any other, if they are few.
fn unbeaten(shown: &[&Tested], players: &[&str]) -> Option<String> {
    let names: Vec<&str> =
        players.iter().copied().filter(|player| shown.iter().all(|found| found.worse != *player)).collect();
    match &names[..] {
        [] => None,
        [one] => Some(format!("Only {one} is not significantly weaker than another player.")),
        [names @ .., last] if names.len() < NAMED => {
            Some(format!("Only {} and {last} are not significantly weaker than another player.", names.join(", ")))
        }
        _ => None,
    }
}

/// The players from strong to weak, if every pair differs significantly and no cycle spoils the order.
fn order<'a>(shown: &[&Tested<'a>], players: &[&'a str]) -> Option<Vec<&'a str>> {
    let mut wins: BTreeMap<&str, usize> = players.iter().map(|player| (*player, 0)).collect();
    shown.iter().for_each(|found| *wins.entry(found.better).or_default() += 1);
    let mut order: Vec<&str> = players.to_vec();
    order.sort_by_key(|player| std::cmp::Reverse(wins[player]));
    let complete = shown.len() * 2 == players.len() * (players.len() - 1);
    let strict = order.iter().enumerate().all(|(place, player)| wins[player] + place + 1 == players.len());
    (complete && strict).then_some(order)
}

/// `a over b (+3.1), c over d (+2.0)`.
fn findings(shown: &[&&Tested]) -> String {
    let one = |found: &&&Tested| format!("{} over {} ({:+.1})", found.better, found.worse, found.difference);
    shown.iter().map(one).collect::<Vec<_>>().join(", ")
}

/// The pairs about which nothing is known.
fn inconclusive(tested: &[Tested]) -> Option<String> {
    let open: Vec<String> = tested
        .iter()
        .filter(|tested| !tested.significant)
        .map(|tested| format!("{} and {}", tested.better, tested.worse))
        .collect();
    match open.len() {
        0 => None,
        1..=NAMED => {
            Some(format!("No other difference is shown: the data on {} are inconclusive.", open.join(", on ")))
        }
        count => Some(format!("No other difference is shown: the data on {count} pairs are inconclusive.")),
    }
}

/// What the tests that are not significant could have shown.
fn open_to(
    between: &str,
    tested: &[Tested],
    not_listed: usize,
    possible: Option<f64>,
    report: &Report,
) -> Option<String> {
    let open = tested.iter().filter(|tested| !tested.significant).map(|tested| tested.test);
    match &report.looks {
        None => detectable(between, open, not_listed, possible),
        Some(looks) if looks.missing > 0 => None,
        // Tests at earlier looks come on top.
        Some(looks) => detectable_at(looks.last_level, between, open, possible)
            .map(|said| said.replace(" in 80 %", " in at least 80 %")),
    }
}

/// How many decks are evidence, and what gives more.
fn repeats(DistinctDecks { decks, distinct }: DistinctDecks, report: &Report) -> String {
    let pairs = match report.significance.iter().filter(|row| row.units > 0).count() {
        1 => String::new(),
        several => format!(" of {several} pairs"),
    };
    let unit = if report.mirror { "deck" } else { "game" };
    format!(
        "{} {}{pairs}, {} distinct: a {unit} that repeats an earlier one between the same players on the same seats, move by \
         move, is no evidence. In a game without chance, openings = {{ plies = 4 }} in the file makes decks differ.",
        grouped(decks),
        noun_of(decks, unit),
        grouped(distinct)
    )
}

/// Where a test at looks stands, and what it saved.
fn stopped(looks: &TestAtLooks, report: &Report) -> String {
    let TestAtLooks { decks, taken, pairs, decided, repeating, missing, .. } = looks;
    let [first, last] = [decks.first(), decks.last()].map(|deck| deck.copied().unwrap_or_default());
    let Some(at) = taken.checked_sub(1) else {
        return format!("No look at the results was taken yet: the first is after {first} of {last} decks.");
    };
    let games = match missing {
        0 => format!("{} of {} games were played", grouped(report.recorded()), grouped(looks.planned)),
        missing => {
            format!("at most {} {} {} missing", grouped(*missing), noun_of(*missing, "game"), is_or_are(*missing))
        }
    };
    let repeating = match repeating {
        0 => String::new(),
        pairs => format!(
            "; {} only repeated itself for {REPEATS} decks and stopped undecided",
            counted(*pairs, "further pair")
        ),
    };
    format!(
        "Look {taken} of {}, after {} of {last} decks: {decided} of {} {} and {} no further{repeating}; {games}.",
        decks.len(),
        decks[at],
        counted(*pairs, "pair"),
        if *pairs == 1 || *decided == 1 { "differs" } else { "differ" },
        if *pairs == 1 || *decided == 1 { "plays" } else { "play" },
    )
}

/// What a gauntlet shows, from the view of its fixed opponents.
fn contestants(gauntlet: &Gauntlet, against_first: &[Tested], report: &Report) -> Vec<String> {
    let (rows, first) = (&gauntlet.contestants, gauntlet.opponent());
    if rows.is_empty() {
        return vec!["No contestant has completed a deck against all fixed opponents.".to_owned()];
    }
    let names = |is: &dyn Fn(f64, Option<f64>) -> bool| -> Vec<&str> {
        rows.iter().filter(|row| is(row.difference.mean, row.holm)).map(|row| row.player.as_str()).collect()
    };
    let is_shown = |p: Option<f64>| p.is_some_and(|p| p < SIGNIFICANCE_LEVEL);
    let beaten = names(&|mean, p| mean < 0.0 && is_shown(p));
    let stronger = names(&|mean, p| mean > 0.0 && is_shown(p));
    let open = names(&|_, p| !is_shown(p));
    let part = |names: &[&str]| match names.len() {
        0 => "none".to_owned(),
        count @ 1..=NAMED => format!("{count} ({})", names.join(", ")),
        count => count.to_string(),
    };
    let all = counted(rows.len(), "contestant");
    let is = if gauntlet.has_several() { "are on average" } else { "is" };
    let against = if beaten.len() == rows.len() {
        let gain = |row: Option<&ContestantRow>, unit: &str| {
            row.map_or(String::new(), |row| format!("{:+.1}{unit} ({})", 0.0 - row.difference.mean, row.player))
        };
        let (least, most) = (gain(rows.first(), ""), gain(rows.last(), " points per game"));
        format!("{} {is} significantly stronger than each of {all}: from {least} to {most}.", capital(gauntlet))
    } else {
        let open =
            if open.is_empty() { String::new() } else { format!("; for {} the data are inconclusive", part(&open)) };
        format!(
            "Of {all}, {first} {is} significantly stronger than {} and significantly weaker than {}{open}.",
            part(&beaten),
            part(&stronger)
        )
    };
    let tested: Vec<Tested> = gauntlet
        .comparisons
        .iter()
        .filter_map(|row| Tested::of(&row.a, &row.b, row.paired.as_ref().ok(), row.holm))
        .collect();
    let shown: Vec<&Tested> = tested.iter().filter(|tested| tested.significant).collect();
    let who = match gauntlet.not_compared {
        0 => "contestants".to_owned(),
        others => format!("the best {} contestants", rows.len() - others),
    };
    let between = match (tested.len(), shown.len()) {
        (0, _) if report.looks.is_some() => "The contestants are not compared with one another.".to_owned(),
        (0, _) => "The contestants cannot be compared with one another.".to_owned(),
        (1, 0) => "Between contestants the only difference is not significant.".to_owned(),
        (all, 0) => format!("Between {who} none of {all} differences is significant."),
        (all, _) => {
            let rows: Vec<&&Tested> = shown.iter().collect();
            let named = if rows.len() > NAMED { String::new() } else { format!(": {}", findings(&rows)) };
            format!(
                "Between {who} {} of {} {} significant{named}.",
                shown.len(),
                counted(all, "difference"),
                is_or_are(shown.len())
            )
        }
    };
    let open_to_first = open_to(&format!(" from {first}"), against_first, 0, report.worth, report);
    let not_listed = gauntlet.family - tested.len();
    let possible = report.worth.map(|worth| 2.0 * worth);
    let open_between = open_to(" between contestants", &tested, not_listed, possible, report);
    let left_out = left_out(gauntlet);
    [Some(against), left_out, open_to_first, Some(between), open_between].into_iter().flatten().collect()
}

/// Which contestants no result is of.
fn left_out(gauntlet: &Gauntlet) -> Option<String> {
    let names = match &gauntlet.left_out[..] {
        [] => return None,
        names if names.len() <= NAMED => names.join(", "),
        names => counted(names.len(), "contestant"),
    };
    let have = if gauntlet.left_out.len() == 1 { "has" } else { "have" };
    Some(format!(
        "{names} {have} completed no deck against all fixed opponents, and {} not compared.",
        is_or_are(gauntlet.left_out.len())
    ))
}

/// The fixed opponents at the beginning of a sentence.
fn capital(gauntlet: &Gauntlet) -> &str {
    if gauntlet.has_several() { "The fixed opponents" } else { gauntlet.opponent() }
}

fn sequential(test: &SequentialTest) -> String {
    let SequentialTest { player, opponent, elo0, elo1, .. } = test;
    let elo = test.unit();
    match (test.decision, test.decided_after) {
        (SprtDecision::AcceptH1, Some(deck)) => format!(
            "The sequential test decided after deck {deck}: {player} is stronger than {opponent} by more than {elo0} {elo} (H1, {elo1} {elo}, is accepted)."
        ),
        (SprtDecision::AcceptH0, Some(deck)) => format!(
            "The sequential test decided after deck {deck}: {player} is not stronger than {opponent} by {elo1} {elo} (H0, {elo0} {elo}, is accepted)."
        ),
        _ => {
            if let Some(deck) = test.repeats_after {
                return format!(
                    "The sequential test of {player} against {opponent} ended undecided after deck {deck}, because its last \
                     {REPEATS} decks repeat earlier ones: nothing is shown, and more decks of the same games would show nothing."
                );
            }
            let decks: u64 = test.pairs.0.iter().sum();
            format!(
                "The sequential test of {player} against {opponent} is undecided after {}: nothing is shown.",
                counted(decks, "deck")
            )
        }
    }
}

/// What a sequential test rests on.
fn basis_of_sequential(test: &SequentialTest) -> String {
    let decks: u64 = test.pairs.0.iter().sum();
    format!(
        "Basis: sequential probability ratio test (pentanomial) on the mirrored pairs of {}, α = {}, β = {}, H0 {} against H1 {} {}.",
        counted(decks, if test.repeats > 0 { "distinct deck" } else { "deck" }),
        test.alpha,
        test.beta,
        test.elo0,
        test.elo1,
        test.unit()
    )
}

/// The tests that a report rests on.
fn tests_of(report: &Report) -> &'static str {
    let [exact, by_t] = [true, false].map(|exact| report.tests().any(|test| test.exact == exact));
    match (exact, by_t) {
        (true, true) => "paired t-tests and exact sign-flip tests",
        (true, false) => "exact sign-flip tests",
        (false, _) => "paired t-tests",
    }
}

/// What the tests rest on.
fn basis(report: &Report, tested: usize, [fewest, most]: [u64; 2]) -> String {
    let number = if fewest == most { most.to_string() } else { format!("{fewest} to {most}") };
    let distinct = if report.distinct.is_some() { "distinct " } else { "" };
    let (pairs, units) = (counted(tested, "pair"), format!("{distinct}{}", report.units(most)));
    if let Some(looks) = &report.looks {
        return format!(
            "Basis: paired t-tests of {pairs} on {number} {units}, at up to {} looks with an error rate of 5 % over all looks and \
             pairs (α-spending t², Holm's correction).",
            looks.decks.len()
        );
    }
    let tests = tests_of(report);
    let Some(gauntlet) = &report.gauntlet else {
        return format!("Basis: {tests} of {pairs} on {number} {units}, at 5 % after Holm's correction.");
    };
    let contestants = counted(tested, "contestant");
    let against = match &gauntlet.names()[..] {
        [one] => format!("{one} against each of {contestants}"),
        several => {
            let names = if several.len() > NAMED { String::new() } else { format!(" ({})", several.join(", ")) };
            format!("the mean difference of {} fixed opponents{names} from each of {contestants}", several.len())
        }
    };
    let between = gauntlet.comparisons.iter().filter(|row| row.holm.is_some()).count();
    let between = if between == 0 {
        String::new()
    } else {
        let tested = gauntlet.comparisons.iter().filter(|row| row.holm.is_some());
        let [fewest, most] = fewest_and_most(tested.map(|row| row.units));
        let number = if fewest == most { most.to_string() } else { format!("{fewest} to {most}") };
        format!(
            ", and {} of contestants on the {number} {distinct}{} that they share, corrected over {}",
            counted(between, "pair"),
            report.units(most),
            gauntlet.family
        )
    };
    format!(
        "Basis: {tests} at 5 % after Holm's correction: {against} on {number} {units}, corrected over {tested}{between}."
    )
}

/// Whether the players play on equal terms.
fn budgets(report: &Report) -> Vec<String> {
    let played = report.ranking.iter().filter(|row| row.games > 0);
    let all: Vec<_> = played.map(|row| (row.player.as_str(), row.cost)).collect();
    let mut playouts: Vec<(&str, f64)> = all.iter().filter_map(|(name, cost)| Some((*name, cost.playouts?))).collect();
    playouts.sort_by(|a, b| a.1.total_cmp(&b.1));
    let seeing: Vec<&str> = all.iter().filter(|(_, cost)| cost.sees_deck).map(|(name, _)| *name).collect();
    let mut sentences = Vec::new();
    if let [(few, least), .., (many, most)] = playouts[..] {
        sentences.push(if most <= least * EQUAL {
            format!("All players that use playouts have about {} per decision.", grouped(most.round() as u64))
        } else {
            format!(
                "Budgets differ: from {} {} per decision ({few}) to {} ({many}).",
                grouped(least.round() as u64),
                noun_of(least.round(), "playout"),
                grouped(most.round() as u64)
            )
        });
    }
    match seeing.len() {
        0 => {}
        count if count == all.len() => sentences.push("All players see the chance outcomes to come.".to_owned()),
        count @ 1..=NAMED => {
            let see = if count == 1 { "sees" } else { "see" };
            sentences.push(format!("{} {see} the chance outcomes to come.", seeing.join(", ")));
        }
        count => sentences.push(format!("{count} of {} players see the chance outcomes to come.", all.len())),
    }
    sentences
}
