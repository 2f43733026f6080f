//! Recorded moves as steps of a game.

use super::contract::Domain;
use super::step::GameStep;
use evouct_base::panic::catch;
use evouct_base::parameter::{Parameters, Value};
use evouct_search::game::{Game, Turn};

/// Rules, and the steps of a game by them.
pub(super) type RulesAndSteps<D> = (<D as Domain>::Rules, Vec<GameStep<<D as Domain>::Game>>);

/// Runs code of the game or of its kinds of player, whose panic becomes an error.
pub(super) fn guarded<D: Domain, T>(run: impl FnOnce() -> Result<T, String>) -> Result<T, String> {
    catch(run).unwrap_or_else(|message| Err(format!("the game {} panicked: {message}", D::NAME)))
}

/// Steps that are not checked.
pub(super) fn steps<D: Domain>(rules: &[Value], moves: &str) -> Result<RulesAndSteps<D>, String> {
    let rules = D::Rules::read(rules);
    let steps = D::NOTATION.read_moves(&D::start(&rules), moves)?;
    Ok((rules, steps))
}

/// Whether an outcome leaves the decision to chance, such as a tile that fits nowhere and is put back. A deck deals
/// such outcomes, the position does not list them.
fn is_without_effect<D: Domain>(game: &D::Game, outcome: <D::Game as Game>::Outcome) -> bool {
    let after = |mut game: D::Game| {
        game.apply(outcome);
        game.turn() == Turn::Chance
    };
    catch(|| after(game.clone())).unwrap_or(false)
}

/// Steps that were read, if they are legal one after another.
pub(super) fn legal_steps<D: Domain>(rules: &[Value], moves: &str) -> Result<RulesAndSteps<D>, String> {
    let (rules, steps) = steps::<D>(rules, moves)?;
    let mut game = D::start(&rules);
    let mut outcomes = Vec::new();
    for (number, step) in steps.iter().enumerate() {
        let wrong = |problem: &str| format!("step {}: {problem}", number + 1);
        match (game.turn(), *step) {
            (Turn::Chance, GameStep::Chance(outcome)) => {
                game.outcomes(&mut outcomes);
                let listed = outcomes.iter().any(|(listed, _)| *listed == outcome);
                if !listed && !is_without_effect::<D>(&game, outcome) {
                    return Err(wrong("this outcome is not possible here"));
                }
            }
            (Turn::Player(_), GameStep::Action(action)) => {
                D::check(&game, action).map_err(|problem| wrong(&problem))?;
            }
            (Turn::Terminal, _) => return Err(wrong("the game is over before it")),
            (Turn::Chance, _) => return Err(wrong("expected a decision of chance")),
            (Turn::Player(_), _) => return Err(wrong("expected a decision of a seat")),
        }
        step.apply(&mut game);
    }
    Ok((rules, steps))
}
