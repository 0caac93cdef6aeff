//! The features of a controller, and directions as controllers.

use std::fmt;
use std::str::FromStr;

use lockstep_games::serde_as_text;
use lockstep_games::tetris::{Controller, FEATURES, Linear, Rule, Search};
use protocol::layout::tetris::WEIGHT_FIELDS;

use super::unit;

/// A set of features as ascending indices into [`WEIGHT_FIELDS`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FeatureSet(Vec<usize>);

const DELLACHERIE: &str =
    "landing_height,eroded_cells,row_transitions,column_transitions,holes,cumulative_wells";
const BCTS: &str = "landing_height,eroded_cells,row_transitions,column_transitions,holes,\
     cumulative_wells,hole_depth,rows_with_holes";
const DT: &str = "landing_height,eroded_cells,row_transitions,column_transitions,holes,\
     well_sums,hole_depth,rows_with_holes,diversity";

/// Sets by name. Source: JMLR 16 (2015) 1629-1676.
const SETS: [(&str, &str); 4] = [
    ("dellacherie", DELLACHERIE),
    ("bcts", BCTS),
    ("dt", DT),
    ("all", ""),
];

fn names() -> Vec<&'static str> {
    WEIGHT_FIELDS.iter().map(|f| f.name).collect()
}

impl FeatureSet {
    /// The indices of the features' weights.
    pub fn indices(&self) -> &[usize] {
        &self.0
    }

    /// The names of the features, in the same order.
    pub fn names(&self) -> impl Iterator<Item = &'static str> {
        self.0.iter().map(|&i| WEIGHT_FIELDS[i].name)
    }

    fn parse_list(list: &str) -> Result<Self, String> {
        let mut indices = Vec::new();
        for name in list.split(',').map(str::trim) {
            let index = names().iter().position(|known| *known == name);
            let sets = SETS.map(|(set, _)| set);
            let Some(index) = index else {
                return Err(match sets.contains(&name) {
                    true => format!("{name} is a whole set; name it alone, or list the features"),
                    false => format!(
                        "'{name}' is neither a set ({}) nor a feature ({})",
                        sets.join(", "),
                        names().join(", ")
                    ),
                });
            };
            if indices.contains(&index) {
                return Err(format!("{name} is named twice"));
            }
            indices.push(index);
        }
        indices.sort_unstable();
        Ok(Self(indices))
    }
}

impl FromStr for FeatureSet {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match SETS.iter().find(|(name, _)| *name == text) {
            Some(("all", _)) => Ok(Self((0..WEIGHT_FIELDS.len()).collect())),
            Some((_, list)) => Self::parse_list(list),
            None => Self::parse_list(text),
        }
    }
}

impl fmt::Display for FeatureSet {
    /// Writes the name of the set if it has one, else its features.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (name, _) in SETS {
            if name.parse().as_ref() == Ok(self) {
                return f.write_str(name);
            }
        }
        f.write_str(&self.names().collect::<Vec<_>>().join(","))
    }
}

serde_as_text!(FeatureSet);

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
    let linear = linear.ok_or("it is a program, which has no weights; name a linear controller")?;
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
        return Err("every weight is 0; give at least one feature another".into());
    }
    let published = linear.published();
    let chosen: Vec<f64> = set.indices().iter().map(|&i| published[i]).collect();
    Ok(unit(&chosen))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn set(text: &str) -> FeatureSet {
        text.parse().unwrap()
    }

    #[test]
    fn feature_set_contains_controller_features() {
        use lockstep_games::tetris::Controller;
        let used = |name: &str| -> Vec<usize> {
            let weights = Controller::load(name).unwrap().linear().unwrap().weights;
            (0..weights.len()).filter(|&i| weights[i] != 0).collect()
        };
        assert_eq!(set("dellacherie").indices(), used("dellacherie"));
        assert_eq!(set("bcts").indices(), used("bcts"));
        assert_eq!(set("dt").indices(), used("dt-20"));
        assert_eq!(set("all").indices(), used("probe"));
    }

    #[test]
    fn set_displays_as_parsed() {
        for text in ["dellacherie", "bcts", "dt", "all", "landing_height,holes"] {
            assert_eq!(set(text).to_string(), text);
        }
        let sorted = set("holes, landing_height");
        assert_eq!(sorted, set("landing_height,holes"));
        assert_eq!(set(BCTS).to_string(), "bcts");
    }

    #[test]
    fn set_parse_refuses_unknown_and_repeated_names() {
        let error = |text: &str| text.parse::<FeatureSet>().unwrap_err();
        assert!(error("hole").starts_with("'hole' is neither a set (dellacherie, bcts"));
        assert!(error("").contains("nor a feature (landing_height, "));
        assert_eq!(error("holes,diversity,holes"), "holes is named twice");
        assert!(error("dt,bumpiness").starts_with("dt is a whole set"));
    }

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
