//! Tests of observations, rewards and vectors over several rules.

use super::*;
use crate::rules::{
    Award, Base, Cell, Edition, Expanded, Expansion, Expansions, FeatureKind, Figure, Rules, TileKind, TileSet,
};
use evouct_base::named::Named;
use evouct_base::sampling::below;
use evouct_base::seed::Key;

/// The width of the window of the tests: no game leaves it.
const WIDTH: u8 = 41;

/// The base game, all expansions with three seats, and inns with six seats and without farmers.
fn rules() -> [Rules; 3] {
    let with = |expansions, seats| Rules::with(TileSet::of(expansions, false), seats);
    let inns = Expansions::NONE.with(Expansion::InnsAndCathedrals);
    [Rules::official(2), with(Expansions::all_sets().last().unwrap(), 3), Rules { farmers: false, ..with(inns, 6) }]
}

/// Memory for one observation.
#[derive(Clone, PartialEq, Debug)]
struct Seen {
    board: Vec<u8>,
    mask: Vec<i8>,
    global: Vec<i16>,
}

impl Seen {
    fn blank(encoder: &Encoder) -> Seen {
        // What stands in the memory before the first observation must not show.
        let board = vec![77; encoder.board_len()];
        Seen { board, mask: vec![7; encoder.numbering().count()], global: vec![777; encoder.global_len()] }
    }

    fn frame(&mut self) -> Frame<'_> {
        Frame { board: &mut self.board, mask: &mut self.mask, global: &mut self.global }
    }
}

/// Plays random decisions; `look` sees every position, the last one included.
fn play<E: Edition>(rules: Rules, seed: u64, width: u8, mut look: impl FnMut(&Episode<E>)) -> Episode<E> {
    let mut rng = Key::experiment(seed).stream();
    let mut episode = Episode::<E>::new(rules, seed, width);
    while episode.phase() != Phase::End {
        look(&episode);
        let legal = episode.legal();
        episode.step(legal[below(&mut rng, legal.len())]).unwrap();
    }
    look(&episode);
    episode
}

/// An observation that is updated step by step is the same as one that is written at once, for every seat.
fn updates_agree<E: Edition>(rules: Rules, encoding: Encoding) {
    let encoder = Encoder::new(rules, encoding, 25);
    let mut followed: Vec<(Picture, Seen)> =
        (0..rules.seats).map(|_| (Picture::default(), Seen::blank(&encoder))).collect();
    let (mut acting, mut seen_by_acting) = (Picture::default(), Seen::blank(&encoder));
    for seed in 1..=2 {
        followed.iter_mut().for_each(|(picture, _)| picture.forget());
        acting.forget();
        play::<E>(rules, seed, 25, |episode| {
            for (seat, (picture, seen)) in followed.iter_mut().enumerate() {
                encoder.update(picture, episode, seat, seen.frame());
                let mut fresh = Seen::blank(&encoder);
                encoder.write(episode, seat, fresh.frame());
                let mut parts = Seen::blank(&encoder);
                encoder.write_board(episode, seat, &mut parts.board);
                encoder.write_global(episode, seat, &mut parts.global);
                assert!(parts.board == fresh.board && parts.global == fresh.global);
                assert_eq!(*seen, fresh, "seat {seat} after {} turns", episode.state().turns().len());
                if seat == episode.state().player() {
                    encoder.update(&mut acting, episode, seat, seen_by_acting.frame());
                    assert_eq!(seen_by_acting, fresh);
                    let legal: Vec<usize> = (0..fresh.mask.len()).filter(|number| fresh.mask[*number] == 1).collect();
                    let mut listed = episode.legal();
                    listed.sort_unstable();
                    assert_eq!(legal, listed, "the mask is the list of legal decisions");
                } else {
                    assert!(fresh.mask.iter().all(|bit| *bit == 0), "another seat acts");
                }
            }
        });
    }
}

#[test]
fn an_updated_observation_is_a_complete_one() {
    let [base, all, inns] = rules();
    for (_, encoding) in Encoding::NAMES.iter().copied() {
        updates_agree::<Base>(base, encoding);
        updates_agree::<Expanded>(all, encoding);
    }
    updates_agree::<Expanded>(inns, Encoding::Compact);
}

