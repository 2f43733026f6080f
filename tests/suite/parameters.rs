//! The parameters of players: one table gives their names, values, errors, identities and settings.

use evouct::carcassonne::Carcassonne;
use evouct::domain::{GameRules, KindInfo, Spec};
use evouct::parameter::{CLOCK, Parameter, Preset, Raw, Value, Values};
use evouct::registry;
use evouct::seed::Key;

fn spec(text: &str) -> Spec {
    registry::spec(text, Preset::Text).unwrap()
}

fn error(text: &str) -> String {
    registry::spec(text, Preset::Text).unwrap_err().to_string()
}

fn value(spec: &Spec, name: &str) -> Value {
    spec.parameters().rows().find(|(row, _)| row.name == name).unwrap().1.clone()
}

/// The settings of the player that a spec makes.
fn settings(spec: &Spec) -> String {
    registry::player::<Carcassonne>(spec, Key::experiment(1)).settings()
}

/// Values of a parameter that are not its default.
fn others(row: &Parameter) -> Vec<Raw> {
    let text = |text: &str| Raw::Text(text.to_owned());
    let all: Vec<Raw> = match &row.values {
        Values::Count(least, most) => {
            let middle = if let Value::Count(count) = row.text { count + 1 } else { least + 1 };
            [*least, middle, *most].iter().map(|count| text(&count.to_string())).collect()
        }
        Values::Real(least, most) => [least.max(-3000.0), 0.25, 1.5, 15.0, 3000.0, *most]
            .iter()
            .map(|number| text(&number.to_string()))
            .collect(),
        Values::NameOrReal(names, ..) => names.iter().map(|name| text(name)).chain([text("0.5")]).collect(),
        Values::Name(names) => names.iter().map(|name| text(name)).collect(),
        Values::Names(names) | Values::Subset(names) => names.iter().map(|name| text(name)).collect(),
        Values::Reals(..) => vec![text("0.5+4")],
        Values::Flag => vec![text("true"), text("false")],
        Values::Language(language) if language.separator().is_some() => vec![text("Q"), text("Q | n")],
        Values::Language(language) => {
            let forms = |name: &&str| [text(&format!("2 * {name}")), text(&format!("Q+{name}")), text(name)];
            language.words().iter().flat_map(forms).collect()
        }
        Values::Text | Values::Words => vec![text("x")],
        Values::Texts => vec![Raw::List(vec![text("x")])],
    };
    all.into_iter().filter(|raw| row.values.accept(raw).is_some_and(|value| value != row.text)).collect()
}

/// A player of a kind with this parameter at this value, and with what the parameter needs.
fn with(kind: &KindInfo, row: &Parameter, raw: &Raw) -> Option<Spec> {
    let mut given = vec![(row.name.to_owned(), raw.clone())];
    if let Some(condition) = row.only {
        given.push((condition.parameter.to_owned(), Raw::Text(condition.value.to_owned())));
    }
    Spec::resolve(registry::default_game(), kind.name, &needed(kind, row, given), Preset::Text).ok()
}

/// Parameters that a kind requires, if this one is to count.
fn needed(kind: &KindInfo, row: &Parameter, mut given: Vec<(String, Raw)>) -> Vec<(String, Raw)> {
    let has_prior = kind.table.iter().any(|row| row.name == "policy_temperature");
    if has_prior && row.name.starts_with("policy") {
        let with_prior = [("policy", "dm"), ("formula", "Q + P / n"), ("formulas", "Q + P / n"), ("bias", "P")];
        for (key, text) in with_prior {
            if kind.table.iter().any(|row| row.name == key) && given.iter().all(|(own, _)| own != key) {
                given.push((key.to_owned(), Raw::Text(text.to_owned())));
            }
        }
    }
    if row.name.starts_with("probcut_") {
        let deep = [("probcut_sigma", "5"), ("depth", "10"), ("deepening", "true"), ("nodes", "1000")];
        for (key, text) in deep.into_iter().filter(|(key, _)| *key != row.name) {
            given.push((key.to_owned(), Raw::Text(text.to_owned())));
        }
    }
    if row.name.starts_with("cutoff_") && row.name != "cutoff_value" {
        given.push(("cutoff_value".to_owned(), Raw::Text("30".to_owned())));
    }
    if kind.name == "formula" && !given.iter().any(|(key, _)| key == "formula") {
        given.push(("formula".to_owned(), Raw::Text("Q + c / n".to_owned())));
    }
    if kind.name == "portfolio-mcts" {
        if !given.iter().any(|(key, _)| key == "formulas") {
            given.push(("formulas".to_owned(), Raw::Text("Q + 1 / n".to_owned())));
        }
        // Rehearsals need iterations, so a time limit needs a bandit.
        if given.iter().any(|(key, _)| key.starts_with("time_per")) {
            given.push(("choice".to_owned(), Raw::Text("bandit".to_owned())));
        }
        // Without new formulas, how many are kept changes nothing.
        let is_bandit = given.iter().any(|(_, raw)| *raw == Raw::Text("bandit".to_owned()));
        if !is_bandit && !given.iter().any(|(key, _)| key == "offspring") {
            given.push(("offspring".to_owned(), Raw::Text("1".to_owned())));
        }
    }
    if kind.name == "external" && !given.iter().any(|(key, _)| key == "command") {
        given.push(("command".to_owned(), Raw::Text("bot".to_owned())));
    }
    given
}

