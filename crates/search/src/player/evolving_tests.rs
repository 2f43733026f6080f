//! Evolution during a game over what the search learns of moves.

use super::{Decision, Mcts, Player, PlayerView, Selector};
use crate::evolve::{EvoTree, EvolutionSettings, FitnessPlayout, PartialFitnessPlayout, Variant};
use crate::game::cells::Cells;
use crate::game::{StreamDeck, Uniform};
use crate::search::{Budget, SearchColumn};
use evouct_base::seed::Key;
use evouct_gp::{Creator, Mutation, SemanticSelection, Terminal, Terminals, Tree, Variation};

/// Evolution whose terminals are `Q`, `n` and all that a search learns.
fn learned(variant: Variant) -> EvolutionSettings {
    let columns = SearchColumn::ALL.iter().filter(|column| column.is_learned()).map(|column| column.terminal());
    let terminals: Vec<Terminal> = [Terminal::Mean, Terminal::ChildVisits].into_iter().chain(columns).collect();
    let creator = Creator { terminals: Terminals::of(&terminals).unwrap(), ..Creator::default() };
    let variation = Variation::from(Mutation { creator, ..Mutation::default() });
    EvolutionSettings { variant, generations: 6, simulations: 10, variation, ..EvolutionSettings::siea() }
}

fn variants() -> Vec<Variant> {
    use FitnessPlayout::{Descend, Expand, RootChild};
    let mut all: Vec<Variant> = [PartialFitnessPlayout::Descend, PartialFitnessPlayout::RootChild]
        .map(|evaluation| Variant::Partial { evaluation })
        .to_vec();
    for tree in [EvoTree::Copy, EvoTree::Shared, EvoTree::CopyPerIndividual] {
        all.extend([Descend, RootChild, Expand].map(|evaluation| Variant::Full { evaluation, tree }));
    }
    all.push(Variant::Semantic { evaluation: Descend, tree: EvoTree::Copy, selection: SemanticSelection::default() });
    all
}

fn decide(settings: EvolutionSettings) -> Decision<usize> {
    let key = Key::experiment(6);
    let mut player = Mcts::new(Selector::Evolving(settings), Budget::iterations(200), Uniform, key.seat(0));
    let (state, deck) = (Cells::crosses(&[4]), StreamDeck::of(key.deck(1)));
    let decision = player.decide(&PlayerView { explain: true, ..PlayerView::of(&state, &deck) });
    player.check().unwrap();
    decision
}

/// Each controller evolves formulas over learned numbers, decides alike again, and uses such numbers.
#[test]
fn formulas_over_learned_numbers_evolve() {
    let mut used = 0;
    for variant in variants() {
        let [one, other] = [0; 2].map(|_| decide(learned(variant)));
        assert_eq!((&one.considered, &one.evolution), (&other.considered, &other.evolution), "{variant:?}");
        let formula = one.evolution.unwrap().formula;
        let tree = Tree::parse_over(&formula, &SearchColumn::terminals(&[])).unwrap();
        used += usize::from(!tree.needs().is_empty());
    }
    assert!(used > 3, "{used}");
}

/// Evolution begins with the seed, which may use learned numbers that are no terminals.
#[test]
fn evolution_begins_with_its_seed() {
    let seed = Tree::parse_over("Q + hm + c / n", &SearchColumn::terminals(&[])).unwrap();
    let settings = EvolutionSettings { seed: seed.clone(), generations: 0, ..EvolutionSettings::siea() };
    let log = decide(settings.clone()).evolution.unwrap();
    let constant = settings.constants.constants().iter().find(|constant| seed.bind(**constant).infix() == log.formula);
    assert!(constant.is_some(), "{}", log.formula);
}