/// What the compact encoding says of a board is the board: all tiles, and all figures with their owners.
fn compact_is_invertible<E: Edition>(rules: Rules) {
    let encoder = Encoder::new(rules, Encoding::Compact, WIDTH);
    let mut seen = Seen::blank(&encoder);
    play::<E>(rules, 3, WIDTH, |episode| {
        let observer = episode.state().player();
        encoder.write(episode, observer, seen.frame());
        let seats = usize::from(rules.seats);
        let (mut tiles, mut figures) = (Vec::new(), Vec::new());
        for (at, bytes) in seen.board.chunks_exact(5).enumerate() {
            let cell = episode.window().cell(at % usize::from(WIDTH), at / usize::from(WIDTH)).unwrap();
            if bytes[0] > 0 {
                tiles.push((cell, bytes[0] - 1, bytes[1]));
            }
            if bytes[2] > 0 {
                let seat = ((usize::from(bytes[2]) - 1 + observer) % seats) as u8;
                let figure = Figure::ALL[usize::from(bytes[3]) - 1];
                figures.push(Standing { cell, seat, figure, slot: bytes[4] - 1 });
            }
        }
        let state = episode.state();
        let mut placed: Vec<(Cell, u8, u8)> =
            state.turns().iter().map(|turn| (turn.action.cell, turn.tile.0, turn.action.rotation)).collect();
        placed.push((Cell::default(), rules.tiles.start.0, 0));
        placed.extend(episode.placed().map(|(cell, rotation)| (cell, state.hand().unwrap().0, rotation)));
        placed.sort_unstable();
        tiles.sort_unstable();
        assert_eq!(tiles, placed);
        // Figures as the rules list them: by turn and seat.
        let mut standing: Vec<(Cell, u8)> = state
            .standing_meeples()
            .into_iter()
            .map(|(turn, seat)| (state.turns()[turn].action.cell, seat as u8))
            .collect();
        standing.sort_unstable();
        figures.sort_unstable_by_key(|figure| figure.cell);
        assert_eq!(figures.iter().map(|figure| (figure.cell, figure.seat)).collect::<Vec<_>>(), standing);
        for figure in figures {
            let turn = state.turns().iter().find(|turn| turn.action.cell == figure.cell).unwrap();
            let segment = turn.action.segment().unwrap();
            let segments = rules.tiles.segments(turn.tile);
            assert_eq!(slot(&segments[segment.index()], turn.action.rotation), usize::from(figure.slot));
            assert_eq!(turn.action.meeple.unwrap().figure(), figure.figure);
        }
    });
}

#[test]
fn the_compact_board_holds_all_tiles_and_figures() {
    let [base, all, inns] = rules();
    compact_is_invertible::<Base>(base);
    compact_is_invertible::<Expanded>(all);
    compact_is_invertible::<Expanded>(inns);
}

#[test]
fn planes_of_the_start_tile_by_hand() {
    let rules = Rules::official(2);
    let (encoder, episode) = (Encoder::new(rules, Encoding::Planes, 5), Episode::<Base>::new(rules, 1, 5));
    let mut seen = Seen::blank(&encoder);
    encoder.write(&episode, 0, seen.frame());
    let shown = |plane: usize| seen.board[plane * 25 + 12];
    let group = |first: usize, count: usize| (first..first + count).map(shown).collect::<Vec<u8>>();
    assert_eq!(shown(plane::TILE), 1);
    assert_eq!(group(plane::CITY, 4), [1, 0, 0, 0], "a city in the north");
    assert_eq!(group(plane::ROAD, 4), [0, 1, 0, 1], "a road from west to east");
    assert_eq!(group(plane::ROAD_JOINED, 6), [0, 0, 0, 0, 1, 0]);
    assert_eq!(group(plane::FIELD, 8), [0, 0, 1, 2, 2, 2, 2, 1], "a field on each side of the road");
    assert_eq!(group(plane::SLOT, plane::LEGAL - plane::SLOT), vec![0; plane::LEGAL - plane::SLOT]);
    assert_eq!(seen.board.iter().filter(|byte| **byte != 0).count(), 1 + 1 + 2 + 1 + 6 + episode.legal().len());
}