/// EA-p leaves the tree alone, but identities of the first version name the tree that evaluations would update. Searches
/// that probe are for two sides; with more than two seats they must be told so, and with two seats they are refused it.
const ONLY_IN_IDENTITIES: [(&str, &str); 3] =
    [("ea-p-mcts", "evo_tree"), ("star2", "multiplayer"), ("star2.5", "multiplayer")];

/// Parameters of the tree that cannot be set: a solver decides by one tree.
const REFUSED: [(&str, &str); 2] = [("mcts-solver", "decks"), ("mcts-solver", "trees")];

#[test]
fn every_parameter_of_every_kind_changes_the_settings() {
    for kind in registry::default_game().kinds() {
        for row in kind.table.iter().filter(|row| !REFUSED.contains(&(kind.name, row.name))) {
            let changed = others(row).iter().any(|raw| {
                let Some(changed) = with(kind, row, raw) else { return false };
                // The same without the parameter itself, so that what it needs does not count as its effect.
                let rest = row.only.map(|needs| (needs.parameter.to_owned(), Raw::Text(needs.value.to_owned())));
                let rest = needed(kind, row, rest.into_iter().collect());
                let plain = Spec::resolve(registry::default_game(), kind.name, &rest, Preset::Text).unwrap();
                let is_exception = ONLY_IN_IDENTITIES.contains(&(kind.name, row.name));
                let changes = settings(&changed) != settings(&plain) || is_exception;
                changes && changed.identity(0) != plain.identity(0)
            });
            assert!(changed, "{}: {} changes nothing", kind.name, row.name);
        }
    }
}

#[test]
fn what_contradicts_learned_playouts_is_refused() {
    for (player, problem) in [
        ("mcts:temperature=3", "temperature is for default_policy = mast, found random"),
        ("mcts:default_policy=mast,forgetting=true", "forgetting is for default_policy = last-good-reply, found mast"),
        ("mcts:default_policy=mast,rating=dv", "rating is for rated moves, found default_policy = mast"),
        (
            "flat-ucb:rating=dv,learned_same=exact",
            "learned_same is for default_policy = mast | n-gram | adaptation | last-good-reply",
        ),
    ] {
        assert!(error(player).contains(problem), "{player}: {}", error(player));
    }
}

#[test]
fn tables_are_well_formed() {
    for game in registry::games() {
        for kind in game.kinds() {
            let mut names: Vec<&str> = Vec::new();
            for row in kind.table {
                for default in [&row.text, &row.reference] {
                    let raw = Raw::Text(default.to_string());
                    let accepted = *default == Value::Unset || row.values.accept(&raw).as_ref() == Some(default);
                    assert!(accepted, "{}: {} = {default}", kind.name, row.name);
                }
                names.extend([Some(row.name), row.was].into_iter().flatten());
                let known = |name: &str| kind.table.iter().any(|other| other.name == name);
                assert!(row.only.is_none_or(|condition| known(condition.parameter)), "{}: {}", kind.name, row.name);
                assert!(row.unless.iter().all(|name| known(name) || *name == CLOCK), "{}: {}", kind.name, row.name);
                assert!(row.about.ends_with(['.', '²', 'n']) || row.about.len() > 10, "{}: {}", kind.name, row.name);
            }
            let count = names.len();
            names.sort_unstable();
            names.dedup();
            assert_eq!(names.len(), count, "{} names a parameter twice", kind.name);
        }
    }
}

