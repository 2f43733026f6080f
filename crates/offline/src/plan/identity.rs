//! The identity of an evolution: the hash of everything that determines it.

use super::EvolutionPlan;
use super::game::PlanGame;
use super::keys::SemanticRule;
use evouct_base::named::Named;
use evouct_base::parameter::Later;
use evouct_gp::{Genome, SemanticSelection, Terminal, Variation};
use evouct_league::config::{Contender, OpeningSource};
use evouct_platform::domain::PlyLimit;
use evouct_search::search::SearchColumn;

/// The keys of `[evolve]` that determine nothing of its course.
const FREE_KEYS: [&str; 2] = ["bank", "held_out_decks"];
/// The same, and what an extension may add to.
const EXTENDED_KEYS: [&str; 3] = ["bank", "held_out_decks", "generations"];

/// The parts of an evolution besides the keys of `[evolve]`, as they are called in its file; the player stands last, as it
/// has a seed, too.
const PARTS: [(&str, &str); 13] = [
    ("game", "game"),
    ("rules", "[rules]"),
    ("trees", "trees"),
    ("terminals", "terminals"),
    ("from", "seeds"),
    ("opponent", "[[opponent]]"),
    ("stage", "[[stage]]"),
    ("proposer", "[[proposer]]"),
    ("python", "[python]"),
    ("openings", "openings"),
    ("max_plies", "max_plies"),
    ("at_limit", "at_limit"),
    ("player", "[[player]]"),
];

impl EvolutionPlan {
    /// The first key that no result may choose and that has another value in `earlier`, with both values: `tournament is 3,
    /// now 6`. With `scores` also the rule of which genomes are measured further. None if no key of the file tells them
    /// apart.
    pub(crate) fn difference(&self, earlier: &EvolutionPlan, scores: bool) -> Option<String> {
        if let Some(key) = self.other_key(earlier, Later::Fixed) {
            return Some(key);
        }
        let [then, now] = [earlier, self].map(|plan| [plan.parts(&FREE_KEYS), plan.parts_of_frame()].concat());
        let part = PARTS.iter().find_map(|(part, key)| {
            let [then, now] = [&then, &now].map(|parts| {
                let own = parts.iter().filter(|(own, _)| own == part);
                own.map(|(_, text)| text.as_str()).collect::<Vec<&str>>()
            });
            let at = (0..then.len().max(now.len())).find(|at| then.get(*at) != now.get(*at))?;
            Some(said(key, [then, now].map(|values| values.get(at).copied().unwrap_or_default())))
        });
        let mut rule = earlier.score_rule.rows().into_iter().zip(self.score_rule.rows()).filter(|_| scores);
        part.or_else(|| {
            let ((key, then), (_, now)) = rule.find(|((_, then), (_, now))| then != now)?;
            Some(said(key, [&then, &now]))
        })
    }

    /// The first key of `[evolve]` of this class that has another value in `earlier`, with both values.
    fn other_key(&self, earlier: &EvolutionPlan, class: Later) -> Option<String> {
        let mut keys = earlier.keys.rows().zip(self.keys.rows());
        let ((row, then), (_, now)) = keys.find(|((row, then), (_, now))| then != now && row.later == class)?;
        Some(said(row.name, [&then.to_string(), &now.to_string()]))
    }

    /// What may be extended and has another value in `earlier`: `generations is 3, now 6`.
    pub(crate) fn extension(&self, earlier: &EvolutionPlan) -> Option<String> {
        self.other_key(earlier, Later::Extends)
    }

    /// Whether this is the earlier evolution with more generations.
    pub(crate) fn extends(&self, earlier: &EvolutionPlan) -> bool {
        let [own, theirs] = [self, earlier].map(|plan| plan.description(&EXTENDED_KEYS));
        self.evolve.generations > earlier.evolve.generations
            && own == theirs
            && self.difference(earlier, true).is_none()
    }

    /// Whether this is the evolution of the other one's file with a seed of its own, but for what an extension may add to.
    pub(crate) fn is_of_file(&self, other: &EvolutionPlan) -> bool {
        let again = EvolutionPlan::parse(&other.toml, "", Some(self.seed));
        again.is_ok_and(|again| again.description(&EXTENDED_KEYS) == self.description(&EXTENDED_KEYS))
    }

