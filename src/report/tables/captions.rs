//! What each table does and does not show, in plain sentences: the same ones wherever the table stands.

use super::paper::{Comparison, Correlation};
use super::report::Report;
use super::sequential::SequentialTest;
use super::verdict::Verdicts;
use crate::stats::sprt::SprtDecision;

/// What intervals and tests take as independent.
pub(in crate::report) fn unit(report: &Report) -> &'static str {
    if report.mirror { "decks" } else { "games" }
}

pub(in crate::report) fn ranking(report: &Report) -> String {
    format!(
        "Points are 4 for a match won and 2 for one drawn, with a bonus for a clear win (bwp) and a narrow loss (blp). The \
         order says who collected more points here; it does not say that the difference is more than luck: see the \
         significance of differences. ± is a 95 % t-interval over {}.",
        unit(report)
    )
}

pub(in crate::report) const MATCHES: &str = "Each ordered pair of players by itself: the first named goes first. A single match is a \
    small sample; read a row or a column before a cell.";

pub(in crate::report) fn significance(report: &Report) -> String {
    let fewest = report.significance.iter().map(|row| row.units).filter(|units| *units > 0).min().unwrap_or(0);
    // Of n signs the most extreme two assignments are 2 / 2^n.
    let few = match fewest {
        0..=5 => {
            "With fewer than six of these the permutation and Wilcoxon tests cannot fall below 0.05 whatever the games \
                  say, and the t-test leans on differences being normal. "
        }
        _ => "",
    };
    format!(
        "Score of a less score of b in the games of the two against one another, by {}. {few}Holm's p-values hold for all {} pairs \
         together: below 0.05 the order of the two is shown, above it nothing is shown, least of all that they are equal. The \
         permutation and Wilcoxon tests should agree with the t-test; where they do not, trust the permutation test. Welch's \
         test is the one of the paper: it takes every game as independent, against all opponents, and is here for comparison \
         alone.",
        if report.mirror { "deck, the mean of its two games" } else { "game" },
        report.significance.len()
    )
}

pub(in crate::report) const EFFECTS: &str = "How large a difference is, which no p-value says. Win rate counts draws by halves (without \
    mirrored decks: decided games only). Its interval comes from resampled decks, or is Wilson's with a deck a trial where these \
    are few or one-sided. Â12 is the chance that a scores more than b: 0.56 is small, 0.64 medium, 0.71 large. d is in standard \
    deviations of scores, d_z in those of differences by deck. Sizes say nothing about whether they are luck.";

pub(in crate::report) fn ratings(report: &Report) -> String {
    let mut text = "One number a player, from all results at once. It assumes that strength is a scale: who beats a strong player \
                    beats a weak one."
        .to_owned();
    if report.ratings.resamples > 0 {
        text.push_str(&format!(
            " Intervals come from {} resamples of decks; a player who won or lost every game has none. They are of ratings one by \
             one; that two of them overlap does not show equality.",
            report.ratings.resamples
        ));
    }
    if !report.ratings.connected && !report.ratings.rows.is_empty() {
        text.push_str(
            " The results alone do not tie all players together (someone won or lost everything): part of the distances comes \
             from the prior.",
        );
    }
    text
}

/// The warning where the league is cyclic.
pub(in crate::report) fn cycle(report: &Report) -> Option<String> {
    let cycle = report.ratings.cycle.as_ref()?;
    let ring: Vec<&str> = cycle.players.iter().chain(cycle.players.first()).map(String::as_str).collect();
    let how = if cycle.significant {
        "each of these differences is significant by itself: no single scale of strength can be true, and ratings and ranks \
         mislead here"
    } else {
        "by majorities of games alone, not all of them significant: it may be luck, but ranks of these players are not settled"
    };
    Some(format!("This league is cyclic: {} (each beat the next; {how}).", ring.join(" › ")))
}

pub(in crate::report) fn sequential(test: &SequentialTest) -> String {
    let outcome = match (test.decision, test.decided_after) {
        (SprtDecision::AcceptH1, Some(deck)) => format!("accepted H1 after deck {deck}"),
        (SprtDecision::AcceptH0, Some(deck)) => format!("accepted H0 after deck {deck}"),
        _ => "has not decided yet".to_owned(),
    };
    format!(
        "Sequential test (SPRT, pentanomial, on mirrored pairs in the order of decks): {} over {}, H0: {} Elo or less, H1: {} \
         Elo or more, α = {}, β = {}. It {outcome}: log-likelihood ratio {:.2} between {:.2} and {:.2}; decks with 0, ½, 1, 1½, \
         2 points: {}. Where a match is stopped by this test, the p-values and intervals of the other tables are too \
         optimistic, because they take the number of decks as fixed beforehand.",
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

pub(in crate::report) const EVOLUTION: &str = "Means a decision, shares of generations. Gain is fitness over the seed's, measured with \
    few playouts on both sides: choosing the best of several noisy numbers makes it look larger than it is. Ties: several \
    individuals shared the best fitness; in range: one of them within (α, β) of the parent's semantics; by semantics: that \
    decided.";

pub(in crate::report) const FORMULAS: &str = "After canonical simplification, which changes no value: what is equal here is equal by the \
    rules of simplification; formulas that look different may still be the same function. Frequent does not mean good.";

pub(in crate::report) const PAPER: &str = "Chance is the probability of a difference at least as large if nothing but luck differs: for \
    matches by Fisher's exact test on decided games, for points and PD from leagues such as the printed one if its \
    players were ours, drawn from our games (95 %: where these have the points), for means by a \
    t-test that takes the printed games to be spread as ours are (their spread is not printed). Small values speak against a \
    reproduction; large ones do not prove one, least of all with few games. Chances are cell by cell, not corrected: of twenty \
    honest cells one is below 0.05.";

pub(in crate::report) const FAILURES: &str = "Games that ended by a panic or an illegal move. They are in no table above; each can be \
    played again by the command beside it.";

pub(in crate::report) const GAMES: &str = "A sample of the games, the same for everyone, chosen without regard to how they went. Step with \
    the buttons or, on the board, with ← →, Home and End. Every other game: evouct replay.";

/// How printed numbers and ours go together; nothing where too few are printed.
pub(in crate::report) fn correlations(paper: &Comparison) -> Option<String> {
    let part = |what: &str, of: &str, value: Option<Correlation>| {
        value.map(|Correlation { r, count }| format!("{r:.3} of {what} over {count} {of}"))
    };
    let shares = part("shares of games won", "matches", paper.match_correlation);
    let parts: Vec<String> = shares.into_iter().chain(part("PD", "players", paper.pd_correlation)).collect();
    (!parts.is_empty()).then(|| format!("Correlation of printed numbers and ours: {}.", parts.join(", ")))
}

/// A sentence about how many printed numbers agree with ours.
pub(in crate::report) fn verdicts(what: &str, verdicts: &Verdicts) -> String {
    let Verdicts { agree, differ, differ_by_holm, not_compared } = verdicts;
    let compared = agree + differ;
    let rest = if *not_compared > 0 { format!("; {not_compared} cannot be compared") } else { String::new() };
    format!(
        "Of {compared} {what} compared, {agree} agree and {differ} differ at 5 % (luck alone would set at most about {} apart), \
         {differ_by_holm} after Holm's correction{rest}.",
        (compared as f64 / 20.0).round()
    )
}