#[test]
fn specs_parse_and_describe_themselves() {
    let tuned = spec("mcts:iterations=2800,k=0.5");
    assert_eq!(tuned.default_name(), "mcts:iterations=2800,k=0.5");
    assert_eq!(tuned.description(), "mcts:iterations=2800,k=0.5");
    assert_eq!(value(&tuned, "iterations"), Value::Count(2800));
    assert_eq!(value(&tuned, "chance"), Value::Name("sampled"));
    // A given value that equals the default does not make another player.
    let (plain, same) = (spec("mcts"), spec("mcts:iterations=400"));
    assert_eq!(plain.identity(0), same.identity(0));
    assert_ne!(plain.identity(0), plain.identity(1));
    assert_ne!(plain.identity(0), registry::spec("mcts", Preset::Reference).unwrap().identity(0));
}

#[test]
fn presets_follow_the_table_of_defaults_in_the_spelling_of_the_first_version() {
    let reference = registry::spec("siea-mcts", Preset::Reference).unwrap();
    assert_eq!(
        reference.description(),
        "siea-mcts:chance=peek,evaluation=root-child,evo_tree=shared,first_iteration=playout,ln=clamp,\
         opponent=absolute,seed_k=per-use,semantics=rounded"
    );
    let overridden = registry::spec("siea-mcts:chance=sampled", Preset::Reference).unwrap();
    assert_eq!(value(&overridden, "chance"), Value::Name("sampled"));
}

#[test]
fn earlier_spellings_are_read_and_make_the_same_player() {
    for (earlier, today) in [
        ("siea-mcts:evaluation=full", "siea-mcts:fitness_playout=full"),
        ("mcts-rave:amaf_tiles=path", "mcts-rave:amaf_scope=path"),
    ] {
        assert_eq!(spec(earlier).identity(0), spec(today).identity(0));
        assert_eq!(spec(today).description(), earlier);
    }
}

/// What became an option keeps the identities, and so the records, of the players that do not use it.
#[test]
fn how_constants_mutate_is_in_an_identity_only_where_they_are_redrawn() {
    for preset in [Preset::Text, Preset::Reference] {
        let spec = |text: &str| registry::spec(text, preset).unwrap();
        let [plain, subtree, redraw] =
            ["siea-mcts", "siea-mcts:mutated_k=subtree", "siea-mcts:mutated_k=redraw"].map(spec);
        assert_eq!((subtree.identity(0), subtree.description()), (plain.identity(0), plain.description()));
        assert_ne!(redraw.identity(0), plain.identity(0));
        assert!(redraw.description().contains("mutated_k=redraw"));
    }
}

#[test]
fn a_formula_may_hold_commas() {
    let formula = spec("formula:formula=add(Q, div(c, n)),c=0.5,iterations=10");
    assert_eq!(value(&formula, "formula").to_string(), "Q + c / n");
    assert_eq!(value(&formula, "c"), Value::Real(0.5));
}

#[test]
fn sets_of_functions_and_constants_are_lists() {
    let siea = spec("siea-mcts:functions=add+mul+ln,constants=0.5+2");
    assert_eq!(value(&siea, "functions"), Value::Names(vec!["add", "mul", "ln"]));
    assert_eq!(value(&siea, "constants"), Value::Reals(vec![0.5, 2.0]));
    assert!(error("siea-mcts:functions=add+add").contains("is not a list of add | sub | mul | div | ln | sqrt"));
    assert!(error("siea-mcts:constants=many").contains("is not a list of numbers"));
}

#[test]
fn time_replaces_the_default_number_of_iterations() {
    let timed = spec("mcts:time_per_move=1.5");
    assert_eq!(value(&timed, "iterations"), Value::Unset);
    assert_eq!(timed.description(), "mcts:iterations=-,time_per_move=1.5");
    assert!(!timed.is_reproducible());
    assert_eq!(value(&spec("mcts:time_per_move=1.5,iterations=5000"), "iterations"), Value::Count(5000));
}