    /// What makes the gains of another evolution gains in something else: the game, the player, the reference, the opponents
    /// or the games of the last stage. None if they can be compared.
    pub fn other_gains(&self, other: &EvolutionPlan) -> Option<String> {
        let of = |plan: &EvolutionPlan| {
            let mut parts = [plan.parts(&FREE_KEYS), plan.parts_of_frame()].concat();
            // The first seed is the reference.
            let reference = plan.seeds[0].to_string();
            parts.retain(|(part, text)| match *part {
                "game" | "rules" | "player" | "opponent" | "openings" | "max_plies" | "at_limit" => true,
                "from" => *text == reference,
                _ => false,
            });
            parts.dedup();
            parts
        };
        let [theirs, own] = [other, self].map(of);
        let at = (0..own.len().max(theirs.len())).find(|at| own.get(*at) != theirs.get(*at))?;
        let text = |parts: &[(&str, String)]| parts.get(at).map_or(String::new(), |(_, text)| text.clone());
        let part = own.get(at).or(theirs.get(at)).map(|(part, _)| *part).unwrap_or_default();
        let key = PARTS.iter().find(|(own, _)| *own == part).map_or(part, |(_, key)| *key);
        Some(said(key, [&text(&own), &text(&theirs)]))
    }

    /// Why more generations would not go on as an evolution that began with as many; none if they do.
    pub(crate) fn no_extension(&self) -> Option<&'static str> {
        if self.evolve.cma_samples > 0 {
            return Some(
                "cma_samples: the search for constants goes by the number of generations from the first one on",
            );
        }
        (!self.proposers.is_empty()).then_some("[[proposer]]: programs are told the number of generations")
    }

    /// Everything that determines the evolution but the keys of `[evolve]` that are `free`, as text: parameters by the
    /// names under which they are recorded.
    fn description(&self, free: &[&str]) -> String {
        let mut lines: Vec<String> = self.parts(free).iter().map(|(part, text)| format!("{part} {text}")).collect();
        for game in &self.games {
            let of = self.of_game(game);
            lines.extend(game.frame.toml(OpeningSource::clone).lines().map(|line| format!("{of}{line}")));
        }
        lines.join("\n")
    }

    /// In words, how its games begin and where they end at the latest.
    fn parts_of_frame(&self) -> Vec<(&'static str, String)> {
        let limit =
            |limit: PlyLimit| [("max_plies", limit.plies.to_string()), ("at_limit", limit.at_limit.name().to_owned())];
        let of_game = |game: &PlanGame| {
            let of = self.of_game(game);
            let openings = game.frame.openings.as_ref().map(|openings| ("openings", openings.source().to_string()));
            let parts = openings.into_iter().chain(game.frame.limit.into_iter().flat_map(limit));
            parts.map(|(key, text)| (key, format!("{of}{text}"))).collect::<Vec<_>>()
        };
        self.games.iter().flat_map(of_game).collect()
    }

    /// The same by the names of the parts, some of which there are several times.
    fn parts(&self, free: &[&str]) -> Vec<(&'static str, String)> {
        let of_games = |part: &'static str, text: &dyn Fn(&PlanGame) -> String| {
            self.games.iter().map(move |game| (part, text(game))).collect::<Vec<_>>()
        };
        let player = |game: &PlanGame| {
            let player = game.player(&self.seeds[0], self.ln, self.preset);
            player.map_or(String::new(), |player| player.description())
        };
        let names = |names: &mut dyn Iterator<Item = &'static str>| names.collect::<Vec<_>>().join(" ");
        let mut parts = of_games("game", &|game| self.named(game));
        parts.extend(of_games("rules", &|game| game.rules.arguments().join(" ")));
        parts.push(("seed", self.seed.to_string()));
        parts.extend(of_games("player", &player));
        parts.extend([
            ("evolve", self.keys.description_without(free)),
            ("trees", names(&mut self.variation.slots.iter().map(|slot| slot.name()))),
            ("terminals", names(&mut self.variation.terminals.iter().filter_map(|terminal| terminal.name()))),
        ]);
        // That of the file is among its keys.
        let variation = description_of(&self.variation);
        if variation != self.variation_of_file {
            parts.push(("variation", variation));
        }
        for game in &self.games {
            let of = self.of_game(game);
            let opponent = |own: &Contender| ("opponent", format!("{of}{}", own.spec.description()));
            parts.extend(game.opponents.iter().map(opponent));
        }
        parts.extend(self.seeds.iter().map(|seed| ("from", seed.to_string())));
        parts.extend(self.stages.iter().map(|stage| ("stage", stage.description())));
        parts.extend(self.proposers.iter().map(|proposer| ("proposer", proposer.description())));
        parts.extend(self.python.hashes().map(|(name, hash)| ("python", format!("{name} {hash}"))));
        parts
    }

    /// A game, and of several its name, its weight and whether it is held out.
    fn named(&self, game: &PlanGame) -> String {
        let (domain, PlanGame { name, weight, held_out, .. }) = (game.rules.domain().name(), game);
        if self.is_over_games() { format!("{domain} {name} {weight} {held_out}") } else { domain.to_owned() }
    }

    /// What stands before a part of a game, where there are several.
    fn of_game(&self, game: &PlanGame) -> String {
        if self.is_over_games() { format!("{}: ", game.name) } else { String::new() }
    }

    /// What version 0.1 hashed: the structures as Rust prints them.
    fn description_of_0_1(&self) -> String {
        let game = &self.games[0];
        let opponents: Vec<String> = game.opponents.iter().map(|opponent| opponent.spec.description()).collect();
        let seeds: Vec<String> = self.seeds.iter().map(Genome::to_string).collect();
        let player = self.player(0, &self.seeds[0]);
        let terminal = |terminal: &Terminal| match terminal {
            Terminal::Column(column) => match SearchColumn::of(*column) {
                Some(known) => format!("Column({known:?})"),
                None => format!("Column({column:?})"),
            },
            other => format!("{other:?}"),
        };
        let Variation { slots, terminals, functions, max_nodes, max_height, operators, .. } = &self.variation;
        let terminals = terminals.iter().map(terminal).collect::<Vec<_>>().join(", ");
        let variation = format!(
            "Variation {{ slots: {slots:?}, terminals: [{terminals}], functions: {functions:?}, max_nodes: {max_nodes}, \
             max_height: {max_height}, weights: {operators:?} }}"
        );
        let semantics = self.evolve.semantic_rule().map_or("None".to_owned(), |SemanticRule { units, selection }| {
            let SemanticSelection { alpha, beta, tie_epsilon, .. } = selection;
            let range = format!("equal: {tie_epsilon:?}, alpha: {alpha:?}, beta: {beta:?}");
            format!("Some(SemanticRule {{ units: {units}, {range} }})")
        });
        let algorithm = self.evolve.algorithm.name();
        let algorithm = format!("{}{}", algorithm[..1].to_uppercase(), &algorithm[1..]);
        let stages = format!("{:?}", self.stages).replace("FitnessStage {", "Stage {");
        format!(
            "{} {:?} {} {} {:?} {:?} {variation} {stages} {algorithm} {} {} {} {} {} {} {} {} {} {:?} {} {semantics}",
            game.rules.domain().name(),
            game.rules.arguments(),
            self.seed,
            player.map_or(String::new(), |player| player.description()),
            opponents,
            seeds,
            self.evolve.islands,
            self.evolve.population,
            self.evolve.offspring(),
            self.evolve.elite,
            self.evolve.tournament,
            self.evolve.generations,
            self.evolve.migrate_every,
            self.evolve.migrate_count,
            self.evolve.finalists,
            self.evolve.tuning(),
            self.evolve.hall_of_fame,
        )
    }

    /// The hash of everything that determines the evolution; `bank` is the digest of its bank.
    pub fn hash(&self, bank: &str) -> String {
        hash_of(&self.description(&FREE_KEYS), bank)
    }

    /// The hash of the same evolution in journals of version 0.1.
    pub fn hash_of_0_1(&self, bank: &str) -> String {
        hash_of(&self.description_of_0_1(), bank)
    }
}

