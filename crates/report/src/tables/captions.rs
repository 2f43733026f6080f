//! What each table shows and does not show. All formats print the same sentences.

use super::faults::lost_on_time;
use super::gauntlet::{Gauntlet, called};
use super::looks::TestAtLooks;
use super::pairs::PairRow;
use super::paper::{Correlation, PrintedComparison};
use super::report::Report;
use super::sequential::SequentialTest;
use super::sweep::Sweep;
use super::verdicts::Verdicts;
use evouct_base::plural::{counted, was_or_were};
use evouct_base::table::TypedColumn;
use evouct_stats::paired::FEW;
use evouct_stats::sprt::SprtDecision;
use evouct_stats::{SIGNIFICANCE_LEVEL, permutation, wilcoxon};

/// The number of pairs of players over which Holm's correction is made: those with a p-value.
pub(crate) fn tested_pairs(report: &Report) -> usize {
    report.significance.iter().filter(|row| row.holm.is_some()).count() + report.pairs_not_listed
}

/// Which pairs are listed where not all can be.
fn listed(report: &Report) -> &'static str {
    match report.pairs_not_listed {
        0 => "",
        _ => "Only pairs of the best players are listed, and all pairs count in Holm's correction. ",
    }
}

/// What the costs of decisions beside each player say.
const PLAYOUTS: &str = "Playouts (nodes, for *-minimax) and time are per decision, evolution included.";
const DECK: &str = "Deck: whether the player's search sees the chance outcomes to come.";
/// What a ranking says of bonus points.
const BONUS: &str = "bwp is a bonus point for a clear win, blp one for a narrow loss.";
/// What tests of differences say of those beside the t-test.
const OTHER_TESTS: &str = "The permutation and Wilcoxon tests should agree with the t-test; where they do not, prefer the \
    permutation test.";
const WELCH: &str = "Welch's test is the one that the paper uses. It treats every game, against any opponent, as independent, \
    and is listed for comparison only.";
const NO_WELCH: &str =
    "Welch's test is left out: it treats all games of two players alike, and results chose their opponents.";
/// Sentences that are about columns alone, by the keys of the columns.
const OF_COLUMNS: [(&str, &[&str]); 6] = [
    (PLAYOUTS, &["playouts", "time"]),
    (DECK, &["deck"]),
    (BONUS, &["bwp", "blp"]),
    (OTHER_TESTS, &["permutation_p", "wilcoxon_p"]),
    (WELCH, &["welch_p"]),
    (NO_WELCH, &["permutation_p", "wilcoxon_p", "paired_p"]),
];

/// The costs of decisions in sentences.
pub(crate) fn costs() -> String {
    format!("{PLAYOUTS} {DECK}")
}

/// A caption without what it says of columns that are left out.
pub(crate) fn for_columns(caption: &str, columns: &[&TypedColumn]) -> String {
    let has = |keys: &[&str]| columns.iter().any(|column| keys.contains(&column.key.as_str()));
    let mut left = caption.to_owned();
    for (sentence, _) in OF_COLUMNS.iter().filter(|(_, keys)| !has(keys)) {
        left = left.replace(&format!("{sentence} "), "").replace(sentence, "");
    }
    left.trim_end().to_owned()
}

/// What a mean over the games of a Swiss schedule is of.
pub(crate) fn chosen(report: &Report) -> &'static str {
    if report.rounds.is_some() { " for the opponents met, whom results chose" } else { "" }
}

/// The heading of the comparisons of a gauntlet's contestants.
pub(crate) fn compared_contestants(gauntlet: &Gauntlet) -> String {
    let contestants = gauntlet.contestants.len();
    match gauntlet.not_compared {
        0 => "Contestants compared".to_owned(),
        others => format!("The best {} of {contestants} contestants compared", contestants - others),
    }
}

/// What the caption and the headings of a gauntlet call a contestant's difference.
pub(crate) fn difference_from(gauntlet: &Gauntlet) -> &'static str {
    if gauntlet.has_several() { "mean difference" } else { "difference" }
}

