//! Trainings with a fitness whose optimum is known.

use std::sync::atomic::{AtomicU64, Ordering};

use super::*;
use crate::threads::pool;
use crate::train::evaluator::Threads;
use crate::train::functions::settings;
use crate::train::random::Random;
use crate::train::{Evaluation, Method, unit};

/// Lines grow with the nearness of the weights to (1, -1, …), and depend on luck.
fn near(weights: &[f64], game: u64, stop: Stop<'_>) -> Option<Evaluation> {
    let signs = [1.0, -1.0].into_iter().cycle();
    let dot: f64 = unit(weights).iter().zip(signs).map(|(w, s)| w * s).sum();
    let skill = (4.0 * dot).exp();
    let lines = skill * (0.5 + Random::new(game).uniform());
    (!stop()).then_some(Evaluation { lines, pieces: 3 })
}

const METHODS: [Method; 3] = [Method::Ga, Method::Pso, Method::Cmaes];

fn plan(generations: u64) -> TrainingPlan {
    TrainingPlan {
        generations: Some(generations),
        time: None,
    }
}

fn run(training: &mut Training, threads: usize, generations: u64) -> TrainingEnd {
    let mut quiet = |_: &Training, _| Ok::<(), ()>(());
    let (plan, pool) = (plan(generations), pool(threads).unwrap());
    let threads = Threads {
        fitness: &near,
        pool: &pool,
    };
    training
        .run(&threads, &plan, &|| false, &mut quiet)
        .unwrap()
}

/// Whether two training runs are equal except for their time.
fn same(a: &Training, b: &Training) -> bool {
    let mut a = a.clone();
    a.seconds = b.seconds;
    a == *b
}

#[test]
fn every_method_finds_direction() {
    for method in METHODS {
        let mut training = Training::new(settings(method, 4));
        assert_eq!(run(&mut training, 2, 60), TrainingEnd::Finished);
        let chosen = training.chosen.clone().unwrap();
        let best = unit(&[1.0, -1.0, 1.0, -1.0]);
        let dot: f64 = best.iter().zip(&chosen.weights).map(|(a, b)| a * b).sum();
        assert!(dot > 0.97, "{method}: {dot}");
        assert_eq!(chosen.games, 100);
        assert_eq!(
            training.fresh_game,
            60 * 5,
            "each generation has games of its own"
        );
        assert!(training.generations() == 60 && training.weights() == chosen.weights);
    }
}

/// Saves as JSON after every generation, and changes the number of threads.
#[test]
fn training_resumed_ends_exactly_as_uninterrupted() {
    for method in METHODS {
        let mut whole = Training::new(settings(method, 4));
        run(&mut whole, 1, 12);
        let mut pieces = Training::new(settings(method, 4));
        for step in 1..=12 {
            run(&mut pieces, 3, step);
            let text = serde_json::to_string(&pieces).unwrap();
            pieces = serde_json::from_str(&text).unwrap();
        }
        assert!(same(&pieces, &whole), "{method}");
    }
}

#[test]
fn generation_stopped_leaves_no_trace() {
    for method in METHODS {
        let mut training = Training::new(settings(method, 4));
        run(&mut training, 1, 3);
        let before = training.clone();
        let evaluations = AtomicU64::new(0);
        let counted = |weights: &[f64], game, stop: Stop<'_>| {
            evaluations.fetch_add(1, Ordering::Relaxed);
            near(weights, game, stop)
        };
        let late = || evaluations.load(Ordering::Relaxed) > 4;
        let mut calls = 0;
        let mut listener = |_: &Training, _| {
            calls += 1;
            Ok::<(), ()>(())
        };
        let threads = Threads {
            fitness: &counted,
            pool: &pool(2).unwrap(),
        };
        let end = training.run(&threads, &plan(9), &late, &mut listener);
        assert_eq!((end, calls), (Ok(TrainingEnd::Interrupted), 0));
        assert_eq!(training.chosen, None);
        training.chosen.clone_from(&before.chosen);
        assert!(same(&training, &before), "{method}");
    }
}

#[test]
fn listener_that_fails_ends_training() {
    for method in METHODS {
        let mut training = Training::new(settings(method, 4));
        let mut full = |t: &Training, _| {
            if t.generations() < 3 {
                Ok(())
            } else {
                Err("full")
            }
        };
        let threads = Threads {
            fitness: &near,
            pool: &pool(2).unwrap(),
        };
        let end = training.run(&threads, &plan(9), &|| false, &mut full);
        assert_eq!(end, Err("full"));
        assert_eq!(training.generations(), 3);
    }
}

#[test]
fn training_finished_plays_no_more() {
    let mut training = Training::new(settings(Method::Cmaes, 4));
    run(&mut training, 1, 3);
    let mut listener = |_: &Training, _| Err("called");
    let threads = Threads {
        fitness: &|_: &[f64], _, _: Stop<'_>| panic!("a game is played"),
        pool: &pool(1).unwrap(),
    };
    let end = training.run(&threads, &plan(2), &|| false, &mut listener);
    assert_eq!(end, Ok(TrainingEnd::Finished));
}

/// Its particles do not wait for each other, so that only one thread gives the same result again.
#[test]
fn free_swarm_finds_direction_and_is_resumed() {
    let mut whole = Training::new(settings(Method::Apso, 4));
    assert_eq!(run(&mut whole, 3, 80), TrainingEnd::Finished);
    assert_eq!(whole.generations(), 80);
    let chosen = whole.chosen.clone().unwrap();
    let best = unit(&[1.0, -1.0, 1.0, -1.0]);
    let dot: f64 = best.iter().zip(&chosen.weights).map(|(a, b)| a * b).sum();
    assert!(dot > 0.97, "{dot}");
    run(&mut whole, 2, 90);
    assert_eq!(whole.generations(), 90);
    let same = [3, 3].map(|generations| {
        let mut training = Training::new(settings(Method::Apso, 4));
        run(&mut training, 1, generations);
        training.seconds = 0.0;
        training
    });
    assert_eq!(same[0], same[1]);
}
