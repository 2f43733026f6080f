//! Where the river may turn: random rivers under each rule.

use evouct_base::sampling::below;
use evouct_base::seed::Key;
use evouct_carcassonne::{DrawResult, Expanded, RiverBends, Rules, State, TileDeck, TileSet};

/// What happened in random games until the river was over.
#[derive(Debug, Default, PartialEq)]
struct Rivers {
    /// Games in which two bends, one after the other, turn the river the same way.
    alike: usize,
    /// Games in which a tile of the river was set aside.
    set_aside: usize,
    /// Games without the lake.
    without_lake: usize,
}

/// How the river turned, by tile with a bend: 1 clockwise, -1 counterclockwise. Told by the cells of its tiles alone.
fn bends(cells: &[(i32, i32)]) -> Vec<i32> {
    let steps: Vec<(i32, i32)> = cells.windows(2).map(|pair| (pair[1].0 - pair[0].0, pair[1].1 - pair[0].1)).collect();
    assert!(steps.iter().all(|(x, y)| x.abs() + y.abs() == 1), "the river has a gap: {cells:?}");
    let turns = steps.windows(2).map(|pair| pair[0].0 * pair[1].1 - pair[0].1 * pair[1].0);
    turns.filter(|turn| *turn != 0).collect()
}

fn random_rivers(river_bends: RiverBends, games: u64) -> Rivers {
    let rules = Rules { river_bends, ..Rules::with(TileSet::named("base+river").unwrap(), 2) };
    let mut rivers = Rivers::default();
    for seed in 0..games {
        let (mut state, mut cells) = (State::<Expanded>::start(rules), vec![(0, 0)]);
        let mut deck = TileDeck::shuffled(&rules, Key::experiment(seed));
        let mut rng = Key::experiment(seed).nth(1).stream();
        let (mut set_aside, mut has_lake) = (0, false);
        while let Some((tile, drawn)) = deck.deal(&mut state) {
            let tile = rules.tiles.kind(tile);
            if !tile.has_river() {
                break;
            }
            if drawn == DrawResult::SetAside {
                set_aside += 1;
                continue;
            }
            // The lake is the tile to draw on which the river has one side.
            has_lake |= tile.river(0).count() == 1;
            let moves = state.legal_moves();
            let action = moves[below(&mut rng, moves.len())];
            state.play(action).unwrap();
            cells.push((action.cell.x.into(), action.cell.y.into()));
        }
        assert_eq!(cells.len() + set_aside, 12, "seed {seed}");
        rivers.alike += usize::from(bends(&cells).windows(2).any(|pair| pair[0] == pair[1]));
        rivers.set_aside += usize::from(set_aside > 0);
        rivers.without_lake += usize::from(!has_lake);
    }
    rivers
}

/// Each tile of the river is played where its bends alternate. A straight tile between two bends is what the rule of two
/// successive tiles lets through, so the same test finds all three faults there.
#[test]
fn bends_that_alternate_let_every_river_reach_its_lake() {
    assert_eq!(random_rivers(RiverBends::Alternate, 1000), Rivers::default());
    let loose = random_rivers(RiverBends::NoUTurn, 1000);
    assert!(loose.alike > 500 && loose.set_aside > 10 && loose.without_lake > 0, "{loose:?}");
}
