//! The page: its frame. What it shows comes as state, what it does are its scripts.

use maud::{DOCTYPE, Markup, html};

pub(super) const STYLE: &str = include_str!("page/gui.css");
/// The scripts by name. The page loads the first two, and the second one loads the others.
pub(super) const SCRIPTS: [(&str, &str); 6] = [
    ("fit.js", crate::report::FIT),
    ("gui.js", include_str!("page/gui.js")),
    ("elements.js", include_str!("page/elements.js")),
    ("curve.js", include_str!("page/curve.js")),
    ("terms.js", include_str!("page/terms.js")),
    ("dialogs.js", include_str!("page/dialogs.js")),
];
/// The page loads its own scripts and style and nothing else. The drawings of games bring styles of their own.
pub(super) const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; connect-src 'self'; \
                                 img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/// A button: its id, what it shows, what it does, and the key that does the same. A word is its own name, a sign has
/// none.
fn button(id: &str, sign: &str, label: &str, key: &str) -> Markup {
    let title = if key.is_empty() { label.to_owned() } else { format!("{label} ({key})") };
    let shortcut = (!key.is_empty()).then_some(key);
    let name = (!sign.starts_with(char::is_alphabetic)).then_some(label);
    html! { button type="button" id=(id) title=(title) aria-label=[name] aria-keyshortcuts=[shortcut] { (sign) } }
}

/// The document.
pub(super) fn page() -> String {
    let page = html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                title { "evouct" }
                // Without an icon a browser requests one from the server.
                link rel="icon" href="data:,";
                link rel="stylesheet" href="gui.css";
                script defer src="fit.js" {}
                script type="module" src="gui.js" {}
            }
            body {
                div #definitions aria-hidden="true" {}
                header {
                    h1 { "evouct " span #game {} }
                    div.bar role="group" aria-label="Game" {
                        (button("new", "New game", "New game", "n"))
                        (button("load", "Open", "Open a recorded game", "o"))
                        (button("save", "Save", "Save this game", "s"))
                        (button("rules", "Rules", "How the game is played", "h"))
                        (button("help", "Keys", "What the keys do", "?"))
                    }
                }
                main {
                    p #keys.off {}
                    p #said.off role="status" aria-live="assertive" {}
                    section.table aria-label="Board" {
                        p #turn role="status" aria-live="polite" {}
                        div #result hidden {}
                        div #board tabindex="0" role="application" aria-label="Board" aria-describedby="keys" {}
                        div #chooser role="group" aria-label="Your move" hidden {}
                        p #feature aria-live="polite" {}
                        div.bar.steps role="group" aria-label="Turns" {
                            (button("first", "|◀", "To the start", "Home"))
                            (button("back", "◀", "One turn back", "["))
                            input #slider type="range" min="0" value="0" aria-label="Turn";
                            (button("on", "▶", "One turn on", "]"))
                            (button("end", "▶|", "To the last turn", "End"))
                            (button("undo", "Undo", "Take back your last move", "u"))
                            (button("redo", "Redo", "Play it again", "y"))
                            (button("pause", "Pause", "Let the players wait", "p"))
                        }
                    }
                    div.side {
                        section aria-labelledby="h-seats" {
                            h2 #h-seats { "Players" }
                            div.scroll tabindex="0" role="region" aria-label="Points of the players" { table #seats {} }
                            div #drawn {}
                        }
                        section #analysis aria-labelledby="h-analysis" {
                            h2 #h-analysis { "Analysis" }
                            div.bar {
                                label for="analyst" { "by" }
                                input #analyst list="analysts" value="champion" spellcheck="false" autocomplete="off";
                                datalist #analysts {}
                                (button("analyse", "Analyse", "Analyse this position, and the next ones", "a"))
                                (button("all", "Whole game", "Analyse every turn", "w"))
                                (button("stop", "Stop", "Stop the analysis", "x"))
                            }
                            p #progress {}
                            div #curve {}
                            div.scroll tabindex="0" role="region" aria-label="Moves considered" { table #moves {} }
                            div #terms {}
                            p #formula {}
                        }
                        section #left aria-labelledby="h-left" {
                            h2 #h-left { "Still to come" }
                            ul #pieces {}
                        }
                        section aria-labelledby="h-turns" {
                            h2 #h-turns { "Turns" }
                            ol #turns tabindex="0" aria-label="Turns" {}
                        }
                        section aria-labelledby="h-aids" {
                            h2 #h-aids { "Aids" }
                            div.bar #aids {
                                @for (aid, label) in [
                                    ("legal", "legal places"), ("feature", "features under the pointer"), ("projected", "projected points"),
                                    ("left", "what is left"), ("analysis", "analysis"),
                                ] {
                                    label { input type="checkbox" data-aid=(aid) checked; " " (label) }
                                }
                            }
                        }
                    }
                }
                dialog #dialog aria-labelledby="dialog-title" {}
                noscript { p { "This page needs its scripts." } }
            }
        }
    };
    page.into_string()
}