#[test]
fn errors_name_what_is_expected() {
    for (text, expected) in [
        ("mtcs", "there is no kind of player called \"mtcs\"; did you mean mcts?"),
        ("zzz", "there is no kind of player called \"zzz\"; see `evouct players`"),
        ("mcts:iteration=4", "mcts has no parameter \"iteration\"; did you mean iterations?"),
        ("mcts:iterations=0", "iterations = \"0\" is not a whole number from 1 to 1000000000"),
        ("mcts:iterations", "expected key=value, found \"iterations\""),
        ("mcts:k=1,k=2", "k is given twice"),
        (
            "mcts:chance=samled",
            "chance = \"samled\" is not sampled | peek | open-loop | determinised (did you mean sampled?)",
        ),
        (
            "formula",
            "formula is needed: a formula over Q, n, N, c, sd, best, A, m, G, hm, hn, hm2, hn2, hm3, hn3, \
             Ag, mg, lgr, pw, pl, pd, w1, l1, moves, depth, phase, left, lead, Qbar, Qmax, sdQ, P, dv, dm, fl, cl, \
             op, s3, he, vp, ho, tm, oe, om, pc, nx and numbers with + - * / ln sqrt divp min max",
        ),
        (
            "mcts:fpu=parent,widening=dv",
            "widening and fpu both say when a move is tried for the first time; expected one of them",
        ),
        (
            "mcts:bias=dv,chance=open-loop",
            "bias needs rows of moves, which chance = open-loop does not keep; expected sampled | peek | determinised",
        ),
        ("mcts-rave:ucb=ucb1-tuned", "ucb = ucb1-tuned is for mcts; expected doubled | plain | ucb1"),
        ("flat-ucb:ucb=ucb1-tuned", "ucb = ucb1-tuned is for mcts; expected doubled | plain | ucb1"),
        (
            "formula:formula=Q + sd / n,opponent=absolute",
            "formula uses sd, for which opponent = absolute is not defined; expected negate-q",
        ),
        (
            "formula:formula=Q,final_formula=Q + dv,chance=determinised",
            "final_formula that decides the final move needs rows of moves, which chance = determinised does not keep; \
             expected sampled | peek",
        ),
        (
            "formula:formula=Q + P / n",
            "formula uses P, the prior of a move, without a policy; expected one, such as policy = dv",
        ),
        (
            "formula:formula=Q,untried=P",
            "untried uses P, the prior of a move, without a policy; expected one, such as policy = dv",
        ),
        ("mcts:bias=16*P", "bias uses P, the prior of a move, without a policy; expected one, such as policy = dv"),
        (
            "portfolio-mcts:formulas=Q | Q + P / n",
            "formulas uses P, the prior of a move, without a policy; expected one, such as policy = dv",
        ),
        (
            "puct:chance=open-loop",
            "puct needs rows of moves, which chance = open-loop does not keep; expected sampled | peek | determinised",
        ),
        ("formula:formula=Q,final_formula=Q,final=visits", "final = visits and final_formula exclude each other"),
        ("siea-mcts:alpha=5,beta=2", "beta = 2 is not above alpha = 5"),
        (
            "star2:depth=4",
            "depth = 4 cannot be searched to its end: star2 goes to 3, or deeper with deepening = true and a limit (nodes, \
             time_per_move, time_per_game)",
        ),
        ("star2:depth=3,probcut_t=1", "probcut_t needs probcut_sigma, found none"),
        ("star2.5:probcut_sigma=5", "ChanceProbCut with probcut_reduction = 1 needs depth = 3, found 2"),
        (
            "star2.5:depth=3,probcut_sigma=5,probcut_reduction=2",
            "ChanceProbCut with probcut_reduction = 2 needs depth = 4, found 3",
        ),
        (
            "star1:multiplayer=max-n,depth=4,deepening=true,nodes=1000,probcut_sigma=5",
            "probcut_sigma is for two sides, found multiplayer = max-n; expected paranoid",
        ),
        ("star1:nodes=1000", "nodes is for deepening = true, found false"),
        ("star1:upper=-200", "upper = -200 is not above lower = -100"),
        ("star1:margin=20", "margin is for bounds = dynamic, found fixed"),
        ("star1:bounds=dynamic,lower=-20", "lower is for bounds = fixed, found dynamic"),
        ("star1:w_score=20", "w_score is for evaluation = heyden, found difference"),
        (
            "star1:evaluation=heyden,lower=-100,upper=100",
            "bounds -100 to 100 do not fit evaluation = heyden: expected at most -1000 and at least 1000, ten points",
        ),
        (
            "star2:evaluation=heyden,bounds=dynamic,margin=20",
            "margin = 20 does not fit evaluation = heyden: expected at least 1000, ten points",
        ),
        (
            "mcts-rave:chance=open-loop",
            "chance = open-loop keeps no rows of moves for mcts-rave; expected sampled | peek | determinised",
        ),
        ("mcts:decks=4", "decks is for chance = determinised, found sampled"),
        (
            "mcts:tree_reuse=true,chance=peek",
            "tree_reuse needs a tree of drawn outcomes, found chance = peek; expected sampled",
        ),
        (
            "mcts:transpositions=true,chance=peek",
            "transpositions needs a tree of drawn outcomes, found chance = peek; expected sampled",
        ),
        (
            "mcts:transpositions=true,tree_reuse=true",
            "transpositions needs a tree that begins with each decision, found tree_reuse = true; expected false",
        ),
        (
            "mcts:nodes=parts,chance=open-loop",
            "nodes = parts needs one tree with rows of moves, found chance = open-loop; expected sampled | peek",
        ),
        (
            "mcts:trees=4,chance=determinised",
            "chance = determinised grows a tree for each of its decks; expected trees = 1, found 4",
        ),
        ("mcts:trees=4,iterations=3", "trees = 4 share iterations = 3; expected an iteration for each"),
        ("mcts:trees=4,root=sequential-halving", "root = sequential-halving is for one tree, trees grows several"),
        (
            "mcts-rave:trees=4,final=tree-policy",
            "final = tree-policy decides the final move by one tree; expected trees = 1, found 4",
        ),
        (
            "formula:trees=4,formula=Q,final_formula=n",
            "final_formula decides the final move by one tree; expected trees = 1, found 4",
        ),
        (
            "mcts:trees=4,bias=dv,final=tree-policy",
            "bias decides the final move by one tree; expected trees = 1, found 4",
        ),
        (
            "flat-mc:reward=normalised,reward_scale=unit",
            "reward = normalised is scaled already; expected reward_scale = none",
        ),
        ("mcts:reward=win,bonus=100", "reward = win rewards a win already; expected no bonus"),
        (
            "mcts:cutoff=8,finished=bounds,bonus=100",
            "finished = bounds and bonus exclude each other; expected finished = bonus",
        ),
        ("mcts:cutoff_every=3", "cutoff_every needs cutoff_value, found none"),
        ("flat-ucb:cutoff=8,cutoff_by=lead", "cutoff_by needs cutoff_value, found none"),
        ("siea-mcts:cutoff=8,finished=bonus", "finished = bonus needs bonus, found none"),
        ("mcts:default_policy=random,rating=s3", "rating contradicts default_policy = random; expected one of them"),
        ("mcts:epsilon=0.5,default_policy=random", "epsilon contradicts default_policy = random; expected one of them"),
        (
            "mcts:default_policy=random,learned_same=exact",
            "learned_same contradicts default_policy = random; expected one of them",
        ),
        ("mcts:fpu=none,fpu_value=1", "fpu_value contradicts fpu = none; expected one of them"),
        (
            "ea-p-mcts:fitness_playout=full",
            "fitness_playout = full expands the tree, which ea-p-mcts must leave unchanged",
        ),
        ("ea-mcts:mu=5,strategy=comma", "lambda = 4 is below mu = 5 with strategy = comma"),
    ] {
        assert_eq!(error(text), expected, "{text}");
    }
    assert!(error("expectimax:depth=3").contains("expectimax goes to 2"));
    assert!(error("star2:lower=50").starts_with("bounds 50 to 100 do not fit evaluation = difference"));
    assert!(error("star2:evaluation=heyden,w_score=-100,lower=-1,upper=1").contains("do not fit"));
    // Expectimax has no bounds: nothing to be given, nothing to fit.
    assert!(error("expectimax:lower=-5").starts_with("expectimax has no parameter \"lower\""));
    for fine in [
        "expectimax:depth=5,deepening=true,nodes=1000",
        "star2.5:depth=3,probcut_sigma=5",
        "star1:evaluation=heyden,bounds=dynamic,w_score=500,margin=10000",
        "expectimax:evaluation=heyden,w_score=500",
    ] {
        spec(fine);
    }
}

