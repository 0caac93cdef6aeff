//! How a training goes from one generation to the next.

use std::sync::Mutex;

use rayon::ThreadPool;

use super::{Clock, Listener, Plan, Stage, Training};
use crate::train::evaluate::evaluate;
use crate::train::generation::{Generation, Generational};
use crate::train::optimiser::Optimiser;
use crate::train::swarm::Swarm;
use crate::train::{Fitness, unit};

impl Training {
    /// One generation, or nothing at all: stopped within one, the state stays
    /// that before it.
    pub(super) fn breed(
        &mut self,
        fitness: &dyn Fitness,
        pool: &ThreadPool,
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
        let found = evaluate(fitness, &candidates, games.clone(), pool, stop)?;
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
    pub(super) fn fly<E: Send>(
        &mut self,
        fitness: &dyn Fitness,
        plan: &Plan,
        pool: &ThreadPool,
        clock: &Clock,
        stop: &(dyn Fn() -> bool + Sync),
        listen: &mut Listener<'_, E>,
    ) -> Result<(), E> {
        // A thread without a particle would wait for one.
        let threads = pool.current_num_threads().min(self.settings.population);
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
        pool.scope(|scope| {
            for _ in 0..threads {
                scope.spawn(|_| work());
            }
        });
        let (training, _, heard) = shared.into_inner().unwrap_or_else(|e| e.into_inner());
        if let Some(swarm) = training.swarm() {
            swarm.forget();
        }
        heard
    }
}
