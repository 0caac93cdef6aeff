//! Checkpoints that are gone on from, and those that are not.

use serde_json::json;

use super::*;
use crate::train::functions::settings;
use crate::train::settings::Method;

#[test]
fn a_training_is_kept_with_its_very_numbers() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.checkpoint.json");
    for method in [Method::Ga, Method::Pso, Method::Cmaes] {
        let settings = settings(method, 3);
        let training = Training::new(settings.clone());
        save(&path, &training).unwrap();
        assert_eq!(load(&path, &settings).unwrap(), Some(training));
    }
    assert_eq!(
        load(&folder.path().join("b"), &settings(Method::Ga, 3)).unwrap(),
        None
    );
}

#[test]
fn what_differs_is_named_with_the_remedy() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.checkpoint.json");
    let mut other = settings(Method::Ga, 3);
    save(&path, &Training::new(other.clone())).unwrap();
    other.games = 6;
    other.seed = 2;
    let error = load(&path, &other).unwrap_err().to_string();
    let expected = "is of a training with --games 5 --seed 1, not --games 6 --seed 2; --fresh";
    assert!(error.contains(expected), "{error}");
    check_replaceable(&path).unwrap();
}

/// Every number that decides how it goes on is looked at.
#[test]
fn numbers_that_no_training_comes_to_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.checkpoint.json");
    let cma = |field: &str| format!("/training/optimiser/cmaes/{field}");
    let ga = |field: &str| format!("/training/optimiser/ga/{field}");
    let pso = |field: &str| format!("/training/optimiser/pso/{field}");
    let training = |field: &str| format!("/training/{field}");
    let generation = json!({"best": -1.0, "mean": 0.0});
    let other = serde_json::to_value(Training::new(settings(Method::Cmaes, 3))).unwrap();
    let cases = [
        (
            Method::Cmaes,
            cma("sigma"),
            json!(-0.5),
            "sigma: -0.5 is no size of a step",
        ),
        (
            Method::Cmaes,
            cma("sigma"),
            json!(0.0),
            "sigma: 0 is no size of a step",
        ),
        (
            Method::Cmaes,
            cma("sigma"),
            Value::Null,
            "invalid type: null",
        ),
        (
            Method::Cmaes,
            cma("population"),
            json!(11),
            "population: 11, not 10",
        ),
        (
            Method::Cmaes,
            cma("generation"),
            json!(-1),
            "generation: -1, not 0",
        ),
        (Method::Cmaes, cma("directions"), json!(false), "directions"),
        (
            Method::Cmaes,
            cma("mean"),
            json!([[0.0], 1, null]),
            "mean: 1 numbers, not 3",
        ),
        (
            Method::Cmaes,
            cma("covariance/0/0"),
            json!(-1.0),
            "a variance is not above 0",
        ),
        (
            Method::Cmaes,
            cma("covariance/0/1"),
            json!(9.0),
            "it is not symmetric",
        ),
        (
            Method::Cmaes,
            cma("random/s"),
            json!([0, 0, 0, 0]),
            "whose state is all 0",
        ),
        (
            Method::Ga,
            ga("population/1/sigma"),
            json!(-1.0),
            "individual 2: -1 is no size",
        ),
        (
            Method::Ga,
            ga("population/0/weights"),
            json!([1.0]),
            "individual 1: 1 numbers",
        ),
        (
            Method::Ga,
            ga("population"),
            json!([]),
            "population: 0, not 10",
        ),
        (
            Method::Pso,
            pso("particles"),
            json!([]),
            "particles: 0, not 10",
        ),
        (
            Method::Pso,
            pso("particles/2/velocity"),
            json!([1.0, 2.0]),
            "particle 3: 2 numbers",
        ),
        (
            Method::Pso,
            pso("particles/0/moves"),
            json!(3),
            "its particles moved 3 times",
        ),
        (
            Method::Pso,
            pso("moves"),
            json!(u64::MAX),
            "its particles moved 0 times",
        ),
        (
            Method::Pso,
            pso("particles/0/record/lines"),
            json!(-1.0),
            "-1 lines a game",
        ),
        (
            Method::Ga,
            training("history"),
            json!([generation]),
            "generation 1: -1 lines",
        ),
        (
            Method::Ga,
            training("pieces"),
            json!(u64::MAX),
            "pieces: 18446744073709551615 is",
        ),
        (
            Method::Ga,
            training("seconds"),
            json!(-1.0),
            "seconds: -1 is no time",
        ),
        (
            Method::Ga,
            training("fresh_game"),
            json!(5),
            "fresh_game: 5, but 0 generations",
        ),
        (
            Method::Ga,
            training("recent"),
            json!([[1.0]]),
            "recent: 1 numbers, not 3",
        ),
        (
            Method::Ga,
            training("history"),
            json!([{"best": 1.0, "mean": 1.0}]),
            "evaluations: 0, but 1 generations of 10 take 10",
        ),
        (
            Method::Ga,
            training("chosen"),
            json!({"weights": [1.0], "lines": 1.0, "games": 1}),
            "chosen: 1 numbers, not 3",
        ),
        (
            Method::Ga,
            training("optimiser"),
            other["optimiser"].clone(),
            "the optimiser is cmaes, not ga",
        ),
    ];
    for (method, place, value, told) in cases {
        let settings = settings(method, 3);
        save(&path, &Training::new(settings.clone())).unwrap();
        let mut document: Value = serde_json::from_slice(&std::fs::read(&path).unwrap()).unwrap();
        let field = document.pointer_mut(&place);
        *field.unwrap_or_else(|| panic!("there is no {place}")) = value;
        std::fs::write(&path, document.to_string()).unwrap();
        let error = load(&path, &settings).unwrap_err().to_string();
        assert!(error.contains(told), "{error}, not {told}");
        assert!(
            error.contains("a.checkpoint.json: ") && error.contains("--fresh"),
            "{error}"
        );
    }
}

#[test]
fn what_is_no_checkpoint_is_told_from_one_that_is_damaged() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.checkpoint.json");
    let settings = settings(Method::Ga, 3);
    check_replaceable(&path).unwrap();
    for content in ["", "precious", "[1]", "{}", r#"{"lockstep_training":1"#] {
        std::fs::write(&path, content).unwrap();
        for error in [
            load(&path, &settings).unwrap_err(),
            check_replaceable(&path).unwrap_err(),
        ] {
            assert!(matches!(error, CheckpointError::Foreign { .. }), "{error}");
        }
    }
    for (content, named) in [
        (r#"{"lockstep_training":1}"#, "missing field `training`"),
        (r#"{"lockstep_training":"x"}"#, "version \"x\""),
    ] {
        std::fs::write(&path, content).unwrap();
        let error = load(&path, &settings).unwrap_err().to_string();
        assert!(
            error.contains(named) && error.contains("--fresh"),
            "{error}"
        );
        check_replaceable(&path).unwrap();
    }
}
