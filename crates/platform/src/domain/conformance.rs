//! Whether a domain keeps the contract of [`Domain`].

use super::any::AnySession;
use super::contract::Domain;
use super::kind::{AnyKinds, KindInfo};
use super::metrics::{Metrics, RecordedMetrics};
use super::registered::Registered;
use super::session::GameSession;
use super::spec::Spec;
use super::step::GameStep;
use evouct_base::named::Named;
use evouct_base::parameter::{Parameters, Preset, Raw};
use evouct_base::seed::Key;
use evouct_gp::Terminal;
use evouct_search::game::{CheckReport, Game, Turn, Uniform, check_game};
use evouct_search::player::{Decision, Player, PlayerView, Random};
use evouct_search::search::{SearchColumn, Stopped};
use std::collections::BTreeSet;
use std::fmt::Debug;
use std::vec;

/// A game between players must end within so many decisions.
const MAX_DECISIONS: u32 = 10_000;
/// The players under test make so many of the last decisions of a game; random play leads there.
const LAST_DECISIONS: usize = 6;
/// Small budgets, and a formula for those who need one: for kinds that have these parameters.
const PARAMETERS: [(&str, &str); 6] = [
    ("iterations", "20"),
    ("generations", "2"),
    ("simulations", "2"),
    ("depth", "1"),
    ("formula", "Q + sqrt(ln(N) / n)"),
    ("formulas", "Q + sqrt(ln(N) / n) | Q + 1 / n"),
];

/// What a check saw.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct DomainReport {
    /// What the check of the game alone saw.
    pub game: CheckReport,
    /// The kinds of player that played.
    pub played: Vec<&'static str>,
    /// The kinds of player that cannot play under these rules, each with the reason.
    pub refused: Vec<(&'static str, String)>,
}

/// Plays random games and games between players, and checks every promise of [`Domain`] on the way: a test to be run
/// for a game of your own. [`add_game`](crate::registry::add_game) gives the registered game.
///
/// What is checked:
///
/// - the game keeps the contract of [`Game`] ([`check_game`]);
/// - the default rules and these rules are accepted, and both name as many seats as the start of a game has;
/// - legal actions are accepted, and written as words without spaces, different words in one position; so are outcomes;
/// - the moves of a game read back to the same steps;
/// - metrics read back from records, columns have different names and finite values, facts have the length of their names,
///   no number of a move is NaN;
/// - drawings, where there are any, are made for every turn; scenes offer the legal actions;
/// - every kind of player that accepts these rules, other programs aside, plays the end of a game, with either preset, small
///   budgets, twice the same.
///
/// # Errors
/// The first promise that is broken, in one line.
pub fn check_domain<D: Domain>(
    game: &'static Registered<D>,
    rules: &D::Rules,
    key: Key,
    games: u32,
) -> Result<DomainReport, String> {
    for preset in [Preset::Text, Preset::Reference] {
        check_rules::<D>(&D::Rules::defaults(preset)).map_err(|problem| format!("default rules: {problem}"))?;
    }
    check_rules::<D>(rules)?;
    check_names("column", D::Metrics::COLUMNS.iter().map(|column| column.name))?;
    let numbers = D::move_numbers().iter().chain(D::RATINGS).map(|number| number.name);
    check_names("number of a move", numbers.clone())?;
    let known: Vec<Terminal> = SearchColumn::terminals(&[]);
    if let Some(taken) = numbers.clone().find(|name| known.iter().any(|terminal| terminal.name() == Some(name))) {
        return Err(format!("number of a move {taken:?}: every search has a statistic of that name"));
    }
    let checked = check_game(|| D::start(rules), key, games)?;
    for number in 0..games {
        let drawn = number == 0;
        check_random_game::<D>(rules, key.nth(number), drawn).map_err(|problem| format!("game {number}: {problem}"))?;
    }
    let mut report = DomainReport { game: checked, played: Vec::new(), refused: Vec::new() };
    // Another program keeps no promise of the game's.
    for info in game.kinds().into_iter().filter(|info| !info.is_outside()) {
        let refusal = check_kind(game, info, rules, key).map_err(|problem| format!("{}: {problem}", info.name))?;
        match refusal {
            None => report.played.push(info.name),
            Some(reason) => report.refused.push((info.name, reason)),
        }
    }
    Ok(report)
}

fn check_rules<D: Domain>(rules: &D::Rules) -> Result<(), String> {
    D::check_rules(rules).map_err(|error| error.to_string())?;
    expect_same("seats", &D::seats(rules), &D::start(rules).seats())
}

fn check_names(what: &str, names: impl Iterator<Item = &'static str>) -> Result<(), String> {
    let mut known = BTreeSet::new();
    for name in names {
        check_word(what, name)?;
        if !known.insert(name) {
            return Err(format!("two names of a {what} are {name:?}"));
        }
    }
    Ok(())
}

