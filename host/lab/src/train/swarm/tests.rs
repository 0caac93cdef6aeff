//! Swarms on functions that are known.

use super::*;
use crate::train::functions::sphere;

fn evaluation(lines: f64) -> Evaluation {
    Evaluation { lines, pieces: 1 }
}

fn fly(swarm: &mut Swarm, lines: impl Fn(&[f64]) -> f64, moves: u32) {
    for _ in 0..moves {
        let taken = swarm.take().unwrap();
        let played = taken.candidates();
        let played: Vec<_> = played.iter().map(|x| evaluation(lines(x))).collect();
        swarm.put(taken, &played, 1);
    }
}

#[test]
fn it_finds_the_top_of_a_hill() {
    let height = |x: &[f64]| 1.0 / (1.0 + sphere(&[x[0] - 0.3, x[1] + 0.7, x[2] - 1.2]));
    let mut swarm = Swarm::new(3, None, 30, 2);
    fly(&mut swarm, height, 30 * 150);
    let best = &swarm.finalists()[0];
    assert!(height(best) > 1.0 - 1e-6, "{best:?}");
}

#[test]
fn the_particle_that_moved_least_is_next_and_none_is_taken_twice() {
    let mut swarm = Swarm::new(2, None, 3, 2);
    let (a, b) = (swarm.take().unwrap(), swarm.take().unwrap());
    swarm.put(a, &[evaluation(1.0)], 1);
    let c = swarm.take().unwrap();
    assert_eq!((b.index, c.index, c.number()), (1, 2, 0));
    let d = swarm.take().unwrap();
    assert_eq!((d.index, d.number()), (0, 1));
    assert!(swarm.take().is_none(), "all are being played");
}

#[test]
fn a_lucky_best_is_found_out() {
    let mut swarm = Swarm::new(2, None, 1, 2);
    let first = swarm.take().unwrap();
    swarm.put(first, &[evaluation(900.0)], 10);
    assert_eq!(swarm.particles[0].record.mean(), 900.0);
    let lucky = swarm.particles[0].best.clone();
    // It plays as badly as all others from now on.
    for _ in 0..8 {
        let taken = swarm.take().unwrap();
        swarm.put(taken, &[evaluation(110.0), evaluation(100.0)], 10);
    }
    assert!((swarm.particles[0].record.mean() - 1700.0 / 9.0).abs() < 1e-9);
    assert_eq!(swarm.particles[0].best, lucky);
    let taken = swarm.take().unwrap();
    swarm.put(taken, &[evaluation(200.0), evaluation(100.0)], 10);
    assert_ne!(swarm.particles[0].best, lucky);
    assert_eq!(swarm.particles[0].record.mean(), 200.0);
}

#[test]
fn particles_under_way_are_played_again_after_a_restart() {
    let mut swarm = Swarm::new(2, None, 4, 2);
    fly(&mut swarm, sphere, 9);
    let kept = swarm.clone();
    let taken = swarm.take().unwrap();
    let text = serde_json::to_string(&swarm).unwrap();
    let mut restored: Swarm = serde_json::from_str(&text).unwrap();
    assert_eq!(restored, kept);
    assert_eq!(restored.take().unwrap().particle, taken.particle);
}
