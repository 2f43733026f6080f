//! A game move by move.

use crate::formats::board::Show;
use maud::{Markup, PreEscaped, html};
use serde_json::json;

/// The game with its board, its controls and the data of each turn.
pub(super) fn stage(show: &Show, open: bool) -> Markup {
    let scale = show.rules.domain().scale();
    let scores: Vec<String> = show.scores.iter().map(|score| scale.text(*score)).collect();
    let data = json!({ "players": show.players, "turns": show.turns, "start": show.start });
    // Only a tag can end a script element, and escaped JSON contains no `<`.
    let data = data.to_string().replace('<', "\\u003c");
    html! {
        details.game open[open] data-game=(show.id) {
            summary {
                @for (seat, player) in show.players.iter().enumerate() {
                    @if seat > 0 { " – " }
                    bdi { (player) }
                }
                ": " (scores.join("–")) " (" code { (show.id) } ")"
            }
            script type="application/json" { (PreEscaped(data)) }
            div.stage tabindex="0" role="group" aria-label={ "Game " (show.id) } {
                @if let Some(animation) = &show.animation { div { (PreEscaped(animation)) } }
                div {
                    div.controls {
                        @for (step, sign, label) in
                            [("first", "|◀", "To the start"), ("back", "◀", "One turn back"), ("on", "▶", "One turn on"), ("end", "▶|", "To the end")]
                        {
                            button type="button" data-step=(step) aria-label=(label) { (sign) }
                        }
                        input type="range" min="0" max=(show.turns.len()) aria-label="Turn";
                        a.link href="" { "Link to this turn" }
                    }
                    p.turn role="status" {}
                    table.seats {
                        thead { tr { th scope="col" { "player" } @for fact in show.facts { th.n scope="col" { (fact) } } } }
                        tbody {
                            @for (seat, player) in show.players.iter().enumerate() {
                                tr {
                                    td { span.seat.{ "s" (seat + 1) } {} bdi { (player) } }
                                    @for fact in &show.last_facts()[seat] { td.n { (fact) } }
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