fn check_word(what: &str, word: &str) -> Result<(), String> {
    if word.is_empty() || word.contains(char::is_whitespace) {
        return Err(format!("{what} {word:?}: expected a word without spaces"));
    }
    Ok(())
}

fn expect_same<T: PartialEq + Debug>(what: &str, found: &T, expected: &T) -> Result<(), String> {
    if found == expected { Ok(()) } else { Err(format!("{what}: found {found:?}, expected {expected:?}")) }
}

/// Plays a game to its end.
fn play_out<D: Domain>(session: &mut GameSession<D>) -> Result<(), String> {
    while session.advance().is_some() {
        if session.turns() == MAX_DECISIONS {
            return Err(format!("a game is not over after {MAX_DECISIONS} decisions"));
        }
        session.decide(&Stopped, true).map_err(|fault| fault.to_string())?;
        session.play()?;
    }
    Ok(())
}

/// A random game that is over.
fn random_game<D: Domain>(rules: &D::Rules, key: Key) -> Result<GameSession<D>, String> {
    let player = |seat| -> Box<dyn Player<D::Game>> { Box::new(Random::new(Uniform, key.seat(seat))) };
    let mut session = GameSession::new(rules.clone(), key.deck(1), (0..D::seats(rules)).map(player).collect());
    play_out(&mut session)?;
    Ok(session)
}

fn check_random_game<D: Domain>(rules: &D::Rules, key: Key, drawn: bool) -> Result<(), String> {
    let session = random_game::<D>(rules, key)?;
    let steps = session.steps();
    let mut game = D::start(rules);
    let mut scratch = game.clone();
    for (number, step) in steps.iter().enumerate() {
        check_position::<D>(&game, &mut scratch).map_err(|problem| format!("step {}: {problem}", number + 1))?;
        step.apply(&mut game);
    }
    check_position::<D>(&game, &mut scratch).map_err(|problem| format!("end of the game: {problem}"))?;

    let moves = session.moves();
    let read =
        D::NOTATION.read_moves(&D::start(rules), &moves).map_err(|problem| format!("moves {moves:.80}: {problem}"))?;
    if read != steps {
        let at = read.iter().zip(steps).take_while(|(found, expected)| found == expected).count();
        let [found, expected] = [&read[..], steps].map(|steps| steps.get(at));
        return Err(format!("moves read back: step {} is {found:?}, expected {expected:?}", at + 1));
    }
    check_metrics::<D>(&session.metrics())?;
    if drawn {
        check_drawings::<D>(rules, steps)?;
        check_scenes::<D>(rules, steps)?;
    }
    Ok(())
}

/// Scenes offer the legal actions of each position, in the words of the game.
fn check_scenes<D: Domain>(rules: &D::Rules, steps: &[GameStep<D::Game>]) -> Result<(), String> {
    let mut game = D::start(rules);
    let mut actions = Vec::new();
    for (number, step) in steps.iter().enumerate() {
        let Some(scene) = D::DRAWING.scene(&game, D::NOTATION) else { return Ok(()) };
        actions.clear();
        if matches!(game.turn(), Turn::Player(_)) {
            game.actions(&mut actions);
        }
        let legal: BTreeSet<String> = actions.iter().map(|action| D::NOTATION.write_action(&game, *action)).collect();
        scene.check(&legal).map_err(|problem| format!("scene before step {}: {problem}", number + 1))?;
        step.apply(&mut game);
    }
    Ok(())
}

/// What holds of every position.
fn check_position<D: Domain>(game: &D::Game, scratch: &mut D::Game) -> Result<(), String> {
    let mut words = BTreeSet::new();
    let mut add = |what: &str, word: String| {
        check_word(what, &word)?;
        if words.contains(&word) {
            return Err(format!("two of the {what}s of a position are written {word:?}"));
        }
        words.insert(word);
        Ok(())
    };
    match game.turn() {
        Turn::Terminal => {}
        Turn::Chance => {
            let mut outcomes = Vec::new();
            game.outcomes(&mut outcomes);
            for (outcome, _) in outcomes {
                add("outcome", D::NOTATION.write_outcome(game, outcome))?;
            }
        }
        Turn::Player(_) => {
            let mut actions = Vec::new();
            game.actions(&mut actions);
            for action in actions {
                D::check(game, action).map_err(|problem| format!("legal action {action:?} is refused: {problem}"))?;
                add("action", D::NOTATION.write_action(game, action))?;
                let value = |number: &&super::MoveNumber<D::Game>| (number.value)(game, action, scratch).is_nan();
                if let Some(number) = D::move_numbers().iter().chain(D::RATINGS).find(value) {
                    return Err(format!("number {} of action {action:?} is NaN", number.name));
                }
            }
        }
    }
    for seat in 0..game.seats() {
        expect_same("facts of a seat", &D::DRAWING.facts(game, seat).len(), &D::DRAWING.fact_names().len())?;
    }
    Ok(())
}

