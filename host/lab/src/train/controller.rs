//! Converts directions to controllers and back.

use protocol::layout::tetris::WEIGHT_FIELDS;

use super::features::FeatureSet;
use super::unit;
use lockstep_games::tetris::{Controller, FEATURES, Linear, Rule, Search};

/// Largest magnitude of a trained weight: far below the wire's limit, with enough decimals.
const LARGEST: f64 = 10.0;

/// The controller with weights in this direction.
pub fn controller(name: &str, source: &str, set: &FeatureSet, weights: &[f64]) -> Controller {
    Controller {
        name: name.into(),
        source: source.into(),
        rule: Rule::Linear(linear(set, weights)),
    }
}

/// The weights of a direction, scaled so that the largest is 10 and rounded to millionths.
///
/// Training plays with the same rounded weights.
pub(super) fn linear(set: &FeatureSet, weights: &[f64]) -> Linear {
    let largest = weights.iter().fold(0.0, |m: f64, w| m.max(w.abs()));
    let scale = if largest > 0.0 {
        LARGEST / largest
    } else {
        0.0
    };
    let mut published = [0.0; FEATURES];
    for (&index, weight) in set.indices().iter().zip(weights) {
        published[index] = weight * scale;
    }
    Linear::from_published(&published, Search::ONE)
}

/// The direction of a controller, a unit vector over the features of the set.
///
/// # Errors
/// When the controller is not linear, uses features outside the set, or has only zero weights.
pub fn direction(set: &FeatureSet, controller: &Controller) -> Result<Vec<f64>, String> {
    let linear = controller.linear();
    let linear = linear.ok_or("it is a program, which has no weights")?;
    let used = |i: &usize| linear.weights[*i] != 0;
    let left_out: Vec<&str> = (0..FEATURES)
        .filter(|i| used(i) && !set.indices().contains(i))
        .map(|i| WEIGHT_FIELDS[i].name)
        .collect();
    if !left_out.is_empty() {
        return Err(format!(
            "it uses {}, which {set} leaves out; choose other features",
            left_out.join(", ")
        ));
    }
    if !set.indices().iter().any(used) {
        return Err("every weight is 0".into());
    }
    let published = linear.published();
    let chosen: Vec<f64> = set.indices().iter().map(|&i| published[i]).collect();
    Ok(unit(&chosen))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn direction_of_published_controller_gives_its_weights() {
        for (name, set) in [("dt-20", "dt"), ("bcts", "bcts"), ("dellacherie", "all")] {
            let set: FeatureSet = set.parse().unwrap();
            let known = Controller::load(name).unwrap();
            let made = controller("x", "y", &set, &direction(&set, &known).unwrap());
            let weights = |c: &Controller| c.linear().unwrap().weights;
            let largest = |c: &Controller| weights(c).map(i32::abs).into_iter().max().unwrap();
            assert!(largest(&made) <= 10_000_000);
            let factor = f64::from(largest(&known)) / f64::from(largest(&made));
            for (a, b) in weights(&known).into_iter().zip(weights(&made)) {
                assert!(
                    (f64::from(a) - f64::from(b) * factor).abs() <= 2.0,
                    "{name}"
                );
            }
        }
    }

    #[test]
    fn controller_largest_weight_is_ten() {
        let set: FeatureSet = "landing_height,holes".parse().unwrap();
        let text = |weights: &[f64]| {
            let made = controller("n", "s", &set, weights);
            serde_json::to_value(made).unwrap()["weights"].to_string()
        };
        assert_eq!(
            text(&[-0.5, 0.25]),
            r#"{"holes":5.0,"landing_height":-10.0}"#
        );
        assert_eq!(
            text(&[0.001, -0.003]),
            r#"{"holes":-10.0,"landing_height":3.333334}"#
        );
    }

    #[test]
    fn direction_outside_set_is_refused_with_features() {
        let set: FeatureSet = "dellacherie".parse().unwrap();
        let error = direction(&set, &Controller::load("bcts").unwrap()).unwrap_err();
        assert!(error.starts_with("it uses hole_depth, rows_with_holes, which dellacherie"));
    }
}
