//! The starter file of an experiment, for `evouct new`: it can be played as it is, and its comments say what to change.

use super::openings::{OpeningSource, suggested_openings};
use evouct_base::parameter::Value;
use evouct_base::wrap::wrapped_behind;
use evouct_platform::domain::{AnyDomain, GameRules};
use evouct_platform::registry;

/// An experiment: UCT with two constants, an evolving player with as many playouts, and random play.
pub fn experiment_template(name: &str, game: &'static dyn AnyDomain) -> String {
    format!(
        r#"#:schema experiment.schema.json
# Play it:      evouct run {name}.toml
#               (stop it at any time: the same command goes on)
# Keys:         evouct schema > experiment.schema.json
#               (editors then complete keys and mark errors)
# Players:      evouct players{of_game}
# Parameters:   evouct players NAME{of_game}
# How long:     evouct power {name}.toml --difference 1
#               (and how many decks show a difference of 1 point)
name = "{name}"
about = "UCT, an evolving player and random play at equal playouts"
{game}seed = 2022                 # everything random derives from it
decks = 10                  # decks per match, each played from every seat
{openings}# schedule = "gauntlet"     # the first player against all others
# Defaults: "as-printed" as in the paper, "reference" as in the authors' code.
preset = "as-printed"
{rules}
# A list of values makes one player per value; {{k}} stands for the value of k.
[[player]]
name = "UCT K={{k}}"
kind = "mcts"
iterations = 400            # playouts per decision
k = [0.5, 1.0]

# Evolution at each decision, from the same budget of playouts.
[[player]]
name = "SIEA-MCTS"
kind = "siea-mcts"
iterations = 400
generations = 3
simulations = 10
count_evolution = true

# A formula over Q (mean reward), n (visits) and N (visits of the parent).
[[player]]
name = "Q + 10/n"
kind = "formula"
iterations = 400
formula = "Q + 10/n"

[[player]]
name = "Random"
kind = "random"
"#,
        of_game = of_game(game),
        game = game_line(game),
        openings = openings_line(game),
        rules = rules(game),
    )
}

fn is_default(game: &dyn AnyDomain) -> bool {
    game.name() == registry::default_game().name()
}

fn of_game(game: &dyn AnyDomain) -> String {
    if is_default(game) { String::new() } else { format!(" --game {}", game.name()) }
}

/// The line that names the game, unless it is the default.
pub fn game_line(game: &dyn AnyDomain) -> String {
    if is_default(game) { String::new() } else { format!("game = \"{}\"\n", game.name()) }
}

/// The line with openings for the decks of a game without chance.
pub fn openings_line(game: &'static dyn AnyDomain) -> String {
    let about = "# random moves, which tell decks apart";
    let line = |source: OpeningSource| format!("openings = {}    {about}\n", source.toml());
    suggested_openings(&GameRules::default_of(game)).map_or_else(String::new, line)
}

/// The options of the rules as comments, with their defaults.
pub fn rules(game: &dyn AnyDomain) -> String {
    let table = game.rules_table();
    if table.is_empty() {
        return String::new();
    }
    let mut text = "\n# The options of the rules, each with its default.\n[rules]\n".to_owned();
    for row in table {
        let value = if row.text == Value::Unset { "…".to_owned() } else { row.text.toml() };
        let about = wrapped_behind("# ", "# ", &format!("{} ({})", row.about, row.values));
        text.push_str(&format!("\n{about}# {} = {value}\n", row.name));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::experiment_template;
    use crate::config::{Experiment, Overrides};
    use evouct_base::wrap::WIDTH;
    use evouct_platform::registry;

    #[test]
    fn the_file_is_valid_for_every_game() {
        for game in registry::games() {
            let text = experiment_template("mine", game);
            let experiment =
                Experiment::parse(&text, "mine.toml", Overrides::default()).unwrap_or_else(|errors| panic!("{errors}"));
            assert_eq!(experiment.rules.domain().name(), game.name());
            let names: Vec<&str> = experiment.players.iter().map(|player| player.name.as_str()).collect();
            assert_eq!(names, ["UCT K=0.5", "UCT K=1", "SIEA-MCTS", "Q + 10/n", "Random"]);
            assert!(text.lines().all(|line| line.chars().count() <= WIDTH), "{text}");
        }
    }

    /// Every option in a comment, without its mark, is an option with its default.
    #[test]
    fn the_options_in_comments_are_those_of_the_rules() {
        for game in registry::games() {
            let text = experiment_template("mine", game);
            let given: String = text
                .lines()
                .map(|line| match line.strip_prefix("# ") {
                    Some(option)
                        if game.rules_table().iter().any(|row| option.starts_with(&format!("{} = ", row.name))) =>
                    {
                        if option.contains("= …") {
                            line
                        } else {
                            option
                        }
                    }
                    _ => line,
                })
                .flat_map(|line| [line, "\n"])
                .collect();
            assert_ne!(given, text, "{} has options", game.name());
            let [plain, given] =
                [text, given].map(|text| Experiment::parse(&text, "mine.toml", Overrides::default()).unwrap().rules);
            assert_eq!(plain.options().values(), given.options().values());
        }
    }
}
