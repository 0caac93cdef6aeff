//! The features of a controller.

use std::fmt;
use std::str::FromStr;

use protocol::layout::tetris::WEIGHT_FIELDS;
use serde::{Deserialize, Serialize};

/// A set of features as ascending indices into [`WEIGHT_FIELDS`].
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
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

impl TryFrom<String> for FeatureSet {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        text.parse()
    }
}

impl From<FeatureSet> for String {
    fn from(set: FeatureSet) -> Self {
        set.to_string()
    }
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
}
