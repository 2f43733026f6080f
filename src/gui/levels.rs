//! Levels of play: players by words, from weak to strong.

use crate::domain::{AnyDomain, Spec};
use crate::parameter::Preset;
use evouct_base::grouped::grouped;
use evouct_base::suggest::nearest;

/// A level of play in a game.
#[derive(Clone, PartialEq, Debug)]
pub struct Level {
    /// Its name, which stands for the player.
    pub name: &'static str,
    /// The player: its kind, its parameters and its budget.
    pub player: String,
    /// The player in words.
    pub about: String,
}

/// The budgets of plain MCTS, in iterations per decision.
const PLAIN: [(&str, u64); 3] = [("easy", 40), ("medium", 400), ("hard", 4_000)];
/// The name of the strongest level, its budget where the game has a champion, and that of plain MCTS where it has none.
const STRONGEST: (&str, u64, u64) = ("champion", 10_000, 40_000);

/// The levels of a game.
pub fn levels(game: &dyn AnyDomain) -> Vec<Level> {
    let level = |name, what: &str, player: &str, iterations: u64| Level {
        name,
        player: format!("{player}{}iterations={iterations}", if player.contains(':') { "," } else { ":" }),
        about: format!("{what}, {} iterations per move", grouped(iterations)),
    };
    let (name, own, plain) = STRONGEST;
    let strongest = match game.champion() {
        Some(player) if player.starts_with("mcts:") => level(name, "tuned MCTS", player, own),
        Some(player) => level(name, "MCTS with an evolved formula", player, own),
        None => level(name, "MCTS", "mcts", plain),
    };
    let plain = PLAIN.map(|(name, iterations)| level(name, "MCTS", "mcts", iterations));
    plain.into_iter().chain([strongest]).collect()
}

/// The player that a text names: that of a level of the game, or the text as it is.
///
/// # Errors
/// A misspelt level.
pub fn player_of(game: &dyn AnyDomain, text: &str) -> Result<String, String> {
    let (all, name) = (levels(game), text.trim());
    if game.kinds().iter().all(|kind| kind.name != name)
        && let Some(meant) = nearest(name, all.iter().map(|level| level.name))
        && meant != name
    {
        return Err(format!("there is no player called {name:?}; did you mean {meant}?"));
    }
    let known = all.into_iter().find(|level| level.name == name);
    Ok(known.map_or_else(|| text.to_owned(), |level| level.player))
}

/// The level that a player of the game has, if it has one.
pub(super) fn level_of(game: &dyn AnyDomain, player: &Spec) -> Option<Level> {
    let is_player = |level: &Level| {
        Spec::parse(game, &level.player, Preset::Text).is_ok_and(|spec| spec.description() == player.description())
    };
    levels(game).into_iter().find(is_player)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::registry;

    #[test]
    fn every_game_has_four_levels_that_play_it_and_rules_in_words() {
        for game in registry::games() {
            let all = levels(game);
            assert_eq!(all.iter().map(|level| level.name).collect::<Vec<_>>(), ["easy", "medium", "hard", "champion"]);
            for Level { name, player, about } in all {
                let spec = Spec::parse(game, &player, Preset::Text).unwrap_or_else(|error| panic!("{name}: {error}"));
                assert!(about.ends_with("000 iterations per move") == ["hard", "champion"].contains(&name), "{about}");
                assert_eq!(player_of(game, name), Ok(player));
                assert_eq!(spec.kind().name == "formula", about.contains("evolved"), "{}: {about}", game.name());
            }
            assert!(game.how_to_play().lines().count() > 2, "{}", game.name());
        }
        let game = registry::game("hex").unwrap();
        assert_eq!(player_of(game, "mcts:k=2"), Ok("mcts:k=2".to_owned()));
        assert!(player_of(game, "champon").is_err_and(|problem| problem.ends_with("did you mean champion?")));
    }
}