pub(crate) fn gauntlet(gauntlet: &Gauntlet, report: &Report) -> String {
    let shared = gauntlet.comparisons.iter().map(|row| row.units).max().unwrap_or(0);
    let compared = match shared {
        0 if report.looks.is_some() => {
            "They are not compared with one another, because how many decks they share depends on the results."
                .to_owned()
        }
        0 if gauntlet.has_several() => {
            "They cannot be compared with one another, because they share no deck that they completed.".to_owned()
        }
        0 => "They cannot be compared with one another, because they share no deck.".to_owned(),
        _ if !gauntlet.has_tests() => {
            "They are not compared with one another, because one deck is too few for a test.".to_owned()
        }
        _ => format!(
            "{} compared with one another deck by deck, by the paired t-test on their {}s to {}; Holm's correction \
             there is over {}{}.",
            match gauntlet.not_compared {
                0 => "They are".to_owned(),
                others => format!("The best {} of them are", gauntlet.contestants.len() - others),
            },
            difference_from(gauntlet),
            gauntlet.opponent(),
            counted(gauntlet.family, "pair"),
            if gauntlet.not_compared > 0 { ", those of the other contestants included" } else { "" }
        ),
    };
    if gauntlet.has_several() {
        return format!(
            "Games won and differences are those of the fixed opponents ({}), which meet every contestant and have no ranks; the best \
             contestant stands first. A difference is the mean over the fixed opponents, on the decks on which a contestant has completed \
             its games against all of them. Each pair stands in the table of differences, with a correction of its own. Holm p: paired \
             t-test of the mean difference by deck, corrected over the contestants. {compared}",
            gauntlet.names().join(", ")
        );
    }
    format!(
        "Games won and differences are those of {}, which meets every contestant and has no rank; the best contestant stands first. \
         Holm p: paired t-test of the difference, corrected over the contestants. {compared}",
        gauntlet.opponent()
    )
}

/// What a sweep shows.
pub(crate) fn sweep(sweep: &Sweep) -> String {
    let Sweep { parameter, kind, opponents, .. } = sweep;
    let names: Vec<&str> = opponents.iter().map(String::as_str).collect();
    let of_whom = if names.is_empty() {
        "mean score difference from all opponents".to_owned()
    } else {
        let fixed = called(&names);
        format!("mean score of {fixed} less that of the player with this value, which is the stronger the lower it is")
    };
    format!("Strength over {parameter} of {kind}: {of_whom}, with 95 % intervals. Players differ in nothing else.")
}

pub(crate) fn ranking(report: &Report) -> String {
    if let Some(gauntlet) = &report.gauntlet {
        let last = match (gauntlet.has_several(), gauntlet.left_out.is_empty()) {
            (true, true) => "the fixed opponents stand last, without ranks",
            (true, false) => "contestants without a complete deck and the fixed opponents stand last, without ranks",
            (false, _) => "the fixed opponent stands last, without a rank",
        };
        return format!("Each player's own points and differences, in the order of the contestants; {last}.");
    }
    if report.game_seats != 2 {
        let where_they_meet = if report.game_seats == 1 {
            "Each player plays each deck alone; two players meet on every deck"
        } else {
            "Each game is a meeting of each two of its players"
        };
        return format!(
            "{where_they_meet}. A meeting with the higher score gives 2 points, one with the same score 1. W, L, D count meetings. PD is \
             the sum of the mean score differences to each other player. The ranking does not test whether the differences are \
             significant; see Significance. ± is a 95 % t-interval over {}.",
            report.unit()
        );
    }
    let opponents = if report.is_of_neighbours() {
        "Each player meets only the players before and after it in the file, so points of players with different opponents do not \
         compare them; see Ratings. "
    } else if report.rounds.is_some() {
        "In each round players with about as many points met, and no two met twice. Of equal points the player is first whose \
         opponents have more points in all (Buchholz). Tests are of the pairs that met. "
    } else {
        ""
    };
    format!(
        "{opponents}A match won gives 4 points, a drawn match 2. {BONUS} The ranking \
         orders players by points in this league. It does not test whether the differences are significant; see Significance. {}",
        match (report.looks.is_some(), report.rounds.is_some()) {
            (true, _) => "Means count every opponent alike.".to_owned(),
            (_, true) => format!(
                "± is a 95 % t-interval over {}, for the opponents that a player met: results chose them, so means of two players do \
                 not compare them.",
                report.unit()
            ),
            (false, false) => format!("± is a 95 % t-interval over {}.", report.unit()),
        }
    )
}

