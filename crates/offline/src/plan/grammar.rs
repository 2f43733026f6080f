//! What the formulas of an evolution are made of, as its file says it: `trees`, `terminals` and `seeds`.

use evouct_base::named::Named;
use evouct_base::suggest::nearest;
use evouct_gp::{Genome, Scope, Slot, Terminal};
use evouct_league::config::reader::TomlTable;
use evouct_platform::domain::AnyDomain;
use evouct_search::search::SearchColumn;
use toml::de::DeValue;

/// A list of texts; what is not one is noted.
fn texts<'a>(table: &TomlTable<'a>, key: &'static str) -> Vec<&'a str> {
    let list = table.list(key).unwrap_or_else(|error| {
        table.note_at(key, error.problem);
        Vec::new()
    });
    let text = |item: &&'a DeValue<'a>| {
        let text = item.as_str();
        if text.is_none() {
            table.note_at(key, format!("{key}: expected a list of texts"));
        }
        text
    };
    list.iter().filter_map(text).collect()
}

/// The formulas that evolve: `trees`.
pub(crate) fn slots(table: &TomlTable) -> Vec<Slot> {
    let mut slots = vec![Slot::Select];
    for name in texts(table, "trees") {
        match Slot::of_name(name) {
            Some(Slot::Select) => {}
            Some(slot) if slots.contains(&slot) => table.note_at("trees", format!("trees: {name} is given twice")),
            Some(slot) => slots.push(slot),
            None => {
                let known = Slot::names();
                let hint = nearest(name, known.iter().copied())
                    .map_or(known.join(", "), |near| format!("did you mean {near}?"));
                table.note_at("trees", format!("trees: there is no formula called {name:?}; {hint}"));
            }
        }
    }
    slots
}

/// The terminals that formulas may have: `terminals`.
pub(crate) fn terminals(table: &TomlTable, games: &Games) -> Vec<Terminal> {
    let names = texts(table, "terminals");
    if names.is_empty() {
        return vec![Terminal::Mean, Terminal::ChildVisits, Terminal::ParentVisits];
    }
    let known = known_terminals(games);
    let mut terminals = Vec::new();
    for name in names {
        match known.iter().find(|known| known.name() == Some(name)) {
            Some(terminal) if terminals.contains(terminal) => {
                table.note_at("terminals", format!("terminals: {name} is given twice"));
            }
            Some(terminal) => terminals.push(*terminal),
            None => {
                let all: Vec<&str> = known.iter().filter_map(|terminal| terminal.name()).collect();
                let hint = nearest(name, all.iter().copied())
                    .map_or(format!("it has {}", all.join(", ")), |near| format!("did you mean {near}?"));
                let problem = match games {
                    [game] => format!("{} has no terminal {name:?}", game.name()),
                    _ => {
                        let names: Vec<&str> = games.iter().map(|game| game.name()).collect();
                        format!("none of {} has a terminal {name:?}", names.join(", "))
                    }
                };
                table.note_at("terminals", format!("terminals: {problem}; {hint}"));
            }
        }
    }
    terminals
}

/// The terminals that formulas of games can have.
fn known_terminals(games: &Games) -> Vec<Terminal> {
    let mut terminals = all_terminals(games);
    // `c` is a parameter of the player, and statistics of a playout are those of the formula of leaf, which has them always.
    let is_of_playout =
        |terminal: &Terminal| matches!(terminal, Terminal::Column(column) if column.scope() == Scope::Playout);
    terminals.retain(|terminal| *terminal != Terminal::Constant && !is_of_playout(terminal));
    terminals
}

/// What the game gives for a move, each with a line about it: its move numbers, then its ratings.
pub(crate) fn of_move(domain: &dyn AnyDomain) -> Vec<(&'static str, &'static str)> {
    domain.move_numbers().into_iter().chain(domain.ratings()).collect()
}

/// The games in which formulas play.
pub(crate) type Games = [&'static dyn AnyDomain];

/// All terminals of a search in games: what one of them gives for a move is 0 in the others.
pub(crate) fn all_terminals(games: &Games) -> Vec<Terminal> {
    let mut names: Vec<&str> = Vec::new();
    for (name, _) in games.iter().flat_map(|game| of_move(*game)) {
        if !names.contains(&name) {
            names.push(name);
        }
    }
    SearchColumn::terminals(&names)
}

/// The genomes to start from: `seeds`.
pub(crate) fn seeds(table: &TomlTable, games: &Games) -> Vec<Genome> {
    let (mut seeds, terminals) = (Vec::new(), all_terminals(games));
    for text in texts(table, "seeds") {
        match Genome::parse(text, &terminals) {
            Ok(genome) => seeds.push(genome),
            Err(problem) => table.note_at("seeds", format!("seeds: {text}: {problem}")),
        }
    }
    if seeds.is_empty() {
        table.note("seeds is missing: the first seed is the formula that others are compared with");
    }
    seeds
}

/// Whether a terminal has no value where recorded rewards of the root's moves are all that there is.
pub(crate) fn is_undefined_in_replay(terminal: &Terminal) -> bool {
    let Terminal::Column(column) = terminal else { return false };
    SearchColumn::of(*column).is_some_and(|known| known == SearchColumn::PartMean || known.is_learned())
}
