//! A game, step by step.

use crate::report::formats::board::Show;
use maud::{Markup, PreEscaped, html};
use serde_json::json;

/// The game with its board, its controls and what there is to tell of each turn.
pub(super) fn stage(show: &Show, open: bool) -> Markup {
    let last = show.turns.last();
    let score = |seat: usize| last.map_or(0, |turn| turn.virtual_scores[seat]);
    let scores: Vec<String> = (0..show.players.len()).map(|seat| score(seat).to_string()).collect();
    let data = json!({ "players": show.players, "turns": show.turns, "meeples": show.meeples_at_start() });
    // The only way out of a script element is a tag; no JSON needs its first letter.
    let data = data.to_string().replace('<', "\\u003c");
    html! {
        details.game open[open] {
            summary {
                @for (seat, player) in show.players.iter().enumerate() {
                    @if seat > 0 { " – " }
                    bdi { (player) }
                }
                ": " (scores.join("–")) " (" code { (show.id) } ")"
            }
            script type="application/json" { (PreEscaped(data)) }
            div.stage tabindex="0" role="group" aria-label={ "Game " (show.id) } {
                div { (PreEscaped(show.film.to_string())) }
                div {
                    div.controls {
                        @for (step, sign, label) in
                            [("first", "|◀", "To the start"), ("back", "◀", "One turn back"), ("on", "▶", "One turn on"), ("end", "▶|", "To the end")]
                        {
                            button type="button" data-step=(step) aria-label=(label) { (sign) }
                        }
                        input type="range" min="0" max=(show.turns.len()) aria-label="Turn";
                    }
                    p.turn role="status" {}
                    table.seats {
                        thead { tr { th scope="col" { "player" } th.n scope="col" { "score" } th.n scope="col" { "virtual" } th.n scope="col" { "meeples" } } }
                        tbody {
                            @for (seat, player) in show.players.iter().enumerate() {
                                tr {
                                    td { span.seat.{ "s" (seat + 1) } {} bdi { (player) } }
                                    td.n { (last.map_or(0, |turn| turn.scores[seat])) }
                                    td.n { (score(seat)) }
                                    td.n { (last.map_or(show.meeples_at_start(), |turn| turn.meeples[seat])) }
                                }
                            }
                        }
                    }
                    p.formula {}
                    table.moves {}
                }
            }
        }
    }
}
