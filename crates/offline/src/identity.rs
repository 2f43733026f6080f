//! The identity of an evolution: the hash of everything that determines it.

use super::plan::{EvolutionPlan, SemanticRule};
use super::proposer::Proposer;
use evouct_base::named::Named;
use evouct_gp::{Genome, SemanticSelection, Terminal, Variation};
use evouct_league::config::OpeningSource;
use evouct_search::search::SearchColumn;

/// The keys of `[evolve]` that determine nothing of an evolution.
const FREE_KEYS: [&str; 2] = ["bank", "held_out_decks"];

/// The key in a file of what a line of the description begins with; the player stands last, as it has a seed, too.
const LINES: [(&str, &str); 9] = [
    ("game", "game"),
    ("rules", "[rules]"),
    ("trees", "trees"),
    ("terminals", "terminals"),
    ("from", "seeds"),
    ("opponent", "[[opponent]]"),
    ("stage", "[[stage]]"),
    ("proposer", "[[proposer]]"),
    ("player", "[[player]]"),
];

impl EvolutionPlan {
    /// The first key that determines the evolution and has another value in `earlier`, with both values: `generations is
    /// 3, now 6`. None if no key of the file tells them apart.
    pub(super) fn difference(&self, earlier: &EvolutionPlan) -> Option<String> {
        let said = |key: &str, [then, now]: [&str; 2]| format!("{key} is {then}, now {now}");
        let mut keys = earlier.keys.rows().zip(self.keys.rows());
        let key = keys.find(|((row, then), (_, now))| then != now && !FREE_KEYS.contains(&row.name));
        if let Some(((row, then), (_, now))) = key {
            return Some(said(row.name, [&then.to_string(), &now.to_string()]));
        }
        let [then, now] = [earlier, self].map(EvolutionPlan::description);
        LINES.iter().find_map(|(label, key)| {
            let [then, now] = [&then, &now].map(|text| {
                let values = text.lines().filter_map(|line| line.strip_prefix(label)?.strip_prefix(' '));
                values.collect::<Vec<&str>>()
            });
            let at = (0..then.len().max(now.len())).find(|at| then.get(*at) != now.get(*at))?;
            Some(said(
                key,
                [then, now].map(|values| values.get(at).copied().filter(|text| !text.is_empty()).unwrap_or("none")),
            ))
        })
    }

    /// Everything that determines the evolution, as text: parameters by the names under which they are recorded.
    fn description(&self) -> String {
        let player = self.player(&self.seeds[0]).map_or(String::new(), |player| player.description());
        let names = |names: &mut dyn Iterator<Item = &'static str>| names.collect::<Vec<_>>().join(" ");
        let mut lines = vec![
            format!("game {}", self.rules.domain().name()),
            format!("rules {}", self.rules.arguments().join(" ")),
            format!("seed {}", self.seed),
            format!("player {player}"),
            format!("evolve {}", self.keys.description_without(&FREE_KEYS)),
            format!("trees {}", names(&mut self.variation.slots.iter().map(|slot| slot.name()))),
            format!("terminals {}", names(&mut self.variation.terminals.iter().filter_map(|terminal| terminal.name()))),
        ];
        // That of the file is among its keys.
        let variation = description_of(&self.variation);
        if variation != self.variation_of_file {
            lines.push(format!("variation {variation}"));
        }
        lines.extend(self.opponents.iter().map(|opponent| format!("opponent {}", opponent.spec.description())));
        lines.extend(self.seeds.iter().map(|seed| format!("from {seed}")));
        lines.extend(self.stages.iter().map(|stage| format!("stage {}", stage.description())));
        lines.extend(self.proposers.iter().map(Proposer::description));
        lines.extend(self.frame.toml(OpeningSource::clone).lines().map(str::to_owned));
        lines.join("\n")
    }

    /// What version 0.1 hashed: the structures as Rust prints them.
    fn description_of_0_1(&self) -> String {
        let opponents: Vec<String> = self.opponents.iter().map(|opponent| opponent.spec.description()).collect();
        let seeds: Vec<String> = self.seeds.iter().map(Genome::to_string).collect();
        let player = self.player(&self.seeds[0]);
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
        let semantics = self.semantics.map_or("None".to_owned(), |SemanticRule { units, selection }| {
            let SemanticSelection { alpha, beta, tie_epsilon, .. } = selection;
            let range = format!("equal: {tie_epsilon:?}, alpha: {alpha:?}, beta: {beta:?}");
            format!("Some(SemanticRule {{ units: {units}, {range} }})")
        });
        let stages = format!("{:?}", self.stages).replace("FitnessStage {", "Stage {");
        format!(
            "{} {:?} {} {} {:?} {:?} {variation} {stages} {:?} {} {} {} {} {} {} {} {} {} {:?} {} {semantics}",
            self.rules.domain().name(),
            self.rules.arguments(),
            self.seed,
            player.map_or(String::new(), |player| player.description()),
            opponents,
            seeds,
            self.algorithm,
            self.islands,
            self.population,
            self.offspring,
            self.elite,
            self.tournament,
            self.generations,
            self.migrate_every,
            self.migrate_count,
            self.finalists,
            self.tuning,
            self.hall_of_fame,
        )
    }

    /// The hash of everything that determines the evolution; `bank` is the digest of its bank.
    pub fn hash(&self, bank: &str) -> String {
        hash_of(&self.description(), bank)
    }

    /// The hash of the same evolution in journals of version 0.1.
    pub fn hash_of_0_1(&self, bank: &str) -> String {
        hash_of(&self.description_of_0_1(), bank)
    }
}

/// What formulas are made of and how they vary, as text.
pub(super) fn description_of(variation: &Variation) -> String {
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
pub(super) fn hash_measured_by(hash: &str, by: &str) -> String {
    hash_of(&format!("{hash}\nmeasured by {by}"), "")
}

fn hash_of(description: &str, bank: &str) -> String {
    blake3::hash(format!("{description}\n{bank}").as_bytes()).to_hex()[..16].to_owned()
}
