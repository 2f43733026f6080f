//! Drawings against the snapshots in `tests/drawings/`. After an intended change, write the snapshots again with
//! `UPDATE_DRAWINGS=1 cargo test -p evouct-carcassonne --test suite drawings::` and look at `git diff`.

use evouct_carcassonne::{
    BoardSvg, BoardText, Deployment, Expanded, Expansions, FeatureKind, Figure, SegmentId, State, TileKind, TileSet,
    Transcript, draw_tile,
};
use std::fmt::Write;
use std::fs;
use std::path::Path;

fn compare(name: &str, drawn: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/drawings").join(name);
    if std::env::var_os("UPDATE_DRAWINGS").is_some() {
        fs::write(&path, drawn).unwrap();
    }
    let kept = fs::read_to_string(&path).unwrap_or_default();
    assert!(kept == drawn, "{name} differs from its snapshot (see tests/drawings.rs):\n{drawn}");
}

fn position(transcript: &str) -> State {
    transcript.parse::<Transcript>().unwrap().replay().unwrap()
}

/// Each of these tiles alone, then with a figure on each of its segments: city, road, field, monastery or garden.
fn sheet(tiles: &TileSet, wanted: impl Fn(&str) -> bool) -> String {
    let mut sheet = String::new();
    for (index, kind) in tiles.kinds().iter().enumerate().filter(|(_, kind)| wanted(&kind.name)) {
        let tile = TileKind(index as u8);
        for rotation in 0..kind.orientations {
            let mut blocks = vec![draw_tile(tiles, tile, rotation, &[])];
            blocks.extend(tiles.segments(tile).iter().enumerate().map(|(number, segment)| {
                let figure = if segment.kind() == FeatureKind::Garden { Figure::Abbot } else { Figure::Meeple };
                let deployment = Deployment::new(figure, SegmentId::new(number as u8));
                draw_tile(tiles, tile, rotation, &[(deployment, 0)])
            }));
            writeln!(sheet, "{} r{rotation}", kind.name).unwrap();
            for row in 0..3 {
                let row: Vec<&str> = blocks.iter().map(|block| block.lines().nth(row).unwrap()).collect();
                writeln!(sheet, "{}", row.join("  ")).unwrap();
            }
        }
    }
    sheet
}

#[test]
fn tiles_of_the_base_game() {
    compare("tiles.txt", &sheet(TileSet::base(), |_| true));
}

/// The river, inns and cathedrals, and all tiles with gardens.
#[test]
fn tiles_of_the_expansions() {
    let all = Expansions::all_sets().last().unwrap();
    compare("expansions.txt", &sheet(TileSet::of(all, false), |name| name.len() > 1));
}

/// Six seats with all expansions in the middle of a game: every kind of figure stands on the board, and an abbot was
/// taken back.
const EXPANDED: &str = "[base+river+inns-and-cathedrals+abbots seats=6 two-tile-city=4 unplaceable=discard] V10@1,0r1:fNNW \
    V4@1,-1r3:fNNW+ V8@1,-2r1 V9@0,-2r2:fSSW V6@0,-3r0 V7@0,-4r1 V5@0,-5r3:fNNW+ V10g@0,-6r3:a V7@1,-6r0 \
    V3@2,-6r0:cS+ V2@3,-6r0 D@-1,0r3:rN+ L@-1,-2r0:rE I10@1,-3r1:-a G@1,1r1:cE O@2,-1r2:rN A@2,-3r1:m+ \
    I15g@-1,-1r1:fNNW D@1,2r2 V@2,2r1:fNNW B@3,2r0 J@0,2r0:fESE Ng@4,2r2:a Rg@-1,2r3 H@-2,0r0 M@-2,-1r0:cN \
    O@-1,3r1:rS+ F@2,0r1:fENE L@3,-1r3:rE D@-2,2r1:fNNW I17@3,-2r1:rS I14@3,0r3:fNNE U@4,0r1:fESE R@0,1r2 \
    Mg@-1,-4r0:cN N@1,-4r2:fNNW K@5,0r0 U@2,3r1:fESE S@-3,0r1:cN E@6,0r2 E@-3,2r3:cW P@-1,1r2 I8@4,1r3 \
    N@-3,3r3:cS E@-2,-4r1:fNNW ?W";

