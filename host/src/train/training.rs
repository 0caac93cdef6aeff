//! One training: its state, and how it goes on.

use std::collections::VecDeque;
use std::sync::Mutex;
use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};

use super::cma::Cma;
use super::finals::{self, Chosen};
use super::genetic::Genetic;
use super::settings::{Method, Settings};
use super::swarm::Swarm;
use super::{Evaluation, Fitness, pool, unit};

/// Bests of so many generations take part in the choice at the end.
const RECENT: usize = 6;

/// An optimiser that plays generation after generation.
pub trait Generational {
    /// The candidates of the next generation.
    fn ask(&mut self) -> Vec<Vec<f64>>;
    /// How they did: their indices, the best first.
    fn tell(&mut self, candidates: &[Vec<f64>], order: &[usize]);
    /// What it would answer now, the likeliest first.
    fn finalists(&self) -> Vec<Vec<f64>>;
}

/// An optimiser with all its state.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Optimiser {
    /// Genetic algorithm.
    Ga(Genetic),
    /// Particle swarm.
    Pso(Swarm),
    /// CMA-ES.
    Cmaes(Cma),
}

impl Optimiser {
    fn new(settings: &Settings) -> Self {
        let features = settings.controller_features.indices().len();
        let (population, seed) = (settings.population, settings.seed);
        let start = settings.start.as_deref();
        match settings.method {
            Method::Ga => Self::Ga(Genetic::new(features, start, population, seed)),
            Method::Pso => Self::Pso(Swarm::new(features, start, population, seed)),
            Method::Cmaes => {
                // Around nothing, steps of any size are random directions.
                let sigma = if start.is_some() { 0.2 } else { 1.0 };
                let mean = start.map_or_else(|| vec![0.0; features], unit);
                Self::Cmaes(Cma::new(mean, sigma, population, true, seed))
            }
        }
    }

    fn finalists(&self) -> Vec<Vec<f64>> {
        match self {
            Self::Ga(genetic) => genetic.finalists(),
            Self::Pso(swarm) => swarm.finalists(),
            Self::Cmaes(cma) => cma.finalists(),
        }
    }
}

/// Lines a game of the candidates of one generation; of a swarm, of as many
/// moves as it has particles.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
pub struct Generation {
    /// The best candidate's.
    pub best: f64,
    /// The mean of all.
    pub mean: f64,
}

/// A training with all its state.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Training {
    /// Under which it began.
    pub settings: Settings,
    /// What it came to; none before the choice at the end.
    pub chosen: Option<Chosen>,
    /// Evaluations so far.
    pub evaluations: u64,
    /// Pieces played so far.
    pub pieces: u64,
    /// Time taken so far, over all runs of the program.
    pub seconds: f64,
    /// Number of the first game nobody has played.
    pub fresh_game: u64,
    /// All generations so far.
    pub history: Vec<Generation>,
    recent: VecDeque<Vec<f64>>,
    optimiser: Optimiser,
}

/// How far to go, and with how many threads.
#[derive(Debug, Clone, Copy)]
pub struct Plan {
    /// Threads that play.
    pub threads: usize,
    /// Stop after so many generations.
    pub generations: Option<u64>,
    /// Stop after so much time, earlier runs included; the choice at the end
    /// comes on top.
    pub time: Option<Duration>,
}

/// What a training has just come to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stage {
    /// One more generation.
    Generation,
    /// The last one; what is chosen is still to be found.
    Choosing,
    /// The weights are chosen.
    Chosen,
}

/// Who is told what a training has come to.
pub type Listener<'a, E> = dyn FnMut(&Training, Stage) -> Result<(), E> + Send + 'a;

/// How a run ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum End {
    /// The plan is fulfilled and the weights are chosen.
    Finished,
    /// It was told to stop.
    Interrupted,
}

impl Training {
    /// A training before its first game.
    pub fn new(settings: Settings) -> Self {
        Self {
            optimiser: Optimiser::new(&settings),
            chosen: None,
            evaluations: 0,
            pieces: 0,
            seconds: 0.0,
            fresh_game: 0,
            history: Vec::new(),
            recent: VecDeque::new(),
            settings,
        }
    }

