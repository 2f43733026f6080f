//! Many episodes side by side, on threads.

use super::encoder::{Encoder, Encoding, Frame, Picture};
use super::episode::{Episode, IllegalDecision, episode_seed};
use super::reward::{EpisodeReward, points};
use crate::rules::{Edition, MAX_SEATS, Rules};
use evouct_base::sampling::below;
use evouct_base::seed::{Key, SearchRng, search_rng};
use evouct_base::stack::STACK;
use rayon::{ThreadPool, ThreadPoolBuilder};

evouct_base::named! {
    /// When an environment whose episode has ended begins the next one.
    #[derive(Default)]
    pub enum Autoreset {
        /// On the next step, whose decision is not looked at and whose rewards are 0.
        #[default]
        NextStep = "next-step",
        /// At once: the observation is of the next episode already. The last one of the episode that ended stands
        /// apart.
        SameStep = "same-step",
        /// Never: the next step is an error until the environment is reset.
        Disabled = "disabled",
    }
}

/// The settings of a vector of environments.
#[derive(Clone, Copy, Debug)]
pub struct VectorSettings {
    /// The rules of all games.
    pub rules: Rules,
    /// The width of the window.
    pub width: u8,
    /// How boards are written.
    pub encoding: Encoding,
    /// The reward of the seats.
    pub reward: EpisodeReward,
    /// When the next episode begins.
    pub autoreset: Autoreset,
    /// Threads that step the environments. Their number changes no result.
    pub threads: usize,
}

/// Where the results of a step are written: for each environment one entry, or as many as its name says. The
/// observations must be those that the last step wrote, unchanged: only what is different is written.
#[derive(Debug)]
pub struct Outputs<'a> {
    /// Observations of the seats to act: [`Encoder::board_len`] bytes each.
    pub boards: &'a mut [u8],
    /// Legal decisions: [`Numbering::count`](super::Numbering::count) bytes each.
    pub masks: &'a mut [i8],
    /// The numbers beside the board: [`Encoder::global_len`] each.
    pub globals: &'a mut [i16],
    /// One for each seat.
    pub rewards: &'a mut [f32],
    /// Whether the game is over.
    pub terminated: &'a mut [bool],
    /// Whether the window is too small for the game.
    pub truncated: &'a mut [bool],
    /// The seat to act.
    pub seats: &'a mut [i8],
    /// The points of each seat: the final ones where the game is over.
    pub points: &'a mut [i16],
    /// The decisions that were taken.
    pub decisions: &'a mut [i32],
    /// With [`Autoreset::SameStep`], where the game is over or the window too small: the board at the end of the episode.
    /// Other entries, and those of the next three fields, are not written. Empty with another [`Autoreset`].
    pub final_boards: &'a mut [u8],
    /// The legal decisions there.
    pub final_masks: &'a mut [i8],
    /// The numbers beside the board there.
    pub final_globals: &'a mut [i16],
    /// The seat that sees it.
    pub final_seats: &'a mut [i8],
}

/// A decision of a vector step that is not legal.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("environment {place}: {error}")]
pub struct IllegalStep {
    /// The number of the environment.
    pub place: usize,
    /// What is wrong with it.
    pub error: IllegalDecision,
}

struct Environment<E: Edition> {
    episode: Episode<E>,
    picture: Picture,
    rng: SearchRng,
    seed: u64,
    /// The number of the episode since the last reset.
    number: u64,
    /// The decision that the step in progress has drawn.
    drawn: Option<u16>,
}

/// Which decisions a step takes.
#[derive(Clone, Copy)]
enum Choice<'a> {
    Given(&'a [i32]),
    Random,
}

/// Environments that step together.
pub struct Vector<E: Edition> {
    settings: VectorSettings,
    encoder: Encoder,
    environments: Vec<Environment<E>>,
    /// Whether the first episodes were shown.
    begun: bool,
    pool: Option<ThreadPool>,
}

/// The threads that step the environments; none where one is enough.
fn pool(threads: usize) -> Result<Option<ThreadPool>, String> {
    let build = || ThreadPoolBuilder::new().num_threads(threads).stack_size(STACK).build();
    let cannot = |error| format!("cannot start {threads} threads: {error}");
    (threads > 1).then(build).transpose().map_err(cannot)
}