#[test]
fn a_board_with_expansions() {
    let state = EXPANDED.parse::<Transcript>().unwrap().replay_with::<Expanded>(|_| ()).unwrap();
    compare("expanded.txt", &BoardText::plain(&state).to_string());
    compare("expanded.svg", &BoardSvg::new(&state).to_string());
}

/// Five seats in the middle of a game, with a tile in hand.
const MIDDLE: &str = "[base seats=5 two-tile-city=4 unplaceable=discard] R@0,1r2:fNNW P@1,1r0:fENE U@2,1r1:fESE \
    T@-1,1r2:fNNW J@1,0r2:rN V@2,0r2:fNNE P@-2,1r1 L@1,-1r1:rW V@2,2r3:rE V@-1,0r3 S@0,2r0:fSSW \
    B@-1,-1r0 X@1,-2r0:fNNE U@-2,-1r0:rN O@2,-1r0:rE W@3,2r1:fNNE V@-3,1r3 R@-1,2r0:cN M@4,2r1 W@-3,0r2 \
    O@1,-3r1:rS H@4,3r0:cW P@-3,2r3:rN J@0,-2r0:rE L@-2,2r1 H@-1,3r0:fNNW V@-1,-2r1:fNNW N@2,-3r0:fENE \
    V@-4,1r1:fNNW U@3,-3r0:rN V@-2,-2r3 R@5,3r0:cN D@2,3r3 B@4,4r0 E@-2,-3r1 K@-3,-1r0:cN D@-1,-3r3 \
    E@5,4r2:cS ?U";
/// Four seats at the end of a game.
const END: &str = "[base seats=4 two-tile-city=4 unplaceable=discard] V@0,1r3 Q@0,-1r2:cE B@0,-2r0:m O@0,2r3:fNNW \
    J@1,2r1:fNNW L@-1,2r1:fNNW D@1,1r0:rE W@1,3r3:fESE I@0,3r2 E@1,-1r3:fNNW P@-1,3r2:fNNW F@2,2r0 \
    V@-1,1r0 M@2,-1r2:cE U@2,3r1 U@-2,2r1:rE W@-2,1r2 C@-1,-1r0 V@2,-2r1:fNNW K@-2,3r3 P@2,0r0:fESE \
    H@-1,-2r1 D@-3,1r0:fENE V@2,1r1 H@3,2r0:cE L@-1,-3r2:fNNW R@-1,4r0:cN V@1,-2r2:rN K@0,-3r1:cE \
    P@-2,-3r0:rE T@-2,4r2:rN E@3,1r0 E@4,1r2:cS O@-1,-4r0 B@4,0r0 J@3,3r1 L@-2,5r0:rW A@-1,5r1:rW \
    J@4,3r3:cW S@-1,-5r1 U@-3,2r1 U@4,-1r1:fNNW D@-1,0r0 E@-3,3r1:cE M@-4,3r3:cS F@-1,-6r1 U@4,4r1:fNNW \
    N@-3,4r2 H@-4,4r1 A@-2,-2r2 U@2,4r1 V@0,-4r0:rS N@3,-2r2 X@3,4r0:fSSW W@1,4r3 V@-2,6r2:fNNW V@-2,0r3 \
    E@2,5r2 N@0,-5r0 W@5,-1r0:rS K@-5,4r0 U@-4,2r1 S@4,2r0 G@-3,0r0:fWSW U@3,5r0 I@-5,3r0 B@1,-5r0 \
    R@-2,-4r1 R@-1,-7r3:fENE V@1,-4r3 B@-2,7r0";

#[test]
fn boards() {
    for (name, transcript) in [("middle.txt", MIDDLE), ("end.txt", END)] {
        compare(name, &BoardText::plain(&position(transcript)).to_string());
    }
}

#[test]
fn a_coloured_board() {
    compare("middle.ansi", &BoardText::coloured(&position(MIDDLE)).to_string());
}

#[test]
fn a_figure() {
    compare("middle.svg", &BoardSvg::new(&position(MIDDLE)).to_string());
}

/// The start tile alone. It belongs to no turn.
#[test]
fn the_start() {
    compare("start.txt", &BoardText::plain(&State::new(evouct_carcassonne::Rules::official(2))).to_string());
}
