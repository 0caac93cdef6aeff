//! The file of a controller: published weights by feature and a search, or the name of a seed's
//! program.

use std::collections::BTreeMap;
use std::fmt;

use protocol::layout::tetris::WEIGHT_FIELDS;
use serde::de::{self, Deserializer, MapAccess, Visitor};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::{Controller, Rule};
use crate::catalog::check_text;
use crate::tetris::linear::UNIT;
use crate::tetris::linear::halves;
use crate::tetris::{FEATURES, Linear, Search, programs};

/// The content of a controller's file.
#[derive(Clone, Serialize, Deserialize)]
#[serde(
    deny_unknown_fields,
    expecting = "an object with name, source and weights or program"
)]
pub(super) struct File {
    name: String,
    source: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    weights: Option<Weights>,
    #[serde(default, skip_serializing_if = "is_one")]
    search: Search,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    program: Option<String>,
}

fn is_one(search: &Search) -> bool {
    *search == Search::ONE
}

fn features() -> String {
    let names: Vec<_> = WEIGHT_FIELDS.iter().map(|f| f.name).collect();
    names.join(", ")
}

fn program_names() -> String {
    let names: Vec<_> = programs::policies().map(|policy| policy.name).collect();
    names.join(", ")
}

/// Published weights by the names of their features, without duplicates.
#[derive(Clone, Serialize)]
struct Weights(BTreeMap<String, f64>);

impl Weights {
    /// The weights by feature number; 0 for a feature that is left out.
    fn by_number(&self) -> Result<[f64; FEATURES], String> {
        let mut weights = [0.0; FEATURES];
        for (name, weight) in &self.0 {
            let weight = *weight;
            let Some(index) = WEIGHT_FIELDS.iter().position(|f| f.name == name) else {
                let features = features();
                return Err(format!(
                    "unknown feature '{name}'; the features are {features}"
                ));
            };
            let fixed = (weight / halves(index) * UNIT as f64).round();
            if fixed.abs() > f64::from(i32::MAX) {
                let max = f64::from(i32::MAX) * halves(index) / UNIT as f64;
                return Err(format!("{name} is {weight:?}, expected at most ±{max:?}"));
            }
            if fixed == 0.0 && weight != 0.0 {
                return Err(format!(
                    "{name} is {weight:?}, which rounds to 0, as weights are whole millionths; multiply \
                     all weights by the same number, or leave {name} out"
                ));
            }
            weights[index] = weight;
        }
        Ok(weights)
    }
}

impl<'de> Deserialize<'de> for Weights {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(WeightsVisitor)
    }
}

struct WeightsVisitor;

impl<'de> Visitor<'de> for WeightsVisitor {
    type Value = Weights;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("weights by the names of their features")
    }

    fn visit_map<M: MapAccess<'de>>(self, mut map: M) -> Result<Weights, M::Error> {
        let mut weights = BTreeMap::new();
        while let Some((name, weight)) = map.next_entry::<String, Value>()? {
            let weight = weight.as_f64().ok_or_else(|| {
                de::Error::custom(format!(
                    "the weight of {name} is {weight}, expected a number such as -4.0"
                ))
            })?;
            if weights.contains_key(&name) {
                let why = format!("the weight of {name} is given twice");
                return Err(de::Error::custom(why));
            }
            weights.insert(name, weight);
        }
        Ok(Weights(weights))
    }
}

impl File {
    /// The published weights by feature number, without rounding; `None` for a program.
    pub fn published(&self) -> Result<Option<[f64; FEATURES]>, String> {
        self.weights.as_ref().map(Weights::by_number).transpose()
    }
}

impl TryFrom<File> for Controller {
    type Error = String;

    fn try_from(file: File) -> Result<Self, String> {
        let rule = match (file.published()?, file.program) {
            (Some(weights), None) => {
                let linear = Linear::from_published(&weights, file.search);
                if linear.weights == [0; FEATURES] {
                    return Err("every weight is 0; give at least one feature another".into());
                }
                Rule::Linear(linear)
            }
            (None, Some(name)) if file.search == Search::ONE => {
                let policy = programs::policy(&name).ok_or_else(|| {
                    format!(
                        "unknown program '{name}'; the programs are {}",
                        program_names()
                    )
                })?;
                Rule::Program(policy)
            }
            (None, Some(_)) => return Err("a program has a fixed depth: leave search out".into()),
            (Some(_), Some(_)) => return Err("it has weights and a program; leave one out".into()),
            (None, None) => return Err("expected weights or the name of a program".into()),
        };
        check_text(&file.name, &file.source)?;
        Ok(Self {
            name: file.name,
            source: file.source,
            rule,
        })
    }
}