pub(crate) fn matches(report: &Report) -> String {
    let left_out = match report.pairs_not_listed {
        0 => "",
        _ => " Only matches of the best players are listed; `evouct export` writes all games.",
    };
    format!(
        "Each row is one ordered pair of players; player 1 goes first. A single match is a small sample: compare rows and \
         columns rather than single cells.{left_out}"
    )
}

/// Where the exact test has the place of the t-test; none where it has it nowhere.
pub(crate) fn exact(report: &Report) -> Option<String> {
    report.tests().any(|test| test.exact).then(|| {
        format!(
            "The exact sign-flip test has the place of the t-test where differences do not vary, and in leagues of games that are \
             only won, drawn or lost with fewer than {FEW} {}. Its interval holds the means that it does not refuse; equal \
             differences have that of Clopper and Pearson, or none where scores have no bound.",
            report.unit()
        )
    })
}

/// What the mark of a p-value says; none where no p-value is approximate.
pub(crate) fn approximate(report: &Report) -> Option<String> {
    let is_approximate = |row: &PairRow| {
        row.wilcoxon.as_ref().is_ok_and(|test| !test.exact) || row.permutation.as_ref().is_ok_and(|test| !test.exact)
    };
    report.significance.iter().any(is_approximate).then(|| {
        format!(
            "≈: approximate, of Wilcoxon's test by the normal distribution, for more than {} differences other than 0, and of the \
             permutation test by random assignments of signs, for more than {}. All others of these two tests are exact.",
            wilcoxon::EXACT_LIMIT,
            permutation::EXACT_LIMIT
        )
    })
}

pub(crate) fn significance(report: &Report) -> String {
    // Of n signs the most extreme two assignments are 2 / 2^n.
    let few = match report.significance.iter().map(|row| row.units).filter(|units| *units > 0).min().unwrap_or(0) {
        0..=5 if report.tests().all(|test| test.exact) => "With fewer than six units no test can reach p < 0.05. ",
        0..=5 => {
            "With fewer than six units the permutation and Wilcoxon tests cannot reach p < 0.05, and the t-test relies on \
             normally distributed differences. "
        }
        _ => "",
    };
    if let Some(looks) = &report.looks {
        return at_looks(looks, report);
    }
    let significant = report.significance.iter().filter(|row| row.holm.is_some_and(|p| p < SIGNIFICANCE_LEVEL)).count();
    let outcome = match significant {
        0 => "None remains significant after Holm's correction. ".to_owned(),
        1 => "One remains significant after Holm's correction. ".to_owned(),
        count => format!("{count} remain significant after Holm's correction. "),
    };
    let welch = match (report.rounds, &report.gauntlet) {
        (Some(_), _) => format!(" {NO_WELCH}"),
        // It would take all games of the fixed opponent beside those of one contestant.
        (None, Some(_)) => String::new(),
        (None, None) => format!(" {WELCH}"),
    };
    format!(
        "Score of a minus score of b in the games between the two{}, per {}. {few}{}Holm's correction is over the {} that {} tested{}. \
         Below 0.05 the difference is significant and has a mark (*); above it the data are inconclusive, which is not evidence of equality. \
         {outcome}{OTHER_TESTS}{welch}",
        if report.gauntlet.is_some() { "" } else { ", in which a scored more" },
        match (report.mirror, report.game_seats) {
            (false, _) => "game",
            (true, 1) => "deck",
            (true, 2) => "deck (the mean of its two games)",
            (true, _) => "deck (the mean of its games)",
        },
        listed(report),
        counted(tested_pairs(report), "pair"),
        was_or_were(tested_pairs(report)),
        if report.several().is_some() { ", apart from that of the contestants' mean differences" } else { "" }
    )
}

/// What the tests at looks show.
fn at_looks(looks: &TestAtLooks, report: &Report) -> String {
    let decks: Vec<String> = looks.decks.iter().map(u32::to_string).collect();
    format!(
        "Score of a minus score of b in the games between the two{}, per deck (the mean of its two games), up to the last look at the \
         pair. Looks are taken after {} decks; {} of {} were taken. Paired t p is the repeated p-value of all looks so far (of 5 %, t² is \
         spent up to the look at a share t of the decks), and Holm p corrects it over the {}: both hold whenever a pair stops, and so does \
         the interval, which is not corrected. A pair whose Holm p is below 0.05 differs, has a mark (*), and plays no more; without a mark the \
         data are inconclusive, which is not evidence of equality. Means of pairs that stop early tend to be too large. Means of other tables \
         count every opponent alike. Tests and intervals for a number of decks that is fixed in advance are left out.",
        if report.gauntlet.is_some() { "" } else { ", in which a scored more" },
        decks.join(", "),
        looks.taken,
        looks.decks.len(),
        counted(looks.pairs, "pair"),
    )
}

