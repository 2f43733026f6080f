//! What the columns of the page's tables mean: on hover, and as a list at the end of the page.

use maud::{Markup, html};

/// Columns by heading. One heading means the same in every table.
const COLUMNS: [(&str, &str); 98] = [
    ("player", "name of the player"),
    ("contestant", "a player that plays against the fixed opponent"),
    ("rank", "place in this league, by points"),
    ("points", "league points of all matches"),
    ("bwp", "bonus points for clear wins of matches"),
    ("blp", "bonus points for narrow losses of matches"),
    ("W", "matches won; with another number of seats than two, meetings of two players"),
    ("L", "matches lost; or meetings"),
    ("D", "matches drawn; or meetings"),
    ("PD", "sum of the mean score differences of all matches"),
    (
        "won",
        "games won, of how many, or of a pair the share that a won; in games of one seat, meetings with other players",
    ),
    ("score", "mean score per game, ± 95 %"),
    (
        "difference",
        "score less the opponent's (the best other one's), per game, ± 95 %; in a comparison, score of a less score of b",
    ),
    ("playouts", "playouts per decision, evolution included; for *-minimax positions visited"),
    ("time", "thinking time per decision, on the machines that played"),
    ("deck", "whether the search sees the chance outcomes to come"),
    ("player 1", "the player who goes first"),
    ("player 2", "the player who goes second"),
    ("won by 1", "games that player 1 won"),
    ("won by 2", "games that player 2 won"),
    ("drawn", "games with equal scores"),
    ("a", "first player of a pair"),
    ("b", "second player of a pair"),
    ("decks", "decks that both played: the independent observations of the tests"),
    ("games", "number of games"),
    ("95 %", "95 % interval"),
    ("95 % (bootstrap)", "95 % interval of the difference from bootstrap resamples of decks"),
    (
        "Holm p",
        "p-value of the paired t-test, or of the exact test in its place, corrected by Holm's method for the number of pairs tested; below 0.05 is significant and has a mark (*)",
    ),
    ("paired t p", "p-value of the paired t-test, or of the exact test in its place, not corrected"),
    ("Buchholz", "points of all opponents that the player met, by which equal points are ordered"),
    ("permutation p", "p-value of the sign-flip permutation test, not corrected; ≈ if it is approximate"),
    ("Wilcoxon p", "p-value of Wilcoxon's signed-rank test, not corrected; ≈ if it is approximate"),
    ("Welch p", "p-value of Welch's test, which the 2022 paper uses; it takes every game as independent"),
    ("won–drawn–lost", "games that a won, that were drawn, that b won"),
    ("win rate", "share of games that a won, a draw counts half"),
    ("Â12", "probability that a scores more than b, ties counted half"),
    ("d", "Cohen's d: difference in standard deviations of scores"),
    ("d_z", "difference in standard deviations of the differences per deck"),
    ("Elo", "Bradley-Terry rating on the Elo scale, mean 0"),
    ("decisions", "number of decisions"),
    ("nodes", "size of a formula: functions, variables and constants"),
    ("depth", "depth of a formula"),
    (
        "gain",
        "fitness of the last parent less that of the seed formula; before play, points per game over the reference",
    ),
    ("new parent", "share of generations in which an offspring replaced the parent"),
    ("ties", "share of generations in which several individuals had the best fitness"),
    ("in range", "share of generations with a tied offspring whose semantic distance is between alpha and beta"),
    ("by semantics", "share of generations that semantics decided"),
    ("order", "how the formula orders the children of a node: greedy by Q, exploring, by visits, constant, or mixed"),
    ("formula", "an evolved formula, simplified; the shortest of its group; copied as text that evouct reads"),
    ("formulas", "different formulas of the group"),
    ("share", "share of the player's decisions; in a comparison with print, share of games won by player 1"),
    ("ln", "how the logarithm of zero and of negative numbers is protected"),
    ("printed", "the printed number"),
    ("here", "ours beside the printed number to its left"),
    ("p", "probability of a difference at least as large under random variation alone, not corrected"),
    ("run", "number of the run in the list of runs"),
    ("experiment", "name of the experiment"),
    ("preset", "preset of the players' parameters"),
    ("seed", "seed of the experiment, from which the decks follow"),
    ("digest", "hash over everything in the records that does not depend on the machine"),
    ("change", "difference in the run less difference in run 1, in the matches that both have"),
    (
        "p Holm",
        "p corrected by Holm's method for all changes that are tested; below 0.05 is significant and has a mark (*)",
    ),
    ("first run", "games won by player 1 – by player 2 in run 1"),
    ("this run", "games won by player 1 – by player 2 in the run of the table"),
    ("verdict", "agrees: p is at least 5 %; differs: p is less"),
    ("candidate", "the player with values of the tuned parameters"),
    ("surface", "what the surface fitted to all results says of the candidate, ± 95 %"),
    ("recommended after it", "the candidate where the surface of all results so far is highest"),
    ("best guess after it", "the mean of the last centres of the distribution until then"),
    ("comparison", "what is compared: the two with one another, or each with the opponents"),
    ("left", "round after which the candidate left; none for those that stayed"),
    ("opponent", "a player that the formula plays against"),
    ("second objective", "mean per game of the metric that the evolution maximises beside points, ± 95 %"),
    ("over the reference", "second objective less that of the reference on the same decks, ± 95 %"),
    (
        "p of both",
        "p-value of the test that both objectives are above the reference, corrected by Holm's method for all candidates",
    ),
    ("success", "whether the gain of the best finalist is shown to be above the level"),
    ("gain reached", "gain of the best individual of a generation in the first stage"),
    ("found by seeds", "seeds that have a finalist of this group"),
    ("lower bound", "what the gain is above, at once for all candidates of all seeds (one-sided, level 0.05)"),
    (
        "price",
        "what the value of a move takes: functions that are computed for it, and numbers of the move that are read",
    ),
    ("shift", "median of all differences between the gains of a seed of each side"),
    ("rank-sum p", "p-value of the test of Mann, Whitney and Wilcoxon over seeds, not corrected"),
    ("mean gain", "gain of the best finalist of a seed, mean over seeds, ± 95 %"),
    ("success p", "p-value of Fisher's exact test that equal shares of the seeds succeed"),
    ("group", "formulas with one number order the moves of 96 sampled nodes alike"),
    ("as the first", "share of these nodes, in %, at which it orders the moves as the first row does"),
    ("individual", "number of the individual, by birth"),
    ("generation", "generation of birth, from 1"),
    ("island", "population that it was born in, from 1"),
    ("operator", "how it was made"),
    ("parents", "numbers of the individuals that it was made from"),
    ("failed", "games that failed"),
    ("stage", "a round, or the held-out decks"),
    ("contestants", "players that play in the round"),
    ("folder", "where the results are"),
    ("champion", "whether the best finalist is shown to be better than the reference"),
    ("core-hours", "time of all measurements or games, in hours of one core"),
    ("identity", "hash of kind and parameters, from which the player's random numbers derive"),
];

/// What the column means, if that is not obvious.
pub(super) fn explained(column: &str) -> Option<&'static str> {
    COLUMNS.iter().find(|(heading, _)| *heading == column).map(|(_, about)| *about)
}

/// The list of the columns that these tables have.
pub(super) fn list(tables: &str) -> Markup {
    let used = COLUMNS.iter().filter(|(heading, _)| tables.contains(&format!(">{heading}</button>")));
    html! {
        dl.columns { @for (heading, about) in used { dt { (heading) } dd { (about) } } }
    }
}