#[test]
fn pairs_of_the_start_tile_by_hand() {
    let rules = Rules::official(2);
    let (encoder, episode) = (Encoder::new(rules, Encoding::Pairs, 30), Episode::<Base>::new(rules, 1, 30));
    assert_eq!(encoder.board_shape(), [30, 30, 117], "the shape of the article");
    let mut seen = Seen::blank(&encoder);
    encoder.write(&episode, 0, seen.frame());
    let middle = 14 * 30 + 14;
    let shown: Vec<usize> = (0..116).filter(|plane| seen.board[middle * 117 + plane] != 0).collect();
    let field = pair::FIELD;
    // City N. Road E, W and EW. Fields: ENE with WNW in the north; ESE, SSE, SSW, WSW in the south, and all pairs among
    // them.
    let pairs: Vec<(usize, usize)> = (0..8).flat_map(|a| (a + 1..8).map(move |b| (a, b))).collect();
    let joined = |(a, b): &(usize, usize)| (*a, *b) == (2, 7) || (3..7).contains(a) && (3..7).contains(b);
    let mut expected = vec![pair::CITY, pair::ROAD + 1, pair::ROAD + 3, pair::ROAD + 4 + 4];
    expected.extend((2..8).map(|half| field + half));
    expected.extend((0..28).filter(|place| joined(&pairs[*place])).map(|place| field + 8 + place));
    assert_eq!(shown, expected);
    let numbers: Vec<i16> = (0..encoder.global_len()).map(|at| i16::from(seen.board[at * 117 + 116]) - 1).collect();
    assert_eq!(numbers, seen.global);
}

/// What the planes say of the roads and cities with figures is what the rules pay for them if the game ended now.
#[test]
fn features_are_those_of_the_rules() {
    let rules = Rules::official(3);
    let encoder = Encoder::new(rules, Encoding::Features, WIDTH);
    let mut seen = Seen::blank(&encoder);
    let area = usize::from(WIDTH) * usize::from(WIDTH);
    let mut compared = 0;
    play::<Base>(rules, 6, WIDTH, |episode| {
        let state = episode.state();
        if episode.phase() == Phase::Figure {
            return;
        }
        let awards = state.standing_awards();
        for observer in 0..3 {
            encoder.write(episode, observer, seen.frame());
            for standing in episode.standing().iter().filter(|standing| standing.slot < 4) {
                let (x, y) = episode.window().place(standing.cell).unwrap();
                let at = |plane: usize| {
                    u16::from(seen.board[(plane + usize::from(standing.slot)) * area + y * usize::from(WIDTH) + x])
                };
                let [size, open, own, other] = [feature::SIZE, feature::OPEN, feature::OWN, feature::OTHER].map(at);
                assert!(open > 0 && own + other > 0 && (own > 0 || usize::from(standing.seat) != observer));
                let pays = |award: &&Award| {
                    let others = (0..3).filter(|seat| *seat != observer).map(|seat| award.meeples[seat]).max();
                    let is_it = match award.kind {
                        FeatureKind::Road => award.points == size,
                        // Pennants are points too.
                        FeatureKind::City => (size..=2 * size).contains(&award.points),
                        _ => false,
                    };
                    is_it && u16::from(award.meeples[observer]) == own && others.map(u16::from) == Some(other)
                };
                assert!(awards.iter().any(|award| pays(&award)), "{size} {open} {own} {other}: {awards:?}");
                compared += 1;
            }
        }
    });
    assert!(compared > 300, "{compared}");
}

/// Tiles that look the same in planes have the same segments: the spring and the lake.
#[test]
fn planes_tell_all_tiles_apart() {
    let [_, all, _] = rules();
    let encoder = Encoder::new(all, Encoding::Planes, 5);
    let mut seen = std::collections::BTreeMap::new();
    let mut alike = 0;
    for kind in 0..all.tiles.kinds().len() as u8 {
        for rotation in 0..all.tiles.kind(TileKind(kind)).orientations {
            let segments = all.tiles.segments(TileKind(kind)).iter();
            let segments: Vec<_> = segments
                .map(|segment| (segment.kind(), segment.ports(rotation), segment.pennants(), segment.is_special()))
                .collect();
            let mut look = encoder.look(kind.into(), rotation).to_vec();
            look.sort_unstable();
            if let Some(other) = seen.insert(look, segments.clone()) {
                assert_eq!(segments, other, "{} in rotation {rotation}", all.tiles.kind(TileKind(kind)).name);
                alike += 1;
            }
        }
    }
    assert_eq!(alike, 4, "the spring and the lake, in four rotations");
}

