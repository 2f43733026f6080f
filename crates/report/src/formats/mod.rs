//! From tables to text: the formats of a report. They compute nothing.

pub(super) mod block;
pub(super) mod board;
pub(super) mod chart;
mod differences;
mod drawing;
pub(super) mod figure;
pub(super) mod files;
pub(super) mod folder_comparison;
pub(super) mod latex;
pub(super) mod markdown;
mod names;
pub(super) mod page;
mod pdf;
mod picture;
mod pictures;
pub(super) mod power;
mod shapes;
pub(super) mod summary;
pub(super) mod text;

#[cfg(test)]
mod tests {
    //! Each table in each form against its snapshot in `tests/tables`. After an intended change, write the snapshots again
    //! with `UPDATE_TABLES=1 cargo test -p evouct-report snapshot` and look at `git diff`.

    use super::block::{Block, Format, Screen, print};
    use super::latex::environment;
    use super::page::table::table as page;
    use crate::aggregate::load::LoadedRun;
    use crate::tables::formulas::{EvolutionRow, FormulaRow, FrontRow, OrderRow};
    use crate::tables::report::Report;
    use crate::tables::typed;
    use evouct_base::table::{Table, TypedColumn, Width};
    use evouct_gp::LnRule;
    use evouct_league::config::{Experiment, Overrides};
    use evouct_league::export::csv_file;
    use evouct_league::league::{ResumeOptions, Session};
    use evouct_league::record::Run;
    use std::fs;
    use std::path::Path;
    use std::sync::Arc;

    const PLAYERS: &str = "[[player]]\nname = \"#1 & <b>\"\nkind = \"simple2\"\n[[player]]\nname = \"a|b\"\nkind = \"simple1\"\n\
                           [[player]]\nname = \"=c\"\nkind = \"random\"\n";
    const PRINTED: &str = "[paper]\nsource = \"A_1\"\nranking = [{ player = \"a|b\", points = 9 }, { player = \"=c\", points = 1, pd = -20.5 }]\n\
                           matches = [{ home = \"a|b\", away = \"=c\", games = 9, home_wins = 5, away_wins = 4 }]\n\
                           seats = [{ player = \"=c\", seat = 1, games = 50, score = 18.3 }]\n";

    /// The report of a league that is played here, with times of no machine.
    fn report(toml: &str) -> Report {
        evouct_carcassonne::add();
        let experiment = Experiment::parse(toml, "small.toml", Overrides::default()).unwrap();
        let folder = std::env::temp_dir().join(format!("evouct-tables-{}-{}", std::process::id(), experiment.name));
        let session = Session::plan(experiment.clone(), &folder, None, ResumeOptions::default()).unwrap();
        session.play(1, &Arc::default(), &mut (), |_| {}).unwrap();
        let loaded = LoadedRun::read(&Run::open(&folder).unwrap(), &experiment, |_, _| Ok(())).unwrap();
        fs::remove_dir_all(folder).unwrap();
        let mut report = Report::of(&experiment, &loaded.aggregate);
        report.ranking.iter_mut().for_each(|row| row.cost.seconds = Some(0.0123));
        report.seats.iter_mut().for_each(|row| row.means.retain(|name, _| name != "seconds"));
        let gauntlet = report.gauntlet.iter_mut();
        gauntlet.for_each(|gauntlet| {
            gauntlet.contestants.iter_mut().for_each(|row| row.cost.seconds = Some(1.5));
            gauntlet.opponents.iter_mut().for_each(|row| row.cost.seconds = Some(2e-6));
        });
        report
    }

