//! The starter file of an evolution, for `evouct new`.

use evouct_league::config::{game_line, openings_line, rules};
use evouct_platform::domain::AnyDomain;

/// An evolution by games from UCT, with UCT as the opponent.
pub fn evolution_template(name: &str, game: &'static dyn AnyDomain) -> String {
    let known: Vec<String> = game.move_numbers().iter().map(|(name, _)| format!(", \"{name}\"")).collect();
    format!(
        r#"#:schema evolution.schema.json
# Evolve:           evouct evolve {name}.toml
#                   (stop it at any time: the same command goes on)
# Test the result:  evouct run runs/{name}/proof.toml
#                   (written if there is a champion)
# Keys:             evouct schema evolution > evolution.schema.json
name = "{name}"
about = "A formula in place of UCT, evolved by games"
{game}seed = 1                    # another seed is another evolution
{openings}{rules}
[evolve]
# The formulas that evolve: select (value of a move that was tried), untried,
# final (the move played) and leaf.
trees = ["select", "untried", "final"]
# Statistics of the search, then the game's move numbers, if it has any.
terminals = ["Q", "n", "N", "left"{known}]
functions = ["add", "sub", "mul", "div", "sqrt", "ln", "max", "min"]
# The first formula is the reference that gains are measured against.
seeds = ["select = Q + 2*sqrt(2*ln(N)/n); final = n", "Q + 10/n"]
islands = 2
population = 16
generations = 8
max_nodes = 31
finalists = 6
held_out_decks = 200        # decks of the league that tests the champion

# The player whose formulas evolve.
[[player]]
kind = "formula"
iterations = 100

[[opponent]]
name = "UCT"
kind = "mcts"
iterations = 100
final = "visits"

# The fitness: games on 4 decks, the better half on 8 more.
[[stage]]
measure = "games"
decks = [4, 8]

# The finals.
[[stage]]
measure = "games"
decks = [32, 64]
"#,
        game = game_line(game),
        openings = openings_line(game),
        rules = rules(game),
        known = known.concat(),
    )
}

#[cfg(test)]
mod tests {
    use super::evolution_template;
    use crate::EvolutionPlan;
    use evouct_base::wrap::WIDTH;
    use evouct_platform::registry;

    #[test]
    fn the_file_is_valid_for_every_game() {
        for game in registry::games() {
            let text = evolution_template("mine", game);
            let plan = EvolutionPlan::parse(&text, "mine.toml", None).unwrap_or_else(|errors| panic!("{errors}"));
            assert_eq!(plan.games[0].rules.domain().name(), game.name());
            let wide = |line: &&str| line.starts_with('#') && line.chars().count() > WIDTH;
            assert_eq!(text.lines().find(wide), None);
        }
    }
}
