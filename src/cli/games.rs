//! `evouct games`: the games and their rules.

use super::form::{Form, one_of};
use super::players::{described, listed_parameters, parameters_csv, parameters_json};
use super::{Outcome, reference};
use crate::domain::AnyDomain;
use crate::error::Failure;
use crate::registry;
use crate::report::{Format, printed};
use crate::table::{Cell, Table, Width};
use crate::wrap::wrapped;
use clap::Args;
use serde_json::{Value, json};
use std::io::Write;

#[derive(Args)]
pub(super) struct Arguments {
    /// Game whose rules and move numbers to list
    #[arg(value_name = "GAME")]
    name: Option<String>,
    /// Form of what is printed
    #[arg(long, value_name = "FORMAT", default_value = "text",
          value_parser = one_of(&[Form::Text, Form::Markdown, Form::Csv, Form::Json]))]
    format: Form,
}

pub(super) fn run(arguments: &Arguments, out: &mut dyn Write) -> Outcome {
    let games = match &arguments.name {
        Some(name) => vec![registry::game(name).map_err(Failure::Usage)?],
        None => registry::games(),
    };
    match (arguments.format, &arguments.name) {
        (Form::Json, Some(_)) => writeln!(out, "{}", of_game(games[0]))?,
        (Form::Json, None) => writeln!(out, "{}", games.iter().map(|game| of_game(*game)).collect::<Value>())?,
        (Form::Markdown, _) => {
            let pages: Vec<String> = games.iter().map(|game| reference::game(*game)).collect();
            write!(out, "{}", pages.join("\n"))?;
        }
        (Form::Csv, Some(_)) => write!(out, "{}", csv(games[0]))?,
        (Form::Csv, None) => {
            let table = Table::of("games", "Games", games)
                .shown(Width::Narrow, "game", "game", |game| Cell::word(game.name()))
                .shown(Width::Narrow, "about", "about", |game| Cell::word(game.about()));
            write!(out, "{}", printed(table.table(), Format::Csv))?;
        }
        (_, Some(_)) => show(games[0], out)?,
        (_, None) => {
            for game in games {
                described(out, "", &format!("{:<14} ", game.name()), game.about())?;
            }
            writeln!(out, "\n`evouct games GAME` lists the rules and move numbers of a game.")?;
        }
    }
    Ok(())
}

fn csv(game: &dyn AnyDomain) -> String {
    let numbers = |title: &str, numbers: Vec<(&str, &str)>| {
        let table = Table::of("numbers", title, numbers)
            .shown(Width::Narrow, "name", "name", |(name, _)| Cell::name(*name))
            .shown(Width::Narrow, "about", "about", |(_, about)| Cell::name(*about));
        printed(table.table(), Format::Csv)
    };
    let name = game.name();
    parameters_csv(&format!("Options of the rules of {name}"), game.rules_table())
        + &numbers(&format!("Numbers of a move of {name}"), game.move_numbers())
        + &numbers(&format!("Ratings of moves of {name}"), game.ratings())
}

fn of_game(game: &dyn AnyDomain) -> Value {
    let numbers = |numbers: &[(&str, &str)]| -> Value {
        numbers.iter().map(|(name, about)| json!({ "name": name, "about": about })).collect()
    };
    json!({
        "name": game.name(),
        "about": game.about(),
        "rules": parameters_json(game.rules_table()),
        "move_numbers": numbers(&game.move_numbers()),
        "ratings": numbers(&game.ratings()),
    })
}

fn show(game: &dyn AnyDomain, out: &mut dyn Write) -> Outcome {
    write!(out, "{}", wrapped(&format!("{}: {}", game.name(), game.about())))?;
    if !game.rules_table().is_empty() {
        writeln!(out, "\nOptions of [rules], and of --rule:")?;
        listed_parameters(game.rules_table(), out)?;
    }
    for (title, numbers) in
        [("Numbers of a move, in formulas", game.move_numbers()), ("Ratings of moves", game.ratings())]
    {
        if !numbers.is_empty() {
            writeln!(out, "\n{title}:")?;
        }
        for (name, about) in numbers.iter() {
            described(out, "  ", &format!("{name:<18} "), about)?;
        }
    }
    Ok(())
}
