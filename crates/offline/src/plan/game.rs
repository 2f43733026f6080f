//! The games in which formulas are measured: that of the file, or those of `[[evolve.game]]`.

use super::genome;
use super::stage::FitnessStage;
use evouct_base::named::Named;
use evouct_base::parameter::{Parameter, ParameterError, Parameters, Preset, Raw, Values};
use evouct_base::seed::Key;
use evouct_gp::{Genome, LnRule, Slot};
use evouct_league::config::reader::TomlTable;
use evouct_league::config::{Contender, GameFrame, LimitKeys, OPENINGS, check_name, contenders, game_rules};
use evouct_platform::domain::{GameRules, Spec};
use std::sync::LazyLock;

/// The most games of an evolution.
const MOST: usize = 64;

evouct_base::named! {
    /// What the fitness of a formula in several games is.
    #[derive(Default)]
    pub enum OverGames {
        /// The mean of its gains in all games, by their weights.
        #[default]
        Mean = "mean",
        /// The least of them.
        Least = "least",
    }
}

evouct_base::parameters! {
    /// The keys of a `[[evolve.game]]`.
    struct GameKeys {
        /// The game.
        game: String = String::new(), required = true;
        /// Its name in tables and files: letters, digits and . _ - : [default: that of the game].
        name: Option<String> = None;
        /// Its weight in the mean over games.
        weight: f64 = 1.0, values = Values::Real(0.001, 1e6);
        /// Whether evolution does not see it: it is played in the last stage and in the proof, and decides nothing.
        held_out: bool = false;
    }
}

evouct_base::parameter_groups! {
    /// The keys of a `[[evolve.game]]`, sections aside.
    struct AllGameKeys {
        /// Its own.
        own: GameKeys;
        /// Where games end at the latest.
        limit: LimitKeys;
    }
}

pub(crate) static GAME_KEYS: LazyLock<Vec<Parameter>> = LazyLock::new(AllGameKeys::table);
/// The keys of a `[[evolve.game]]` that hold tables.
pub(crate) const GAME_SECTIONS: [&str; 4] = ["rules", OPENINGS, "player", "opponent"];

/// A game in which formulas are measured.
#[derive(Clone, Debug)]
pub struct PlanGame {
    /// Its name in tables and files.
    pub name: String,
    /// The rules.
    pub rules: GameRules,
    /// How games begin, and where they end at the latest.
    pub frame: GameFrame,
    /// The parameters of the player besides its formulas.
    pub template: Vec<(String, Raw)>,
    /// The opponents of the measure `games`.
    pub opponents: Vec<Contender>,
    /// Its weight in the mean over games.
    pub weight: f64,
    /// Whether only the last stage and the proof play it, and it decides nothing.
    pub held_out: bool,
    /// Of several games, what a gain is divided by: the standard deviation of the reference's results per deck, in points.
    /// 1 until it is measured, and in an evolution in one game, whose gains are in points.
    pub deviation: f64,
}

impl PlanGame {
    /// The player of a genome. Numbers of a move that the game does not give are 0.
    ///
    /// # Errors
    /// If its kind refuses a formula.
    pub(crate) fn player(&self, genome: &Genome, ln: LnRule, preset: Preset) -> Result<Spec, ParameterError> {
        let domain = self.rules.domain();
        genome::player(&genome::in_game(genome, domain, ln), domain, &self.template, preset)
    }

    /// The same as files give it. Where all moves are alike to its playouts, these are random and rate none: a rating by a
    /// constant has the same distribution, and takes longer.
    ///
    /// # Errors
    /// If its kind refuses a formula.
    pub(crate) fn written_player(&self, genome: &Genome, ln: LnRule, preset: Preset) -> Result<Spec, ParameterError> {
        let is_even = match genome.tree(Slot::Playout) {
            Some(rating) => rating.needs().columns().next().is_none(),
            None => genome::even_rating(&self.template).is_some_and(|even| self.template.contains(&even)),
        };
        if !is_even {
            return self.player(genome, ln, preset);
        }
        let mut random = self.clone();
        random.template.retain(|(key, _)| !genome::rates_playouts(key));
        let random = random.player(&genome.with(Slot::Playout, None), ln, preset)?;
        // Not where random moves have another distribution than the same for all.
        let is_uniform = random.parameters().rows().all(|(row, value)| row.name != "playout" || *value == row.text);
        if is_uniform { Ok(random) } else { self.player(genome, ln, preset) }
    }

    /// Refuses a genome that cannot play the game.
    ///
    /// # Errors
    /// Why it cannot.
    pub(crate) fn check(&self, genome: &Genome, ln: LnRule, preset: Preset) -> Result<Spec, ParameterError> {
        let player = self.player(genome, ln, preset)?;
        self.rules.check_player(&player).and_then(|()| player.check_reproducible())?;
        Ok(player)
    }
}

impl<'b> Listed<'b> {
    /// The table with its openings: its own, or that of the file.
    fn openings<'a>(&'a self, file: &'a TomlTable<'b>) -> &'a TomlTable<'b> {
        self.section.as_ref().filter(|section| section.has(OPENINGS)).unwrap_or(file)
    }
}