/// What the chart of differences shows.
pub(crate) fn differences(report: &Report) -> String {
    let pairs = match &report.gauntlet {
        Some(gauntlet) => {
            let of_whom = if gauntlet.has_several() { "each fixed opponent" } else { gauntlet.opponent() };
            format!("Score of {of_whom} less that of each contestant, the best contestant first")
        }
        None => {
            "Score of the first less that of the second of each pair, in the order of the ranking, the one first that is \
             ahead"
                .to_owned()
        }
    };
    format!(
        "{pairs}: the mean per game with its 95 % t-interval over {}, which is not corrected. Blue with a mark (*): significant \
         after Holm's correction. No mark: inconclusive, which is not evidence of equality.",
        report.unit()
    )
}

pub(crate) const EFFECTS: &str = "Effect sizes say how large a difference is; p-values do not. A draw counts half \
    in the win rate (without mirrored decks only decided games count). The interval of the win rate is a bootstrap interval over \
    decks, or Wilson's interval with one trial per deck where there are few decks or nearly all ended alike. Â12 is the \
    probability that a scores more than b: 0.56 is small, 0.64 medium, 0.71 large. d is in standard deviations of scores, d_z in \
    standard deviations of the differences per deck. An effect size does not say whether the difference is significant.";

pub(crate) fn ratings(report: &Report) -> String {
    let mut text =
        "One rating per player, estimated from all results together. The model assumes a single scale of strength: a \
                    player who beats a strong player also beats a weaker one."
            .to_owned();
    if report.ratings.resamples > 0 {
        text.push_str(&format!(
            " Intervals come from {} bootstrap resamples of decks. There is none with fewer than five decks, or where all games between \
             two groups of players went one way. Each \
             interval is for one rating; overlapping intervals are not evidence of equality.",
            report.ratings.resamples
        ));
    }
    if !report.ratings.connected && !report.ratings.rows.is_empty() {
        text.push_str(
            " The results do not connect all players (a player or a group won or lost every game against the others), so \
             some distances come from the prior.",
        );
    }
    text
}

/// Draws that no seat could act on, and the games with them.
pub(crate) fn unused(report: &Report) -> Option<String> {
    let unused = report.unused.as_ref()?;
    let share = 100.0 * unused.games as f64 / report.finished as f64;
    let games = counted(report.finished, "game");
    Some(format!("There were {} {}, in {} of {games} ({share:.1} %).", unused.draws, unused.what, unused.games))
}

/// The warning where the league is cyclic.
pub(crate) fn cycle(report: &Report) -> Option<String> {
    let cycle = report.ratings.cycle.as_ref()?;
    let ring: Vec<&str> = cycle.players.iter().chain(cycle.players.first()).map(String::as_str).collect();
    let how = if cycle.significant {
        "each of these differences is significant on its own, so no single scale of strength fits, and ratings and ranks are \
         misleading"
    } else {
        "by majorities of games, not all of them significant, so the ranks of these players are not settled"
    };
    Some(format!("This league is cyclic: {} (each beat the next; {how}).", ring.join(" › ")))
}

pub(crate) fn sequential(test: &SequentialTest) -> String {
    let outcome = match (test.decision, test.decided_after) {
        (SprtDecision::AcceptH1, Some(deck)) => format!("accepted H1 after deck {deck}"),
        (SprtDecision::AcceptH0, Some(deck)) => format!("accepted H0 after deck {deck}"),
        _ => match test.repeats_after {
            Some(deck) => format!("ended undecided after deck {deck}, because it only repeats itself"),
            None => "has not decided yet".to_owned(),
        },
    };
    let elo = test.unit();
    format!(
        "Sequential test (SPRT, pentanomial, on mirrored pairs in the order of decks): {} over {}, H0: {} {elo} or less, H1: {} \
         {elo} or more, α = {}, β = {}. It {outcome}: log-likelihood ratio {:.2} between {:.2} and {:.2}; decks with 0, ½, 1, 1½, \
         2 points: {}. Where this test ends a match early, the p-values and intervals of the other tables are too optimistic, \
         because they assume a number of decks that was fixed in advance.",
        test.player,
        test.opponent,
        test.elo0,
        test.elo1,
        test.alpha,
        test.beta,
        test.llr,
        test.lower,
        test.upper,
        test.pairs.0.map(|count| count.to_string()).join(", "),
    )
}