#[test]
fn rewards_of_a_game_by_hand() {
    let episode = play::<Base>(Rules::official(3), 4, WIDTH, |_| ());
    let points = points(&episode).map(f32::from);
    let rewards = |reward: EpisodeReward| {
        let mut rewards = [9.0; 3];
        reward.write(&episode, &[1, 2, 3, 0, 0, 0], &mut rewards);
        rewards
    };
    let [a, b, c] = [points[0], points[1], points[2]];
    assert!(a != b && b != c && a != c, "the seed gives different points: {points:?}");
    let first = |seat: usize| points[..3].iter().all(|other| *other <= points[seat]);
    assert_eq!(rewards(EpisodeReward::Outcome), [0, 1, 2].map(|seat| if first(seat) { 1.0 } else { -1.0 }));
    assert_eq!(rewards(EpisodeReward::Margin), [a - b.max(c), b - a.max(c), c - a.max(b)]);
    assert_eq!(rewards(EpisodeReward::ScoreDelta), [a - 1.0, b - 2.0, c - 3.0]);
    let mut ranks = rewards(EpisodeReward::Rank);
    ranks.sort_unstable_by(f32::total_cmp);
    assert_eq!(ranks, [-1.0, 0.0, 1.0]);
    assert_eq!(rewards(EpisodeReward::Rank).map(|rank| rank == 1.0), [0, 1, 2].map(first));
}

/// Memory for the results of a vector.
struct Memory {
    boards: Vec<u8>,
    masks: Vec<i8>,
    globals: Vec<i16>,
    rewards: Vec<f32>,
    terminated: Vec<bool>,
    truncated: Vec<bool>,
    seats: Vec<i8>,
    points: Vec<i16>,
    decisions: Vec<i32>,
    final_boards: Vec<u8>,
    final_masks: Vec<i8>,
    final_globals: Vec<i16>,
    final_seats: Vec<i8>,
}

impl Memory {
    fn of<E: Edition>(vector: &Vector<E>, rules: &Rules, autoreset: Autoreset) -> Memory {
        let (encoder, count, seats) = (vector.encoder(), vector.count(), usize::from(rules.seats));
        let finals = if autoreset == Autoreset::SameStep { count } else { 0 };
        Memory {
            boards: vec![0; count * encoder.board_len()],
            masks: vec![0; count * encoder.numbering().count()],
            globals: vec![0; count * encoder.global_len()],
            rewards: vec![0.0; count * seats],
            terminated: vec![false; count],
            truncated: vec![false; count],
            seats: vec![0; count],
            points: vec![0; count * seats],
            decisions: vec![0; count],
            final_boards: vec![0; finals * encoder.board_len()],
            final_masks: vec![0; finals * encoder.numbering().count()],
            final_globals: vec![0; finals * encoder.global_len()],
            final_seats: vec![0; finals],
        }
    }

    fn outputs(&mut self) -> Outputs<'_> {
        Outputs {
            boards: &mut self.boards,
            masks: &mut self.masks,
            globals: &mut self.globals,
            rewards: &mut self.rewards,
            terminated: &mut self.terminated,
            truncated: &mut self.truncated,
            seats: &mut self.seats,
            points: &mut self.points,
            decisions: &mut self.decisions,
            final_boards: &mut self.final_boards,
            final_masks: &mut self.final_masks,
            final_globals: &mut self.final_globals,
            final_seats: &mut self.final_seats,
        }
    }

    /// A number that depends on everything.
    fn digest(&self) -> [u8; 32] {
        let mut text = format!("{:?} {:?} {:?}", self.rewards, self.terminated, self.truncated).into_bytes();
        text.extend(&self.boards);
        text.extend(self.masks.iter().map(|byte| *byte as u8));
        text.extend(&self.final_boards);
        text.extend(format!("{:?} {:?}", self.final_globals, self.final_seats).bytes());
        text.extend(format!("{:?} {:?} {:?} {:?}", self.globals, self.seats, self.points, self.decisions).bytes());
        *blake3::hash(&text).as_bytes()
    }
}

fn settings(rules: Rules, autoreset: Autoreset, threads: usize) -> VectorSettings {
    VectorSettings {
        rules,
        width: 25,
        encoding: Encoding::Compact,
        reward: EpisodeReward::ScoreDelta,
        autoreset,
        threads,
    }
}