    /// Generations so far.
    pub fn generations(&self) -> u64 {
        self.history.len() as u64
    }

    /// Whether the plan asks for no more generations.
    pub fn fulfils(&self, plan: &Plan) -> bool {
        plan.generations.is_some_and(|n| self.generations() >= n)
            || plan.time.is_some_and(|t| self.seconds >= t.as_secs_f64())
    }

    /// The best weights known now: those chosen, or else what the optimiser
    /// would answer.
    pub fn weights(&self) -> Vec<f64> {
        let chosen = self.chosen.as_ref().map(|c| c.weights.clone());
        chosen.unwrap_or_else(|| self.optimiser.finalists().swap_remove(0))
    }

    /// Goes on until the plan is fulfilled, then chooses.
    ///
    /// # Errors
    /// Those of `listen`, which end the training.
    pub fn run<E: Send>(
        &mut self,
        fitness: &dyn Fitness,
        plan: &Plan,
        interrupted: &(dyn Fn() -> bool + Sync),
        listen: &mut Listener<'_, E>,
    ) -> Result<End, E> {
        if self.chosen.is_some() && self.fulfils(plan) {
            return Ok(End::Finished);
        }
        self.chosen = None;
        let clock = Clock::start(self.seconds);
        let late = || {
            plan.time
                .is_some_and(|t| clock.seconds() >= t.as_secs_f64())
        };
        let stop = || interrupted() || late();
        while !self.fulfils(plan) && !stop() {
            match self.optimiser {
                Optimiser::Pso(_) => self.fly(fitness, plan, &clock, &stop, listen)?,
                _ => {
                    if self.breed(fitness, plan.threads, &clock, &stop).is_some() {
                        listen(self, Stage::Generation)?;
                    }
                }
            }
        }
        if interrupted() {
            return Ok(End::Interrupted);
        }
        listen(self, Stage::Choosing)?;
        let finalists = self.optimiser.finalists().into_iter();
        let finalists = finalists.chain(self.recent.iter().rev().cloned()).collect();
        let (games, threads) = (self.settings.games, plan.threads);
        let chosen = finals::choose(
            fitness,
            finalists,
            self.fresh_game,
            games,
            threads,
            interrupted,
        );
        if chosen.is_none() {
            return Ok(End::Interrupted);
        }
        self.chosen = chosen;
        self.seconds = clock.seconds();
        listen(self, Stage::Chosen)?;
        Ok(End::Finished)
    }

    /// One generation, or nothing at all: stopped within one, the state stays
    /// that before it.
    fn breed(
        &mut self,
        fitness: &dyn Fitness,
        threads: usize,
        clock: &Clock,
        stop: &(dyn Fn() -> bool + Sync),
    ) -> Option<()> {
        let mut next = self.optimiser.clone();
        let optimiser: &mut dyn Generational = match &mut next {
            Optimiser::Ga(genetic) => genetic,
            Optimiser::Cmaes(cma) => cma,
            Optimiser::Pso(_) => return None,
        };
        let candidates = optimiser.ask();
        let games = self.fresh_game..self.fresh_game + self.settings.games;
        let found = pool::evaluate(fitness, &candidates, games.clone(), threads, stop)?;
        let mut order: Vec<usize> = (0..candidates.len()).collect();
        order.sort_by(|&a, &b| found[b].rank(&found[a]));
        optimiser.tell(&candidates, &order);

        self.optimiser = next;
        self.fresh_game = games.end;
        self.count(&found);
        let sum: f64 = found.iter().map(|e| e.lines).sum();
        let generation = Generation {
            best: found[order[0]].lines,
            mean: sum / found.len() as f64,
        };
        self.completed(generation, unit(&candidates[order[0]]), clock);
        Some(())
    }