    fn evolved(report: &mut Report) {
        let (player, formula) = ("a|b".to_owned(), "Q + sqrt(2 * ln(N) / n)".to_owned());
        let [nodes, depth, gain] = [Some(9.5), Some(4.0), None];
        let counts = [3, 1, 0, 7, 900];
        let [ties, in_range, by_semantics, replaced, playouts] = counts;
        let (decisions, generations) = (36, 360);
        report.evolution.push(EvolutionRow {
            player: player.clone(),
            decisions,
            generations,
            ties,
            in_range,
            by_semantics,
            replaced,
            playouts,
            nodes,
            depth,
            gain,
        });
        let order = "exploring";
        report.orders.push(OrderRow {
            player: player.clone(),
            order,
            formula: formula.clone(),
            formulas: 3,
            count: 9,
            of: 36,
        });
        report.front.push(FrontRow {
            player: player.clone(),
            nodes: 9,
            formula: formula.clone(),
            gain: 1.25,
            count: 9,
        });
        let ln = LnRule::default();
        report.formulas.push(FormulaRow { player, formula, ln, order, nodes: 9, count: 9, lost: 0, of: 36 });
    }

    /// A table in all forms.
    fn forms(report: &Report, table: &Table) -> String {
        let printed = |format, width| print(&[Block::Table(table.clone(), width)], format);
        let columns: Vec<&TypedColumn> = table.shown(Width::Full).collect();
        let screen = Format::Screen(Screen { width: 80, colour: false });
        let forms = [
            ("terminal", printed(screen, Width::Brief)),
            ("text", printed(Format::Text, Width::Full)),
            ("Markdown", printed(Format::Markdown, Width::Full)),
            ("printed CSV", printed(Format::Csv, Width::Full)),
            ("LaTeX", environment(report, table, table.name, &columns, false)),
            ("page", page(table).into_string().replace("<tr>", "\n<tr>")),
            ("file", csv_file(table)),
        ];
        // A form without columns has nothing to show.
        forms.iter().map(|(form, text)| format!("=== {form}\n{}\n", text.trim())).collect()
    }

    fn compare(report: &Report, tables: &[(&str, Table)]) {
        for (name, table) in tables {
            let (text, path) = (forms(report, table), format!("tests/tables/{name}.txt"));
            let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(path);
            if std::env::var_os("UPDATE_TABLES").is_some() {
                fs::write(&path, &text).unwrap();
            }
            let kept = fs::read_to_string(&path).unwrap_or_default();
            assert!(kept == text, "{name} differs from its snapshot (see UPDATE_TABLES):\n{text}");
        }
    }

    #[test]
    fn tables_of_a_league_are_those_of_the_snapshots() {
        let head = "name = \"small\"\nseed = 3\ngames_per_match = 6\n";
        let mut report = report(&format!("{head}{PLAYERS}{PRINTED}"));
        evolved(&mut report);
        let (pairs, paper) = (report.shown_pairs(), report.paper.as_ref().unwrap());
        let tables = [
            ("ranking", typed::ranking(&report)),
            ("matches", typed::matches(&report)),
            ("square", typed::cross_table(&report)),
            ("significance", typed::significance(&report, &pairs)),
            ("ratings", typed::ratings(&report)),
            ("metrics", typed::measures(&report)),
            ("printed-ranking", typed::printed_ranking(paper)),
            ("printed-matches", typed::of_matches(paper)),
            ("printed-means", typed::means(paper)),
            ("evolution", typed::evolution(&report)),
            ("orders", typed::orders(&report)),
            ("front", typed::front(&report)),
            ("formulas", typed::formulas(&report)),
        ];
        compare(&report, &tables);
    }

    #[test]
    fn tables_of_a_gauntlet_and_of_swiss_rounds_are_those_of_the_snapshots() {
        let head = "name = \"gauntlet\"\nseed = 3\ngames_per_match = 6\nschedule = \"gauntlet\"\n";
        let report = report(&format!("{head}{PLAYERS}"));
        let gauntlet = report.gauntlet.as_ref().unwrap();
        compare(
            &report,
            &[("contestants", typed::contestants(gauntlet, &report)), ("compared", typed::compared(gauntlet))],
        );
        let head = "name = \"swiss\"\nseed = 3\ngames_per_match = 2\nschedule = \"swiss\"\nrounds = 1\n";
        let report = self::report(&format!("{head}{PLAYERS}[[player]]\nkind = \"simple3\"\n"));
        compare(&report, &[("swiss", typed::ranking(&report))]);
    }
}