/// The steps in which the memory of an environment is fetched before its turn comes: many games do not fit into the
/// cache.
#[derive(Clone, Copy)]
enum Stage {
    /// The board, and the decision.
    Board,
    /// What the board leads to: features, and the parts of the observation that change.
    Features,
}

/// Number of environments by which each stage is ahead of its turn.
const AHEAD: [(usize, Stage); 2] = [(4, Stage::Board), (2, Stage::Features)];

/// A part of the environments with as little work as this is not divided among threads.
const UNDIVIDED: usize = 16;

impl<E: Edition> Vector<E> {
    /// Environments with these seeds. Nothing is written before the first [`reset`](Vector::reset).
    ///
    /// # Errors
    /// If there are no seeds, the window is too small for the encoding, or threads cannot be started.
    ///
    /// # Panics
    /// If the rules need expansions and the edition has none.
    pub fn new(settings: VectorSettings, seeds: &[u64]) -> Result<Vector<E>, String> {
        if seeds.is_empty() {
            return Err("expected at least one environment".to_owned());
        }
        settings.encoding.check_width(&settings.rules, settings.width)?;
        let pool = pool(settings.threads)?;
        let environments = seeds.iter().map(|seed| Environment::new(&settings, *seed)).collect();
        let encoder = Encoder::new(settings.rules, settings.encoding, settings.width);
        Ok(Vector { settings, encoder, environments, begun: false, pool })
    }

    /// Starts the threads again, in a process that was forked from the one that had started them.
    ///
    /// # Errors
    /// If threads cannot be started.
    pub fn restart(&mut self) -> Result<(), String> {
        // The old threads are in the other process. To end them here would be to wait for them.
        std::mem::forget(self.pool.take());
        self.pool = pool(self.settings.threads)?;
        Ok(())
    }

    /// Whether there was a [`reset`](Vector::reset).
    pub fn has_begun(&self) -> bool {
        self.begun
    }

    /// The encoder of observations.
    pub fn encoder(&self) -> &Encoder {
        &self.encoder
    }

    /// The number of environments.
    pub fn count(&self) -> usize {
        self.environments.len()
    }

    /// The episode of an environment.
    pub fn episode(&self, place: usize) -> &Episode<E> {
        &self.environments[place].episode
    }

    /// Begins an episode in each environment, or in each of `which`, with these seeds, or with the next episode of
    /// each, which is the first one if none has begun; writes their observations. The others stay as they are.
    ///
    /// # Panics
    /// If no episode has begun and not all begin one.
    pub fn reset(&mut self, seeds: Option<&[u64]>, which: Option<&[bool]>, outputs: Outputs) {
        let is_one = |place: usize| which.is_none_or(|which| which[place]);
        assert!(self.begun || (0..self.count()).all(is_one), "all environments begin before some begin again");
        for (place, environment) in self.environments.iter_mut().enumerate().filter(|(place, _)| is_one(*place)) {
            match seeds {
                Some(seeds) => *environment = Environment::new(&self.settings, seeds[place]),
                None if self.begun => environment.begin(&self.settings),
                None => {}
            }
        }
        self.begun = true;
        let encoder = &self.encoder;
        let work = |environment: &mut Environment<E>, place: usize, outputs: &mut Outputs| {
            if is_one(place) {
                environment.show(encoder, outputs);
            }
            Ok(())
        };
        each(&mut self.environments, 0, outputs, &work, &|_, _, _, _| ()).expect("observations have no errors");
    }

    /// Takes one decision in each environment.
    ///
    /// # Errors
    /// The first environment whose decision is not legal. It does not change; others may have.
    pub fn step(&mut self, decisions: &[i32], outputs: Outputs) -> Result<(), IllegalStep> {
        self.run(Choice::Given(decisions), outputs)
    }

    /// Takes a legal decision at random in each environment, each equally likely.
    ///
    /// # Errors
    /// If an episode is over and nothing begins the next one.
    pub fn step_randomly(&mut self, outputs: Outputs) -> Result<(), IllegalStep> {
        self.run(Choice::Random, outputs)
    }