#[test]
fn a_vector_is_the_same_with_any_number_of_threads() {
    let [_, all, _] = rules();
    let seeds: Vec<u64> = (1..=40).collect();
    let digests = [1, 2, 3].map(|threads| {
        let mut vector = Vector::<Expanded>::new(settings(all, Autoreset::SameStep, threads), &seeds).unwrap();
        let mut memory = Memory::of(&vector, &all, Autoreset::SameStep);
        vector.reset(None, None, memory.outputs());
        vector.reset(Some(&seeds), None, memory.outputs());
        let mut digests = vec![memory.digest()];
        for _ in 0..250 {
            vector.step_randomly(memory.outputs()).unwrap();
        }
        digests.push(memory.digest());
        digests
    });
    assert_eq!(digests[0], digests[1]);
    assert_eq!(digests[0], digests[2]);
    assert_ne!(digests[0][0], digests[0][1]);
}

#[test]
fn an_environment_of_a_vector_is_a_single_episode() {
    let rules = Rules::official(2);
    for autoreset in [Autoreset::NextStep, Autoreset::SameStep] {
        let mut vector = Vector::<Base>::new(settings(rules, autoreset, 1), &[5, 6]).unwrap();
        let mut memory = Memory::of(&vector, &rules, autoreset);
        vector.reset(Some(&[5, 6]), None, memory.outputs());
        let encoder = vector.encoder().clone();
        let mut seen = Seen::blank(&encoder);
        let (mut episode, mut number, mut sum) = (Episode::<Base>::new(rules, 6, 25), 0, [0.0; 2]);
        for _ in 0..320 {
            vector.step_randomly(memory.outputs()).unwrap();
            let decision = memory.decisions[1];
            let begins = || Episode::<Base>::new(rules, episode_seed(6, number + 1), 25);
            if decision < 0 {
                assert!(episode.is_terminated() && autoreset == Autoreset::NextStep);
                (episode, number) = (begins(), number + 1);
            } else {
                let stepped = episode.step(decision as usize).unwrap();
                assert_eq!((memory.terminated[1], memory.truncated[1]), (stepped.terminated, stepped.truncated));
                sum = [sum[0] + memory.rewards[2], sum[1] + memory.rewards[3]];
                if stepped.terminated {
                    let points = points(&episode);
                    assert_eq!(memory.points[2..], [points[0] as i16, points[1] as i16]);
                    assert_eq!(sum, [f32::from(points[0]), f32::from(points[1])], "rewards add up to the points");
                    sum = [0.0; 2];
                    if autoreset == Autoreset::SameStep {
                        let seat = episode.state().player();
                        encoder.write(&episode, seat, seen.frame());
                        let (board, global) = (seen.board.len(), seen.global.len());
                        assert!(memory.final_boards[board..] == seen.board && memory.final_seats[1] == seat as i8);
                        assert_eq!(memory.final_globals[global..], seen.global);
                        assert!(memory.final_masks[seen.mask.len()..].iter().all(|bit| *bit == 0));
                        (episode, number) = (begins(), number + 1);
                    }
                }
            }
            encoder.write(&episode, episode.state().player(), seen.frame());
            let (board, mask, global) = (seen.board.len(), seen.mask.len(), seen.global.len());
            assert!(memory.boards[board..] == seen.board && memory.masks[mask..] == seen.mask);
            assert_eq!(memory.globals[global..], seen.global);
        }
        assert_eq!(number, 2, "three games in 320 steps");
    }
}

#[test]
fn some_environments_begin_again_and_the_others_go_on() {
    let rules = Rules::official(2);
    let mut vector = Vector::<Base>::new(settings(rules, Autoreset::Disabled, 1), &[5, 6]).unwrap();
    let mut memory = Memory::of(&vector, &rules, Autoreset::Disabled);
    vector.reset(None, None, memory.outputs());
    (0..3).for_each(|_| vector.step_randomly(memory.outputs()).unwrap());
    let turns = |vector: &Vector<Base>| [0, 1].map(|place| vector.episode(place).state().turns().len());
    assert_eq!(turns(&vector), [1, 1]);
    let before = (memory.boards.clone(), memory.decisions[0]);
    vector.reset(None, Some(&[false, true]), memory.outputs());
    assert_eq!((turns(&vector), memory.decisions[1]), ([1, 0], -1));
    let half = before.0.len() / 2;
    assert!(memory.boards[..half] == before.0[..half] && memory.boards[half..] != before.0[half..]);
    assert_eq!(memory.decisions[0], before.1);
    vector.step_randomly(memory.outputs()).unwrap();
}

