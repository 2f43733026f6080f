//! Formulas as they are written in books, by MathML, and as trees.

use evouct_base::named::Named;
use evouct_base::plural::counted;
use evouct_gp::{Genome, Latex, LnRule, Node, Terminal, Tree};
use maud::{Markup, PreEscaped, html};
use pulldown_latex::config::{DisplayMode, RenderConfig};
use pulldown_latex::{Parser, Storage, push_mathml};

/// The widest term that a cell of a table has room for, in letters: on a phone it is as wide as the page.
const WIDEST: usize = 44;

/// All formulas of a genome, each with its tree behind a fold.
pub(super) fn genome(genome: &Genome) -> Markup {
    html! {
        @for slot in genome.slots() {
            @if let Some(formula) = genome.tree(slot) {
                h3 { (slot.name()) ": " (slot.about()) }
                (self::formula(formula))
            }
        }
    }
}

/// What the names in formulas mean, each with its symbol where that is another one.
pub(super) fn names(names: &[(Terminal, &str)]) -> Markup {
    let symbol = |terminal: Terminal| {
        let latex = Tree::leaf(terminal).latex();
        (latex.starts_with('\\') && !latex.starts_with(r"\mathit")).then(|| math(&latex))
    };
    html! {
        @if !names.is_empty() {
            h3 { "Names in formulas" }
            dl.names { @for (terminal, about) in names {
                dt { code { (label(Node::Terminal(*terminal))) } @if let Some(symbol) = symbol(*terminal) { ", " (symbol) } }
                dd { (about) }
            } }
        }
    }
}

/// A formula in a box that scrolls, with its tree behind a fold.
pub(super) fn formula(formula: &Tree) -> Markup {
    html! {
        div.math tabindex="0" role="group" aria-label="Formula" { (math(&formula.latex())) }
        @if formula.size() > 1 { details {
            summary { "Tree of " (counted(formula.size(), "node")) }
            div.scroll tabindex="0" role="group" aria-label="Tree" { ul.tree { (branch(formula.nodes(), &mut 0)) } }
        } }
    }
}

/// A formula of a table in a line, or the formulas of a genome, each in a line of its own; none where the text is neither,
/// or where a term of a single formula is too wide for a cell.
pub(super) fn inline(text: &str, terminals: &[Terminal]) -> Option<Markup> {
    let genome = Genome::parse(text, terminals).ok()?;
    let slots: Vec<_> = genome.slots().filter_map(|slot| Some((slot, genome.tree(slot)?))).collect();
    if let [(_, alone)] = &slots[..] {
        return in_line(alone);
    }
    Some(html! {
        @for (slot, tree) in slots {
            div { (slot.name()) " = " @if let Some(formula) = in_line(tree) { (formula) } @else { (tree) } }
        }
    })
}

/// A formula in a line, which may break before a term of its sum; none where a term is too wide for a cell.
fn in_line(formula: &Tree) -> Option<Markup> {
    if widest_term(formula) > WIDEST {
        return None;
    }
    let latex = formula.latex();
    let terms: Option<Vec<String>> = terms(&latex).into_iter().map(|term| mathml(&term, None)).collect();
    Some(PreEscaped(terms?.join("<wbr>")))
}

/// The width of the widest term of a formula, in letters, roughly: a formula that is no sum is one term.
fn widest_term(formula: &Tree) -> usize {
    // Of each part its width, and that of its widest term. From the end on, arguments come before their function.
    let mut parts: Vec<[usize; 2]> = Vec::new();
    for node in formula.nodes().iter().rev() {
        let mut argument = || parts.pop().unwrap_or_default();
        let part = match node {
            Node::Terminal(_) => [label(*node).chars().count(); 2],
            Node::Function(function) => {
                let [a, first] = argument();
                let [b, _] = if function.arity() == 2 { argument() } else { [0, 0] };
                let row = function.row(LnRule::Abs);
                match row.latex {
                    Latex::Sum(_) => [a + b + 3, first.max(b + 3)],
                    Latex::Product => [a + b + 1; 2],
                    Latex::Text(template) if template.starts_with(r"\frac") => [a.max(b) + 1; 2],
                    _ => [row.name.len() + a + b + 2; 2],
                }
            }
        };
        parts.push(part);
    }
    parts.pop().map_or(0, |[_, widest]| widest)
}