#[test]
fn a_caret_points_into_a_formula() {
    assert_eq!(
        error("formula:formula=Q + sqr(n)"),
        "formula: column 5: expected a terminal or a function, found \"sqr\"; did you mean sqrt?\n    Q + sqr(n)\n        ^"
    );
    // What is not known at a leaf, and what this game does not give for a move.
    assert!(error("mcts:leaf=R + Q").contains("found \"Q\"; "));
    assert!(error("mcts:bias=gain").contains("found \"gain\"; terminals are Q, n, N, sd, "));
    assert!(error("siea-mcts:terminals=Q+hn4").contains("\"hn4\": did you mean hn?"));
    assert!(error("ea-mcts:terminals=Q+hm,chance=open-loop").contains("terminals needs rows of moves"));
    assert!(error("ea-mcts:seed_formula=Q + hm,opponent=negate-f").contains("seed_formula uses hm, for which"));
}

#[test]
fn some_options_are_for_two_seats() {
    let refusal = |text: &str| {
        let spec = registry::spec(text, Preset::Reference).unwrap();
        let rules = |seats| registry::rules(&[("seats", seats)]).unwrap();
        assert!(rules("2").check_player(&spec).is_ok());
        rules("3").check_player(&spec).err().map(|error| error.to_string())
    };
    assert_eq!(refusal("ea-mcts").unwrap(), "opponent = absolute is for two seats, found 3");
    assert_eq!(refusal("star1").unwrap(), "star1 is for two seats, found 3; expected multiplayer = paranoid | max-n");
    assert_eq!(refusal("star2.5").unwrap(), "star2.5 is for two seats, found 3; expected multiplayer = paranoid");
    assert_eq!(refusal("mcts:reward=evaluation").unwrap(), "reward = evaluation is for 2 seats, found 3");
    assert_eq!(refusal("mcts:reward=normalised"), None);
    let refused = "cutoff_by = evaluation is for 2 seats, found 3; expected lead";
    assert_eq!(refusal("mcts:cutoff_value=3000").unwrap(), refused);
    assert_eq!(refusal("mcts:cutoff_value=30,cutoff_by=lead"), None);
}