impl From<Controller> for File {
    fn from(controller: Controller) -> Self {
        let published = |linear: &Linear| {
            let names = WEIGHT_FIELDS.iter().map(|field| field.name.to_owned());
            let named = names.zip(linear.published());
            Weights(named.filter(|(_, weight)| *weight != 0.0).collect())
        };
        Self {
            weights: controller.linear().map(published),
            search: controller.linear().map(|l| l.search).unwrap_or_default(),
            program: controller.policy().map(|p| p.name.to_owned()),
            name: controller.name,
            source: controller.source,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The error of a file.
    fn error(text: &str) -> String {
        let read = serde_json::from_str::<Controller>(text).map(drop);
        read.unwrap_err().to_string()
    }

    /// Wrong weights, each with its error. The landing height's is stored for half a row.
    const BAD: &str = r#"
        "landing_height":5e3                | landing_height is 5000.0, expected at most ±4294.967294
        "holes":1e-7,"bumpiness":-1         | holes is 1e-7, which rounds to 0
        "holes":-4.9e-7                     | holes is -4.9e-7, which rounds to 0
        "holes":1e-300                      | holes is 1e-300, which rounds to 0
        "holes":-1,"bumpiness":-2,"holes":-3 | the weight of holes is given twice
        "hole":1 | unknown feature 'hole'; the features are landing_height,
                                            | every weight is 0; give
        "holes":"-4.0" | the weight of holes is "-4.0", expected a number such as -4.0
    "#;

    #[test]
    fn file_bad_weight_errs() {
        let error = |weights: &str| {
            error(&format!(
                r#"{{"name":"x","source":"y","weights":{{{weights}}}}}"#
            ))
        };
        let largest = "expected at most ±2147.483647";
        for (weights, why) in [
            ("2147.483648", "2147.483648"),
            ("2.147483648e3", "2147.483648"),
            ("-3000", "-3000.0"),
            ("1e300", "1e300"),
        ] {
            let expected = format!("holes is {why}, {largest}");
            let text = error(&format!(r#""holes":{weights}"#));
            assert!(text.starts_with(&expected), "{text}");
        }
        for row in BAD.trim().lines() {
            let (weights, why) = row.split_once('|').expect("an error");
            let text = error(weights);
            assert!(text.starts_with(why.trim()), "{text}");
        }
        let text = r#"{"name":"x","source":"y","weights":{"holes":5e-7,"bumpiness":0.0}}"#;
        let least: Controller = serde_json::from_str(text).unwrap();
        let weights = least.linear().unwrap().weights;
        assert_eq!(weights.iter().filter(|w| **w == 1).count(), 1, "holes");
    }

    /// A search of depth 1 is left out.
    #[test]
    fn file_is_written_as_it_was_read() {
        for rest in [
            r#""weights":{"holes":-1.0}"#,
            r#""weights":{"holes":-1.0},"search":{"depth":2}"#,
            r#""program":"hidamari""#,
        ] {
            let text = format!(r#"{{"name":"x","source":"y",{rest}}}"#);
            let read: Controller = serde_json::from_str(&text).expect("a controller");
            assert_eq!(serde_json::to_string(&read).expect("JSON"), text);
        }
    }

    #[test]
    fn file_unknown_program_errs_with_programs() {
        let error = error(r#"{"name":"x","source":"y","program":"led"}"#);
        let expected = "unknown program 'led'; the programs are ";
        assert!(error.starts_with(expected), "{error}");
        assert!(error.contains("hidamari"), "{error}");
    }

    #[test]
    fn file_of_weights_and_program_or_neither_errs() {
        let weights = r#","weights":{"holes":-1}"#;
        let program = r#","program":"lacaille""#;
        for (members, why) in [
            (String::new(), "expected weights or the name of a program"),
            (format!("{weights}{program}"), "leave one out"),
        ] {
            let error = error(&format!(r#"{{"name":"x","source":"y"{members}}}"#));
            assert!(error.contains(why), "{error}");
        }
    }

    #[test]
    fn file_error_names_line_once_and_no_type() {
        for text in ["[]", "3", r#"{"name":"x","source":"y","weights":7}"#, "{}"] {
            let error = error(text);
            assert!(
                !error.contains("struct") && !error.contains("File"),
                "{error}"
            );
            assert_eq!(error.matches("line ").count(), 1, "{error}");
        }
    }
}
