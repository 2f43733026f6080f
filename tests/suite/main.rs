//! The program as its users see it, and the library from above: one program, so that it links once.

mod ask_tell;
mod batch_scripts;
mod browser;
mod champions;
mod chromium;
mod circles;
mod clocks;
mod columns;
mod disturbed;
mod documents;
mod domain;
mod einstein;
mod equal_pairs;
mod equality;
mod errors;
mod evolve;
mod examples;
mod expansions;
mod exports;
mod extend;
mod external;
mod faults;
mod faulty_games;
mod faulty_players;
mod forms;
mod function;
mod gauntlet;
mod gui;
mod gui_browser;
mod gui_scenes;
mod journal;
mod journals;
mod kills;
mod later;
mod layout;
mod league;
mod legal_players;
mod limits;
mod looks;
mod many_games;
mod memory;
mod misleading;
#[expect(dead_code, reason = "the program's main is for the example")]
#[path = "../../examples/nim.rs"]
mod nim;
mod notations;
mod offline;
mod openings;
mod own_files;
#[expect(dead_code, reason = "the program's main is for the example")]
#[path = "../../examples/own_game.rs"]
mod own_game;
#[expect(dead_code, reason = "the program's main is for the example")]
#[path = "../../examples/own_player.rs"]
mod own_player;
mod paper;
mod parameters;
mod parsers;
mod play;
mod power;
mod program;
mod proposers;
mod ranks;
mod repair;
mod repeats;
mod report;
mod rules_check;
mod schema;
mod score;
mod seats;
mod seeds;
mod serve;
mod shards;
mod site;
mod slurm;
mod sprt;
mod starters;
mod statements;
mod steady_state;
mod structures;
mod swiss;
mod terminal;
#[path = "../../crates/carcassonne/tests/suite/games/tokens.rs"]
mod tokens;
mod tune;
mod tune_cma;
mod tune_games;
mod two_objectives;
mod typeset;
mod version_0_1;
mod version_0_2;
mod vocabulary;