    fn run(&mut self, choice: Choice, outputs: Outputs) -> Result<(), IllegalStep> {
        let (settings, encoder) = (&self.settings, &self.encoder);
        let work = |environment: &mut Environment<E>, place: usize, outputs: &mut Outputs| {
            let decision = match choice {
                Choice::Given(decisions) => Some(decisions[place]),
                Choice::Random => None,
            };
            environment.step(settings, encoder, decision, outputs).map_err(|error| IllegalStep { place, error })
        };
        let prefetch = |environment: &mut Environment<E>, stage: Stage, place: usize, outputs: &mut Outputs| {
            let decision = match choice {
                Choice::Given(decisions) => Some(decisions[place]),
                Choice::Random => None,
            };
            environment.prefetch(stage, decision, settings.encoding, outputs);
        };
        let environments = &mut self.environments;
        match &self.pool {
            Some(pool) => pool.install(|| divided(environments, 0, outputs, &work, &prefetch)),
            None => each(environments, 0, outputs, &work, &prefetch),
        }
    }
}

impl<E: Edition> Environment<E> {
    fn new(settings: &VectorSettings, seed: u64) -> Environment<E> {
        let rng = search_rng(&mut Key::experiment(seed).named("random decisions", 0).stream());
        let episode = Episode::new(settings.rules, seed, settings.width);
        Environment { episode, picture: Picture::default(), rng, seed, number: 0, drawn: None }
    }

    /// Begins the next episode.
    fn begin(&mut self, settings: &VectorSettings) {
        self.number += 1;
        self.drawn = None;
        self.episode = Episode::new(settings.rules, episode_seed(self.seed, self.number), settings.width);
        self.picture.forget();
    }

    /// Writes the observation of an episode that has just begun.
    fn show(&mut self, encoder: &Encoder, outputs: &mut Outputs) {
        self.picture.forget();
        outputs.rewards.fill(0.0);
        (outputs.terminated[0], outputs.truncated[0], outputs.decisions[0]) = (false, false, -1);
        self.observe(encoder, outputs);
        self.write_points(outputs);
    }

    /// The decision that a random step takes: drawn once for each step, maybe ahead of it. None if the episode is over.
    fn draw(&mut self) -> Option<u16> {
        let legal = self.picture.legal();
        if self.drawn.is_none() && !legal.is_empty() {
            self.drawn = Some(legal[below(&mut self.rng, legal.len())]);
        }
        self.drawn
    }

    /// Asks for the memory that the next step reads. The two calls come in this order.
    #[inline]
    fn prefetch(&mut self, stage: Stage, decision: Option<i32>, encoding: Encoding, outputs: &mut Outputs) {
        let decision = decision.map_or_else(|| self.draw().map(usize::from), |decision| usize::try_from(decision).ok());
        let Some(number) = decision else { return };
        match stage {
            Stage::Board => self.episode.prefetch_board(number),
            Stage::Features => {
                self.episode.prefetch_features(number);
                let frame = Frame { board: outputs.boards, mask: outputs.masks, global: outputs.globals };
                self.picture.prefetch(&frame, encoding);
            }
        }
    }

    fn observe(&mut self, encoder: &Encoder, outputs: &mut Outputs) {
        let seat = self.episode.state().player();
        outputs.seats[0] = seat as i8;
        let frame = Frame { board: outputs.boards, mask: outputs.masks, global: outputs.globals };
        encoder.update(&mut self.picture, &self.episode, seat, frame);
    }

    fn write_points(&self, outputs: &mut Outputs) {
        for (point, points) in outputs.points.iter_mut().zip(points(&self.episode)) {
            *point = points as i16;
        }
    }

    fn step(
        &mut self,
        settings: &VectorSettings,
        encoder: &Encoder,
        decision: Option<i32>,
        outputs: &mut Outputs,
    ) -> Result<(), IllegalDecision> {
        let is_over = |episode: &Episode<E>| episode.is_terminated() || episode.is_truncated();
        if settings.autoreset == Autoreset::NextStep && is_over(&self.episode) {
            self.begin(settings);
            self.show(encoder, outputs);
            return Ok(());
        }
        let decision = match decision {
            Some(decision) => decision,
            None => self.draw().ok_or(IllegalDecision::Over)?.into(),
        };
        self.drawn = None;
        let highest = encoder.numbering().count() - 1;
        let number = usize::try_from(decision).map_err(|_| IllegalDecision::Unknown(decision.into(), highest))?;
        let turns = self.episode.state().turns().len();
        let before = if settings.reward == EpisodeReward::ScoreDelta { points(&self.episode) } else { [0; MAX_SEATS] };
        let stepped = self.episode.step(number)?;
        outputs.decisions[0] = decision;
        (outputs.terminated[0], outputs.truncated[0]) = (stepped.terminated, stepped.truncated);
        if turns == self.episode.state().turns().len() {
            outputs.rewards.fill(0.0);
        } else {
            settings.reward.write(&self.episode, &before, outputs.rewards);
        }
        self.write_points(outputs);
        if settings.autoreset == Autoreset::SameStep && is_over(&self.episode) {
            self.observe(encoder, outputs);
            outputs.keep_as_final();
            self.begin(settings);
        }
        self.observe(encoder, outputs);
        Ok(())
    }
}