    /// Moves particles until the plan is fulfilled, every thread for itself.
    fn fly<E: Send>(
        &mut self,
        fitness: &dyn Fitness,
        plan: &Plan,
        clock: &Clock,
        stop: &(dyn Fn() -> bool + Sync),
        listen: &mut Listener<'_, E>,
    ) -> Result<(), E> {
        // A thread without a particle would wait for one.
        let threads = plan.threads.min(self.settings.population);
        let games = self.settings.games;
        let shared = Mutex::new((self, listen, Ok(())));
        let lock = || shared.lock().unwrap_or_else(|e| e.into_inner());
        let work = || {
            loop {
                let taken = {
                    let (training, _, heard) = &mut *lock();
                    if stop() || heard.is_err() || training.fulfils(plan) {
                        return;
                    }
                    training.swarm().and_then(Swarm::take)
                };
                let Some(taken) = taken else { return };
                let candidates = taken.candidates();
                let first = taken.number() * games;
                let evaluate =
                    |weights: &Vec<f64>| fitness.evaluate(weights, first..first + games, stop);
                let Some(found) = candidates.iter().map(evaluate).collect::<Option<Vec<_>>>()
                else {
                    return;
                };
                let (training, listen, heard) = &mut *lock();
                training.count(&found);
                training.fresh_game = training.fresh_game.max(first + games);
                let Some(swarm) = training.swarm() else {
                    return;
                };
                let full = swarm.put(taken, &found, games);
                // One more thread may finish what it was at when the plan is
                // fulfilled; nobody is told of that.
                if let Some(generation) = full.filter(|_| heard.is_ok()) {
                    let best = training.weights();
                    training.completed(generation, best, clock);
                    *heard = listen(training, Stage::Generation);
                }
            }
        };
        std::thread::scope(|scope| {
            for _ in 1..threads {
                scope.spawn(work);
            }
            work();
        });
        let (training, _, heard) = shared.into_inner().unwrap_or_else(|e| e.into_inner());
        if let Some(swarm) = training.swarm() {
            swarm.forget();
        }
        heard
    }

    fn swarm(&mut self) -> Option<&mut Swarm> {
        match &mut self.optimiser {
            Optimiser::Pso(swarm) => Some(swarm),
            _ => None,
        }
    }

    fn count(&mut self, found: &[Evaluation]) {
        self.evaluations += found.len() as u64;
        self.pieces += found.iter().map(|e| e.pieces).sum::<u64>();
    }

    fn completed(&mut self, generation: Generation, best: Vec<f64>, clock: &Clock) {
        self.history.push(generation);
        self.recent.retain(|known| *known != best);
        self.recent.push_back(best);
        if self.recent.len() > RECENT {
            self.recent.pop_front();
        }
        self.seconds = clock.seconds();
    }
}

/// Time taken by this and by earlier runs.
struct Clock {
    earlier: f64,
    begun: Instant,
}

impl Clock {
    fn start(earlier: f64) -> Self {
        let begun = Instant::now();
        Self { earlier, begun }
    }

    fn seconds(&self) -> f64 {
        self.earlier + self.begun.elapsed().as_secs_f64()
    }
}

#[cfg(test)]
mod tests {
    use std::ops::Range;
    use std::sync::atomic::{AtomicU64, Ordering};

    use super::super::functions::settings;
    use super::super::random::Random;
    use super::*;

    /// Lines by how near the weights are to (1, -1, …), and by luck.
    #[derive(Default)]
    struct Near {
        evaluations: AtomicU64,
    }

    impl Fitness for Near {
        fn evaluate(
            &self,
            weights: &[f64],
            games: Range<u64>,
            stop: &(dyn Fn() -> bool + Sync),
        ) -> Option<Evaluation> {
            self.evaluations.fetch_add(1, Ordering::Relaxed);
            let signs = [1.0, -1.0].into_iter().cycle();
            let dot: f64 = unit(weights).iter().zip(signs).map(|(w, s)| w * s).sum();
            let skill = (4.0 * dot).exp();
            let luck = games.clone().map(|game| Random::new(game).uniform());
            let lines = skill * (0.5 + luck.sum::<f64>() / (games.end - games.start) as f64);
            (!stop()).then_some(Evaluation { lines, pieces: 3 })
        }
    }