#[test]
fn exact_search_needs_to_know_what_more_than_one_opponent_does() {
    let check = |text: &str, seats: &str| {
        let spec = registry::spec(text, Preset::Text).map_err(|error| error.to_string())?;
        let rules = registry::rules(&[("seats", seats)]).unwrap();
        rules.check_player(&spec).map_err(|error| error.to_string())
    };
    for text in ["expectimax:multiplayer=max-n", "star1:multiplayer=max-n,bounds=dynamic", "star2:multiplayer=paranoid"]
    {
        assert_eq!(check(text, "3"), Ok(()), "{text}");
        assert_eq!(check(text, "2").unwrap_err(), "multiplayer is for three to six seats, found 2", "{text}");
    }
    let refused = "star2 probes for two sides, found multiplayer = max-n; expected paranoid, or star1";
    assert_eq!(check("star2:multiplayer=max-n", "3").unwrap_err(), refused);
    let refused = "bounds = signed-lead is for two sides, found multiplayer = max-n; expected fixed | dynamic";
    assert_eq!(check("star1:multiplayer=max-n,bounds=signed-lead", "3").unwrap_err(), refused);
}

#[test]
fn a_game_without_an_evaluation_ends_playouts_by_the_lead() {
    let game = registry::game("einstein").unwrap();
    let said = |text: &str| Spec::parse(game, text, Preset::Text).map(|_| ()).map_err(|error| error.to_string());
    let refused = "cutoff_value needs an evaluation, which einstein does not have; expected cutoff_by = lead";
    assert_eq!(said("mcts:cutoff_value=3").unwrap_err(), refused);
    assert_eq!(said("mcts:cutoff_value=3,cutoff_by=lead"), Ok(()));
}

#[test]
fn a_game_that_scores_a_tree_refuses_several() {
    let game = registry::game("function").unwrap();
    let rules = GameRules::resolve(game, &[]).unwrap();
    let check = |text: &str| rules.check_player(&Spec::parse(game, text, Preset::Text).unwrap());
    check("mcts:trees=1").unwrap();
    let error = check("mcts:trees=2").unwrap_err().to_string();
    assert_eq!(error, "function scores the tree of a search; expected trees = 1, found 2");
}

#[test]
fn a_game_that_does_not_tell_positions_apart_has_no_transpositions() {
    let refused = |name: &str| {
        let game = registry::game(name).unwrap();
        let rules = GameRules::resolve(game, &[]).unwrap();
        let player = Spec::parse(game, "grave:transpositions=true", Preset::Text).unwrap();
        rules.check_player(&player).err().map(|error| error.to_string())
    };
    let tell = "breakthrough, connect-four, einstein, havannah, hex, othello, y";
    let expected =
        format!("transpositions needs a game that tells its positions apart, which pig does not; these do: {tell}");
    assert_eq!(refused("pig"), Some(expected));
    tell.split(", ").for_each(|name| assert_eq!(refused(name), None, "{name}"));
}