/// Writes code for all parts of [`Outputs`].
macro_rules! for_all_parts {
    ($make:ident) => {
        $make!(
            boards,
            masks,
            globals,
            rewards,
            terminated,
            truncated,
            seats,
            points,
            decisions,
            final_boards,
            final_masks,
            final_globals,
            final_seats
        )
    };
}

/// The lengths of the outputs of one environment.
struct Lengths {
    boards: usize,
    masks: usize,
    globals: usize,
    rewards: usize,
    terminated: usize,
    truncated: usize,
    seats: usize,
    points: usize,
    decisions: usize,
    final_boards: usize,
    final_masks: usize,
    final_globals: usize,
    final_seats: usize,
}

impl Outputs<'_> {
    /// Copies the observation of an environment, which is the last one of its episode.
    fn keep_as_final(&mut self) {
        self.final_boards.copy_from_slice(self.boards);
        self.final_masks.copy_from_slice(self.masks);
        self.final_globals.copy_from_slice(self.globals);
        self.final_seats.copy_from_slice(self.seats);
    }

    fn lengths(&self, count: usize) -> Lengths {
        macro_rules! lengths {
            ($($part:ident),*) => { Lengths { $($part: self.$part.len() / count),* } };
        }
        for_all_parts!(lengths)
    }

    /// The outputs of the first `at` environments, and those of the others.
    fn split(self, at: usize, lengths: &Lengths) -> (Self, Self) {
        macro_rules! halves {
            ($($part:ident),*) => {{
                $(let $part = self.$part.split_at_mut(lengths.$part * at);)*
                (Outputs { $($part: $part.0),* }, Outputs { $($part: $part.1),* })
            }};
        }
        for_all_parts!(halves)
    }

    /// The outputs of one environment.
    fn of(&mut self, place: usize, lengths: &Lengths) -> Outputs<'_> {
        macro_rules! parts {
            ($($part:ident),*) => {
                Outputs { $($part: &mut self.$part[place * lengths.$part..][..lengths.$part]),* }
            };
        }
        for_all_parts!(parts)
    }
}

/// Does the work for each environment, in order, up to the first error. `first` is the number of the first one.
fn each<E: Edition>(
    environments: &mut [Environment<E>],
    first: usize,
    mut outputs: Outputs,
    work: &impl Fn(&mut Environment<E>, usize, &mut Outputs) -> Result<(), IllegalStep>,
    prefetch: &impl Fn(&mut Environment<E>, Stage, usize, &mut Outputs),
) -> Result<(), IllegalStep> {
    let count = environments.len();
    let lengths = outputs.lengths(count);
    for place in 0..count {
        for (ahead, stage) in AHEAD {
            if let Some(later) = environments.get_mut(place + ahead) {
                prefetch(later, stage, first + place + ahead, &mut outputs.of(place + ahead, &lengths));
            }
        }
        work(&mut environments[place], first + place, &mut outputs.of(place, &lengths))?;
    }
    Ok(())
}

/// Does the work in parts, on the threads of the pool that this runs in.
fn divided<E: Edition>(
    environments: &mut [Environment<E>],
    first: usize,
    outputs: Outputs,
    work: &(impl Fn(&mut Environment<E>, usize, &mut Outputs) -> Result<(), IllegalStep> + Sync),
    prefetch: &(impl Fn(&mut Environment<E>, Stage, usize, &mut Outputs) + Sync),
) -> Result<(), IllegalStep> {
    let count = environments.len();
    if count <= UNDIVIDED {
        return each(environments, first, outputs, work, prefetch);
    }
    let half = count / 2;
    let (left, right) = environments.split_at_mut(half);
    let lengths = outputs.lengths(count);
    let (left_outputs, right_outputs) = outputs.split(half, &lengths);
    let (left, right) = rayon::join(
        || divided(left, first, left_outputs, work, prefetch),
        || divided(right, first + half, right_outputs, work, prefetch),
    );
    left.and(right)
}