#[test]
fn the_first_reset_begins_the_first_episode() {
    let rules = Rules::official(2);
    let mut vector = Vector::<Base>::new(settings(rules, Autoreset::Disabled, 1), &[5]).unwrap();
    let mut memory = Memory::of(&vector, &rules, Autoreset::Disabled);
    assert!(!vector.has_begun());
    for number in 0..3 {
        vector.reset(None, None, memory.outputs());
        let expected = Episode::<Base>::new(rules, episode_seed(5, number), 25);
        let decks = [vector.episode(0), &expected].map(|episode| {
            let mut rng = Key::experiment(1).stream();
            episode.upcoming(&mut rng).upcoming().collect::<Vec<TileKind>>()
        });
        assert_eq!(decks[0], decks[1], "episode {number}");
    }
}

#[test]
fn the_numbers_beside_the_board_fit_into_the_window_of_pairs() {
    for rules in rules() {
        for (_, encoding) in Encoding::NAMES.iter().copied() {
            let least = encoding.least_width(&rules);
            let numbers = Encoder::new(rules, encoding, least).global_len();
            let has_room = |width: u8| encoding != Encoding::Pairs || usize::from(width).pow(2) >= numbers;
            assert!(has_room(least) && (least == 1 || !has_room(least - 1)));
            assert!(encoding.check_width(&rules, least).is_ok());
            assert!(encoding.check_width(&rules, least - 1).is_err());
        }
    }
    let settings =
        VectorSettings { encoding: Encoding::Pairs, width: 6, ..settings(rules()[0], Autoreset::Disabled, 1) };
    let problem = Vector::<Base>::new(settings, &[1]).err().unwrap();
    assert_eq!(problem, "the encoding pairs needs a width of the window of at least 7, found 6");
}

#[test]
fn an_illegal_decision_of_a_vector_names_its_environment() {
    let rules = Rules::official(2);
    let mut vector = Vector::<Base>::new(settings(rules, Autoreset::Disabled, 1), &[5, 6]).unwrap();
    let mut memory = Memory::of(&vector, &rules, Autoreset::Disabled);
    vector.reset(None, None, memory.outputs());
    let legal = memory.masks.iter().position(|bit| *bit == 1).unwrap() as i32;
    let error = vector.step(&[legal, -1], memory.outputs()).unwrap_err();
    assert_eq!(error.to_string(), "environment 1: there is no decision -1; the highest is 2530");
    let error = vector.step(&[0, 0], memory.outputs()).unwrap_err();
    let text = "environment 0: decision 0 (tile at column 0, row 0, rotation 0) is not legal here";
    assert_eq!(error.to_string(), text);
    assert!(Vector::<Base>::new(settings(rules, Autoreset::Disabled, 1), &[]).is_err());
}

#[test]
fn chance_from_outside_plays_the_game_of_the_deck() {
    let [_, all, _] = rules();
    let mut rng = Key::experiment(8).stream();
    let mut dealt = Episode::<Expanded>::new(all, 8, WIDTH);
    let mut open = Episode::<Expanded>::open(all, WIDTH);
    let mut order: Vec<_> = dealt.upcoming(&mut rng).upcoming().collect();
    order.insert(0, dealt.state().hand().unwrap());
    let listed = Episode::<Expanded>::in_order(all, &order, WIDTH).unwrap();
    assert_eq!(listed.transcript().to_string(), dealt.transcript().to_string());
    assert!(Episode::<Expanded>::in_order(all, &order[1..], WIDTH).is_err());
    let mut order = order.into_iter();
    while dealt.phase() != Phase::End {
        while open.phase() == Phase::Draw {
            assert!(open.legal().is_empty());
            open.draw(order.next().unwrap()).unwrap();
        }
        let legal = dealt.legal();
        assert_eq!(open.legal(), legal);
        let decision = legal[below(&mut rng, legal.len())];
        dealt.step(decision).unwrap();
        open.step(decision).unwrap();
    }
    let text = dealt.transcript().to_string();
    assert!(dealt.is_terminated());
    for tile in order {
        open.draw(tile).unwrap();
    }
    assert_eq!(open.transcript().to_string(), text);
    let replayed = dealt.transcript().replay_with::<Expanded>(|_| ()).unwrap();
    assert_eq!(replayed.virtual_scores(), dealt.state().virtual_scores());
}
