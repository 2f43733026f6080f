//! Formulas as they are written in books, by MathML, and as trees.

use evouct_base::named::Named;
use evouct_base::plural::counted;
use evouct_gp::{Genome, Node, Tree};
use maud::{Markup, PreEscaped, html};
use pulldown_latex::config::{DisplayMode, RenderConfig};
use pulldown_latex::{Parser, Storage, push_mathml};

/// All formulas of a genome, each with its tree behind a fold.
pub(super) fn genome(genome: &Genome) -> Markup {
    html! {
        @for slot in genome.slots() {
            @if let Some(formula) = genome.tree(slot) {
                h3 { (slot.name()) }
                (self::formula(formula))
            }
        }
    }
}

/// A formula in a box that scrolls, with its tree behind a fold.
pub(super) fn formula(formula: &Tree) -> Markup {
    html! {
        div.math tabindex="0" role="group" aria-label="Formula" { (math(&formula.latex())) }
        details {
            summary { "Tree of " (counted(formula.size(), "node")) }
            div.scroll tabindex="0" role="group" aria-label="Tree" { ul.tree { (branch(formula.nodes(), &mut 0)) } }
        }
    }
}

/// LaTeX for math mode as MathML, with the LaTeX as its annotation; as it is where it cannot be read.
pub(super) fn math(latex: &str) -> Markup {
    let (storage, apart) = (Storage::new(), with_words(latex));
    let parser = Parser::new(&apart, &storage);
    let config = RenderConfig { display_mode: DisplayMode::Block, annotation: Some(latex), ..RenderConfig::default() };
    let mut text = String::new();
    match push_mathml(&mut text, parser, config) {
        Ok(()) if !text.contains("<merror") => PreEscaped(text),
        _ => html! { code { (latex) } },
    }
}

/// The same with words as texts, apart from their factors: MathML has no space between names, so the product of `dv` and
/// `cl` would be one word.
fn with_words(latex: &str) -> String {
    const GAP: &str = r"\,";
    let mut parts = latex.split(r"\mathit{");
    let mut text = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let (word, rest) = part.split_once('}').unwrap_or((part, ""));
        let before = text.trim_end();
        let after_command = before.rfind('\\').is_some_and(|at| before[at + 1..].chars().all(char::is_alphabetic));
        if !after_command && before.ends_with(|last: char| last.is_alphanumeric() || matches!(last, '}' | ')')) {
            text.push_str(GAP);
        }
        text.push_str(&format!(r"\text{{{}}}", word.replace(r"\_", "_")));
        let next = rest.trim_start();
        let is_command = next.starts_with('\\') && ![r"\cdot", r"\right"].iter().any(|sign| next.starts_with(sign));
        if is_command || next.starts_with(char::is_alphanumeric) {
            text.push_str(GAP);
        }
        text.push_str(rest);
    }
    text
}

/// The subtree that begins at a place among the nodes in prefix order, which is then behind it.
fn branch(nodes: &[Node], place: &mut usize) -> Markup {
    let node = nodes[*place];
    *place += 1;
    let arguments = match node {
        Node::Function(function) => function.arity(),
        Node::Terminal(_) => 0,
    };
    html! {
        li {
            code { (label(node)) }
            @if arguments > 0 { ul { @for _ in 0..arguments { (branch(nodes, place)) } } }
        }
    }
}

fn label(node: Node) -> String {
    match node {
        Node::Function(function) => function.name().to_owned(),
        Node::Terminal(terminal) => Tree::leaf(terminal).infix(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use evouct_gp::Terminal;

    fn tree(text: &str) -> Tree {
        text.parse().unwrap()
    }

    #[test]
    fn formulas_are_typeset() {
        let text = math(&tree("Q + 2*c*sqrt(2*ln(N)/n)").latex()).into_string();
        for part in ["<math", "<mfrac>", "<msqrt>", "<mi>Q</mi>", "<mn>2</mn>", "display=\"block\"", r"\sqrt{\frac"] {
            assert!(text.contains(part), "{part}: {text}");
        }
        assert!(!text.contains("<merror"), "{text}");
        // What cannot be read is shown as it is, and as text.
        assert_eq!(math(r"\frac{<b>").into_string(), r"<code>\frac{&lt;b&gt;</code>");
    }

    #[test]
    fn words_are_apart_from_their_factors() {
        assert_eq!(with_words(r"2 \mathit{dv} N + \mathit{cl}"), r"2 \,\text{dv}\, N + \text{cl}");
        assert_eq!(
            with_words(r"\left(\mathit{a\_b}\right) \cdot \mathit{cl}"),
            r"\left(\text{a_b}\right) \cdot \text{cl}"
        );
        let text = math(r"\frac{\mathit{dv} \mathit{a\_b}}{n}").into_string();
        assert!(text.contains("<mtext>dv</mtext><mspace") && text.contains("<mtext>a_b</mtext>"), "{text}");
        assert!(text.contains(r"\frac{\mathit{dv} \mathit{a\_b}}{n}"), "the annotation is the LaTeX as it was: {text}");
    }

    #[test]
    fn a_tree_is_a_list_in_lists() {
        let found = branch(tree("Q - 2/n").nodes(), &mut 0).into_string().replace("<code>", "").replace("</code>", "");
        let leaf = |text: &str| format!("<li>{text}</li>");
        let quotient = format!("<li>div<ul>{}{}</ul></li>", leaf("2"), leaf("n"));
        assert_eq!(found, format!("<li>sub<ul>{}{quotient}</ul></li>", leaf("Q")));
    }

    #[test]
    fn a_genome_has_all_its_formulas() {
        let text = genome(&Genome::parse("select = Q + 1/n; final = n", &Terminal::NAMED).unwrap()).into_string();
        assert_eq!((text.matches("<math").count(), text.matches("<details>").count()), (2, 2), "{text}");
        assert!(
            text.contains("<h3>select</h3>") && text.contains("<h3>final</h3>") && text.contains("Tree of 1 node<")
        );
    }
}