    const METHODS: [Method; 3] = [Method::Ga, Method::Pso, Method::Cmaes];

    fn plan(threads: usize, generations: u64) -> Plan {
        Plan {
            threads,
            generations: Some(generations),
            time: None,
        }
    }

    fn run(training: &mut Training, plan: Plan) -> End {
        let mut quiet = |_: &Training, _| Ok::<(), ()>(());
        let fitness = Near::default();
        training
            .run(&fitness, &plan, &|| false, &mut quiet)
            .unwrap()
    }

    /// But for the time it took.
    fn same(a: &Training, b: &Training) -> bool {
        let mut a = a.clone();
        a.seconds = b.seconds;
        a == *b
    }

    #[test]
    fn every_method_finds_the_direction() {
        for method in METHODS {
            let mut training = Training::new(settings(method, 4));
            assert_eq!(run(&mut training, plan(2, 60)), End::Finished);
            let chosen = training.chosen.clone().unwrap();
            let best = unit(&[1.0, -1.0, 1.0, -1.0]);
            let dot: f64 = best.iter().zip(&chosen.weights).map(|(a, b)| a * b).sum();
            assert!(dot > 0.97, "{method}: {dot}");
            assert_eq!(chosen.games, 100);
            assert!(training.generations() == 60 && training.weights() == chosen.weights);
        }
    }

    /// Through JSON after every generation, and on other numbers of threads.
    #[test]
    fn a_resumed_training_ends_exactly_as_an_uninterrupted_one() {
        for method in METHODS {
            let threads = if method == Method::Pso { 1 } else { 3 };
            let mut whole = Training::new(settings(method, 4));
            run(&mut whole, plan(1, 12));
            let mut pieces = Training::new(settings(method, 4));
            for step in 1..=12 {
                run(&mut pieces, plan(threads, step));
                let text = serde_json::to_string(&pieces).unwrap();
                pieces = serde_json::from_str(&text).unwrap();
            }
            assert!(same(&pieces, &whole), "{method}");
        }
    }

    #[test]
    fn a_generation_that_is_stopped_leaves_no_trace() {
        for method in METHODS {
            let mut training = Training::new(settings(method, 4));
            run(&mut training, plan(1, 3));
            let before = training.clone();
            let fitness = Near::default();
            let late = || fitness.evaluations.load(Ordering::Relaxed) > 4;
            let mut told = 0;
            let mut listener = |_: &Training, _| {
                told += 1;
                Ok::<(), ()>(())
            };
            let end = training.run(&fitness, &plan(2, 9), &late, &mut listener);
            assert_eq!((end, told), (Ok(End::Interrupted), 0));
            if method != Method::Pso {
                assert_eq!(training.chosen, None);
                training.chosen.clone_from(&before.chosen);
                assert!(same(&training, &before));
            }
        }
    }

    #[test]
    fn a_listener_that_fails_ends_the_training() {
        for method in METHODS {
            let mut training = Training::new(settings(method, 4));
            let mut full = |t: &Training, _| {
                if t.generations() < 3 {
                    Ok(())
                } else {
                    Err("full")
                }
            };
            let end = training.run(&Near::default(), &plan(2, 9), &|| false, &mut full);
            assert_eq!(end, Err("full"));
            assert_eq!(training.generations(), 3);
        }
    }

    #[test]
    fn what_is_finished_plays_no_more() {
        let mut training = Training::new(settings(Method::Cmaes, 4));
        run(&mut training, plan(1, 3));
        let fitness = Near::default();
        let mut listener = |_: &Training, _| Err("told");
        let end = training.run(&fitness, &plan(1, 2), &|| false, &mut listener);
        assert_eq!(end, Ok(End::Finished));
        assert_eq!(fitness.evaluations.into_inner(), 0);
    }
}