fn check_metrics<D: Domain>(metrics: &[RecordedMetrics]) -> Result<(), String> {
    for (seat, recorded) in metrics.iter().enumerate() {
        let text = recorded.json().to_string();
        let read: D::Metrics = recorded.read().map_err(|error| format!("metrics {text}: {error}"))?;
        expect_same("metrics read back", &RecordedMetrics::of(&read), recorded)?;
        for column in D::Metrics::COLUMNS {
            let value = (column.value)(&read, seat);
            if !value.is_finite() {
                return Err(format!("column {} of metrics {text} is {value}, expected a finite number", column.name));
            }
        }
    }
    Ok(())
}

fn check_drawings<D: Domain>(rules: &D::Rules, steps: &[GameStep<D::Game>]) -> Result<(), String> {
    let turns = steps.iter().filter(|step| matches!(step, GameStep::Action(_))).count();
    if let Some(pictures) = D::DRAWING.pictures(&D::start(rules), steps) {
        expect_same("pictures of the start and of every turn", &pictures.len(), &(turns + 1))?;
    }
    D::DRAWING.animation(&D::start(rules), steps);
    D::DRAWING.definitions(&D::start(rules));
    let mut game = D::start(rules);
    for step in steps {
        let [plain, coloured] = [false, true].map(|colour| D::DRAWING.text(&game, colour).is_some());
        expect_same("whether there is a coloured drawing as text", &coloured, &plain)?;
        step.apply(&mut game);
    }
    Ok(())
}

/// Lets a kind of player play against itself. Returns why it cannot play under these rules with any preset, if it
/// cannot.
fn check_kind<D: Domain>(
    game: &'static Registered<D>,
    info: &KindInfo,
    rules: &D::Rules,
    key: Key,
) -> Result<Option<String>, String> {
    let known = PARAMETERS.iter().filter(|(name, _)| info.table.iter().any(|row| row.name == *name));
    let given: Vec<(String, Raw)> =
        known.map(|(name, value)| ((*name).to_owned(), Raw::Text((*value).to_owned()))).collect();
    let (mut played, mut refusal) = (false, None);
    for preset in [Preset::Text, Preset::Reference] {
        let wrong = |problem: String| format!("with preset = {}: {problem}", preset.name());
        let spec = Spec::resolve(game, info.name, &given, preset);
        let spec = spec.map_err(|mut errors| wrong(errors.swap_remove(0).problem))?;
        if let Err(error) = game.kind(info).check_rules(spec.values(), rules) {
            refusal = Some(error.problem);
            continue;
        }
        let first = play_end(game, &spec, rules, key).map_err(wrong)?;
        let second = play_end(game, &spec, rules, key).map_err(wrong)?;
        expect_same("the same game played again", &second, &first).map_err(wrong)?;
        played = true;
    }
    Ok(refusal.filter(|_| !played))
}

/// Moves, scores and metrics of a game in which players of a spec make the last decisions.
fn play_end<D: Domain>(
    game: &'static Registered<D>,
    spec: &Spec,
    rules: &D::Rules,
    key: Key,
) -> Result<(String, Vec<i32>, Vec<RecordedMetrics>), String> {
    let opening = random_game::<D>(rules, key)?;
    let left_out = (opening.turns() as usize).saturating_sub(LAST_DECISIONS);
    let mut actions = vec![Vec::new(); D::seats(rules)];
    let mut position = D::start(rules);
    for step in opening.steps() {
        if let (Turn::Player(seat), GameStep::Action(action)) = (position.turn(), *step)
            && actions.iter().map(Vec::len).sum::<usize>() < left_out
        {
            actions[seat].push(action);
        }
        step.apply(&mut position);
    }
    let players = actions.into_iter().enumerate().map(|(seat, actions)| -> Box<dyn Player<D::Game>> {
        Box::new(AfterOpening { opening: actions.into_iter(), player: game.player(spec, key.seat(seat)) })
    });
    let mut session = GameSession::<D>::new(rules.clone(), key.deck(1), players.collect());
    play_out(&mut session)?;
    check_metrics::<D>(&session.metrics())?;
    Ok((session.moves(), session.scores(), session.metrics()))
}

/// A player that begins with given actions.
struct AfterOpening<G: Game> {
    opening: vec::IntoIter<G::Action>,
    player: Box<dyn Player<G>>,
}

impl<G: Game> Player<G> for AfterOpening<G> {
    fn decide(&mut self, position: &PlayerView<G>) -> Decision<G::Action> {
        match self.opening.next() {
            Some(action) => Decision::of(action),
            None => self.player.decide(position),
        }
    }
}