/// The terms of a sum in LaTeX, each but the first behind its sign.
fn terms(latex: &str) -> Vec<String> {
    let (mut terms, mut depth) = (vec![String::new()], 0);
    for word in latex.split(' ') {
        let is_sign = depth == 0 && matches!(word, "+" | "-");
        if is_sign {
            // Behind nothing a sign would be that of a number, without a space.
            terms.push("{}".to_owned());
        }
        depth += word.matches(['{', '(']).count();
        depth -= word.matches(['}', ')']).count().min(depth);
        let term = terms.last_mut().expect("there is a first term");
        *term += if term.is_empty() { "" } else { " " };
        *term += word;
    }
    terms
}

/// LaTeX for math mode as MathML, with the LaTeX as its annotation; as it is where it cannot be read.
fn math(latex: &str) -> Markup {
    mathml(latex, Some(latex)).map_or_else(|| html! { code { (latex) } }, PreEscaped)
}

/// LaTeX for math mode as MathML with an annotation; none where it cannot be read.
fn mathml(latex: &str, annotation: Option<&str>) -> Option<String> {
    let (storage, apart) = (Storage::new(), with_words(latex));
    let parser = Parser::new(&apart, &storage);
    let config = RenderConfig { display_mode: DisplayMode::Block, annotation, ..RenderConfig::default() };
    let mut text = String::new();
    push_mathml(&mut text, parser, config).ok().filter(|()| !text.contains("<merror"))?;
    Some(text)
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

    fn tree(text: &str) -> Tree {
        Tree::parse_over(text, &Terminal::with_columns(&[], &["dv"])).unwrap()
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
    fn a_sum_breaks_before_its_terms_and_nowhere_else() {
        let of = |text: &str| terms(&tree(text).latex());
        assert_eq!(of("Q + 2*c*sqrt(2*ln(N)/n)"), ["Q", r"{} + 2 c \sqrt{\frac{2 \ln N}{n}}"]);
        assert_eq!(
            of("-3 - (Q - n) * N + max(Q - 1, n)"),
            ["-3", r"{} - \left(Q - n\right) N", r"{} + \max\left(Q - 1, n\right)"]
        );
        assert_eq!(of("(Q + n) / (N + 1)"), [r"\frac{Q + n}{N + 1}"]);
        let found = in_line(&tree("Q + (n + N) / 2 - 1")).unwrap().into_string();
        assert_eq!(found.matches("<math").count(), 3, "{found}");
        assert!(!found.contains("annotation"), "{found}");
    }

    #[test]
    fn what_is_too_wide_for_a_cell_stays_a_text() {
        let sum = vec!["123.456 * dv * n"; 20].join(" + ");
        assert!(in_line(&tree(&sum)).is_some() && in_line(&tree(&format!("sqrt({sum})"))).is_none());
        let product = |count: usize| tree(&vec!["dv"; count].join(" * "));
        assert_eq!([1, 2, 5].map(|count| widest_term(&product(count))), [2, 5, 14]);
        assert_eq!(
            [(15, true), (16, false)].map(|(count, fits)| in_line(&product(count)).is_some() == fits),
            [true; 2]
        );
        assert_eq!(widest_term(&tree("(Q + n + N) / n - 2")), 10);
        // Fractions are as wide as the wider part.
        assert!(in_line(&tree(&format!("({sum}) / n"))).is_none());
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
        assert_eq!((text.matches("<math").count(), text.matches("<details>").count()), (2, 1), "{text}");
        assert!(
            text.contains("<h3>select: the value of a child")
                && text.contains("<h3>final: the value by which")
                && text.contains("Tree of 5 nodes<")
        );
    }
}