/// That a key has another value.
fn said(key: &str, values: [&str; 2]) -> String {
    let [then, now] = values.map(|text| if text.is_empty() { "none" } else { text });
    format!("{key} is {then:.200}, now {now:.200}")
}

/// What formulas are made of and how they vary, as text.
pub(crate) fn description_of(variation: &Variation) -> String {
    let Variation { slots, terminals, leaf_terminals, functions, max_nodes, max_height, operators } = variation;
    let slots: Vec<&str> = slots.iter().map(|slot| slot.name()).collect();
    let names =
        |terminals: &[Terminal]| terminals.iter().filter_map(|terminal| terminal.name()).collect::<Vec<_>>().join(" ");
    let functions: Vec<&str> = functions.iter().map(|function| function.name()).collect();
    let operators: Vec<String> = operators.iter().map(|(own, weight)| format!("{}={weight}", own.name())).collect();
    format!(
        "{}; {}; {}; {}; {max_nodes}; {max_height}; {}",
        slots.join(" "),
        names(terminals),
        names(leaf_terminals),
        functions.join(" "),
        operators.join(" ")
    )
}

/// The hash of an evolution with this hash whose values somebody else measures.
pub(crate) fn hash_measured_by(hash: &str, by: &str) -> String {
    hash_of(&format!("{hash}\nmeasured by {by}"), "")
}

fn hash_of(description: &str, bank: &str) -> String {
    blake3::hash(format!("{description}\n{bank}").as_bytes()).to_hex()[..16].to_owned()
}