pub(crate) const EVOLUTION: &str = "Means per decision, and shares of generations. Gain is the final fitness less \
    the seed's fitness. Both are measured with few playouts, and the best of several noisy values is biased upwards, so gain is \
    overestimated. Ties: several individuals share the best fitness. In range: one of them is within (α, β) of the parent's \
    semantics. By semantics: semantics decided the selection.";

pub(crate) const FORMULAS: &str = "Formulas after canonical simplification, which preserves all values. Equal texts \
    are equal functions; different texts may still be the same function. A frequent formula is not necessarily a good one.";

pub(crate) const OF_NOTE: &str = "The most frequent formulas that depend on visits and order children in another way than UCT, one \
    of each order; their shapes are drawn below. And of the first players that evolve the formula of the front with the highest \
    gain, which is overestimated.";

pub(crate) const TYPESET: &str = "Protections are not shown: a root is of the absolute value, and quotients \
    and logarithms have a value everywhere.";

pub(crate) const ORDERS: &str = "Formulas that order the children of a node alike select alike, whatever their values. The order \
    is evaluated on a fixed sample of nodes; formula is the shortest one of each group.";

pub(crate) const FRONT: &str = "The Pareto front of size and gain: no formula of the same size or smaller gains more. Gain is the final fitness minus \
    that of the seed formula, over the decisions that evolved the formula. Gains are overestimated, because evolution kept the best of several noisy values.";

pub(crate) const PAPER: &str = "p is the probability of a difference at least as large if the printed players and \
    ours have the same strength. Matches: Fisher's exact test on decided games. Points and PD: leagues of the printed size drawn \
    from our games; 95 % is the range of their points. Means: a t-test that assumes the variance of our games for the printed \
    ones, because the papers print none. A small p speaks against a reproduction; a large p does not prove one, least of all with \
    few games. The p-values are not corrected: of twenty cells of a faithful reproduction about one is below 0.05.";

pub(crate) const FAILURES: &str = "Games that ended with a panic, an illegal move, a program that did not start, or people \
    who left. No other table includes them. The command in the last column repeats the game; evouct run --retry-failed plays all of them again.";

/// What the table of faults shows.
pub(crate) fn faults(report: &Report) -> String {
    format!(
        "Games that a player lost by a fault: another program ended, did not answer in time, answered something else, or made an \
         illegal move; or a player exceeded its clock. They count as losses: the player that is at fault keeps its score if all \
         others have more, and otherwise has one point less than the lowest of the others. The records say what happened.{}",
        lost_on_time(report.lost_on_time)
    )
}

pub(crate) const GAMES: &str = "A fixed sample of the games, chosen by a hash of their ids and therefore independent \
    of their results. Step with the buttons or, with the board in focus, with ← →, Home and End. evouct replay shows any other \
    game.";

/// The correlation of printed numbers with ours; none where too few are printed.
pub(crate) fn correlations(paper: &PrintedComparison) -> Option<String> {
    let part = |what: &str, of: &str, value: Option<Correlation>| {
        value.map(|Correlation { r, count }| format!("{r:.3} of {what} over {count} {of}"))
    };
    let shares = part("shares of games won", "matches", paper.match_correlation);
    let parts: Vec<String> = shares.into_iter().chain(part("PD", "players", paper.pd_correlation)).collect();
    (!parts.is_empty()).then(|| format!("Correlation of printed numbers and ours: {}.", parts.join(", ")))
}

/// A sentence about how many printed numbers agree with ours.
pub(crate) fn verdicts(what: &str, verdicts: &Verdicts) -> String {
    let Verdicts { agree, differ, differ_by_holm, not_compared } = verdicts;
    let compared = agree + differ;
    let rest = if *not_compared > 0 { format!("; {not_compared} cannot be compared") } else { String::new() };
    format!(
        "Of {compared} {what} compared, {agree} agree and {differ} differ at 5 % (random variation alone explains about {}), \
         {differ_by_holm} after Holm's correction{rest}.",
        (compared as f64 / 20.0).round()
    )
}