/// What all games of a file have in common.
pub(crate) struct Shared<'a, 'b> {
    /// The file.
    pub table: &'a TomlTable<'b>,
    /// Its `[evolve]`, if it has one.
    pub evolve: Option<&'a TomlTable<'b>>,
    /// Its game.
    pub game: &'a str,
    /// Where its games end at the latest.
    pub limit: &'a LimitKeys,
    /// Defaults of players.
    pub preset: Preset,
    /// The key of openings.
    pub key: Key,
}

/// A game of the file.
pub(crate) struct Listed<'b> {
    pub game: PlanGame,
    /// Its `[[evolve.game]]`; none for the game of the file.
    section: Option<TomlTable<'b>>,
    /// Where its games end at the latest, if its table says so.
    limit: Option<LimitKeys>,
}

impl<'b> Shared<'_, 'b> {
    /// The games, those first that evolution sees, without players and frames; what is wrong is noted.
    pub(crate) fn games(&self) -> Option<Vec<Listed<'b>>> {
        let (evolve, sections) = (self.evolve, self.evolve.map_or(Vec::new(), |evolve| evolve.sections("game")));
        let Some(evolve) = evolve.filter(|_| !sections.is_empty()) else {
            let rules = game_rules(self.table, self.game)?;
            let name = rules.domain().name().to_owned();
            return Some(vec![Listed { game: PlanGame::of(name, rules), section: None, limit: None }]);
        };
        for key in ["game", "rules"].into_iter().filter(|key| self.table.has(key)) {
            self.table.note_at(key, format!("{key}: the games are those of [[evolve.game]]; leave it out"));
        }
        if sections.len() == 1 || sections.len() > MOST {
            let problem = format!("[[evolve.game]]: expected 2 to {MOST} games, found {}", sections.len());
            evolve.note_at("game", format!("{problem}; one game stands at the top of the file"));
        }
        let mut games: Vec<Listed> = Vec::new();
        let mut is_whole = true;
        for section in sections {
            let AllGameKeys { own: keys, limit } = AllGameKeys::read(section.fill(&GAME_KEYS, &GAME_SECTIONS).values());
            let rules = (!keys.game.is_empty()).then(|| game_rules(&section, &keys.game)).flatten();
            let Some(rules) = rules else {
                is_whole = false;
                continue;
            };
            let name = keys.name.unwrap_or_else(|| rules.domain().name().to_owned());
            let at = if section.has("name") { "name" } else { "game" };
            if let Err(problem) = check_name(&name) {
                section.note_at(at, problem);
            }
            if games.iter().any(|other| other.game.name == name) {
                section.note_at(at, format!("two games have the name {name}; give each a name"));
            }
            if let Some(Listed { game: first, .. }) = games.first()
                && first.rules.seats() != rules.seats()
            {
                let (own, other, seats) = (rules.seats(), &first.name, first.rules.seats());
                section.note_at("game", format!("{name} has {own} seats, {other} has {seats}; expected as many"));
            }
            let (weight, held_out) = (keys.weight, keys.held_out);
            let game = PlanGame { weight, held_out, ..PlanGame::of(name, rules) };
            let limit = ["max_plies", "at_limit"].iter().any(|key| section.has(key)).then_some(limit);
            games.push(Listed { game, section: Some(section), limit });
        }
        if is_whole && games.iter().all(|listed| listed.game.held_out) {
            evolve.note_at("game", "[[evolve.game]]: all games are held out; expected one that evolution sees");
        }
        games.sort_by_key(|listed| listed.game.held_out);
        is_whole.then_some(games)
    }

    /// Reads the players of games, and returns the rule for ln of the players; what is wrong is noted.
    pub(crate) fn players(&self, games: &mut [Listed], (slots, seeds): (&[Slot], &[Genome])) -> Option<LnRule> {
        // Playouts that do not evolve may have a rating.
        let rates = slots.contains(&Slot::Playout) || seeds.iter().any(|seed| seed.tree(Slot::Playout).is_some());
        let template = self.template(rates)?;
        let mut rule = None;
        for Listed { game, section, .. } in games {
            let own = section.as_ref().and_then(|section| section.section("player"));
            game.template.clone_from(&template);
            for (key, value) in own.as_ref().map_or(Vec::new(), |own| own.raws(|_| true)) {
                if is_evolved(&key, rates) || ["name", "kind", "ln"].contains(&key.as_str()) {
                    let problem =
                        format!("{key}: it is the same in all games; expected other parameters of the player");
                    own.iter().for_each(|own| own.note_at(&key, problem.clone()));
                    continue;
                }
                game.template.retain(|(other, _)| *other != key);
                game.template.push((key, value));
            }
            game.template.extend(genome::even_rating(&game.template).filter(|_| rates));
            let ln = self.check_seeds(game, own.as_ref(), seeds);
            rule = rule.or(Some(ln));
            let at = section.as_ref().filter(|section| section.has("opponent")).unwrap_or(self.table);
            let opponents = contenders(at, "opponent", self.preset, &game.rules, false, Spec::check_reproducible);
            game.opponents = opponents;
        }
        rule
    }

    /// Reads the frames of games.
    pub(crate) fn frames(&self, games: &mut [Listed]) {
        for listed in games {
            let limit = listed.limit.as_ref().unwrap_or(self.limit);
            let frame = GameFrame::read(listed.openings(self.table), limit, &listed.game.rules, self.key);
            listed.game.frame = frame;
        }
    }

    /// The text of the file with lists of openings in place of the names of files that have them.
    pub(crate) fn with_lists(&self, games: &[Listed<'b>], text: &str) -> String {
        let place = |listed: &Listed<'b>| listed.openings(self.table).place_of(OPENINGS).map(|place| place.start);
        let mut places: Vec<(usize, &Listed<'b>)> =
            games.iter().filter_map(|listed| Some((place(listed)?, listed))).collect();
        // The last first, so that the places of the others stay what they are.
        places.sort_by_key(|(place, _)| std::cmp::Reverse(*place));
        places.dedup_by_key(|(place, _)| *place);
        let with_list =
            |text: String, (_, game): (usize, &Listed<'b>)| game.game.frame.with_list(game.openings(self.table), &text);
        places.into_iter().fold(text.to_owned(), with_list)
    }

    /// The parameters of the player besides its formulas.
    fn template(&self, rates: bool) -> Option<Vec<(String, Raw)>> {
        let players = self.table.sections("player");
        if players.len() != 1 {
            self.table.note(format!("[[player]]: expected one, of kind formula, found {}", players.len()));
        }
        let player = players.first()?;
        let mut template = player.raws(|key| !["name", "kind"].contains(&key));
        if player.text("kind").ok().flatten() != Some("formula") {
            player.note_at("kind", "expected kind = formula, the kind of player that evolves");
        }
        if let Some((key, _)) = template.iter().find(|(key, _)| is_evolved(key, rates)) {
            player.note_at(&key.clone(), format!("{key} is evolved; [evolve] has seeds"));
        }
        template.retain(|(key, _)| !is_evolved(key, rates));
        Some(template)
    }

    /// Notes seeds that cannot play a game; the rule for ln of the player.
    fn check_seeds(&self, game: &PlanGame, own: Option<&TomlTable>, seeds: &[Genome]) -> LnRule {
        let mut ln = LnRule::default();
        let players = self.table.sections("player");
        for seed in seeds {
            match game.player(seed, ln, self.preset) {
                Ok(spec) => {
                    ln = spec.parameter().unwrap_or_default();
                    if let Err(error) = game.rules.check_player(&spec).and_then(|()| spec.check_reproducible()) {
                        players[0].note_at(error.key.as_deref().unwrap_or("kind"), error.problem);
                    }
                }
                Err(error) => {
                    let at = error.key.as_deref().filter(|key| game.template.iter().any(|(own, _)| own == key));
                    match at {
                        Some(key) => own.filter(|own| own.has(key)).unwrap_or(&players[0]).note_at(key, error.problem),
                        None => {
                            self.evolve.unwrap_or(self.table).note_at("seeds", format!("{seed}: {}", error.problem))
                        }
                    }
                }
            }
        }
        ln
    }
}

impl PlanGame {
    fn of(name: String, rules: GameRules) -> PlanGame {
        let (frame, template, opponents) = (GameFrame::default(), Vec::new(), Vec::new());
        PlanGame { name, rules, frame, template, opponents, weight: 1.0, held_out: false, deviation: 1.0 }
    }
}

/// Whether a parameter of the player holds a formula that evolves; the rating of playouts may be one.
fn is_evolved(key: &str, rates: bool) -> bool {
    let mut evolved = Slot::NAMES.iter().filter(|(_, slot)| rates || *slot != Slot::Playout);
    evolved.any(|(_, slot)| genome::parameter(*slot) == key)
}

/// Notes what an evolution in several games cannot have.
pub(crate) fn check_games(
    table: &TomlTable,
    evolve: &TomlTable,
    games: usize,
    (scale_decks, stages): (u32, &[FitnessStage]),
) {
    if games == 1 {
        for key in ["over", "scale_decks"].into_iter().filter(|key| evolve.has(key)) {
            evolve.note_at(
                key,
                format!("{key}: only an evolution in several games ([[evolve.game]]) has one; leave it out"),
            );
        }
        return;
    }
    for key in ["bank", "second", "semantics"].into_iter().filter(|key| evolve.has(key)) {
        evolve.note_at(key, format!("{key}: it is of one game; an evolution in several games has none; leave it out"));
    }
    if let Some(block) = stages.first().map(|stage| stage.block).filter(|block| scale_decks <= *block) {
        let problem =
            format!("scale_decks = {scale_decks} is one block of {block}, which has no deviation; expected more");
        evolve.note_at("scale_decks", problem);
    }
    for stage in table.sections("stage") {
        let measure = stage.text("measure").ok().flatten();
        if let Some(found) = measure.filter(|found| ["replay", "regret"].contains(found)) {
            let problem =
                format!("measure = {found}: its positions are of one game; expected games in every [[stage]]");
            stage.note_at("measure", problem);
        }
    }
}
