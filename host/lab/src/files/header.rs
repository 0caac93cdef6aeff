//! Compares two JSON documents field by field.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

/// A field in which two documents differ; its value is `None` in a document without it.
#[derive(Debug, Clone, PartialEq)]
pub struct Difference {
    /// Its path, such as `settings.seed`.
    pub name: String,
    /// Its value in the document that was found.
    pub there: Option<Value>,
    /// Its value in the expected document.
    pub here: Option<Value>,
}

impl Difference {
    /// Name and both values; the arguments say where each value is.
    pub fn text(&self, in_there: &str, in_here: &str) -> String {
        let text = |value: &Option<Value>| match value {
            None => "not set".to_owned(),
            Some(value) => value.to_string(),
        };
        let (there, here) = (text(&self.there), text(&self.here));
        let name = &self.name;
        format!("{name} is {there} {in_there} and {here} {in_here}")
    }
}

/// The fields in which `found` differs from `expected`, by name; a null field counts as missing.
pub fn differences(found: &Value, expected: &Value) -> Vec<Difference> {
    let (mut ours, mut theirs) = (BTreeMap::new(), BTreeMap::new());
    flatten("", expected, &mut ours);
    flatten("", found, &mut theirs);
    let names: BTreeSet<_> = ours.keys().chain(theirs.keys()).collect();
    let differ = names
        .into_iter()
        .filter(|&name| ours.get(name) != theirs.get(name));
    let difference = |name: &String| Difference {
        name: name.clone(),
        there: theirs.get(name).map(|&value| value.clone()),
        here: ours.get(name).map(|&value| value.clone()),
    };
    differ.map(difference).collect()
}

/// Collects the value of every field that is neither null nor an object, by the path of the field.
fn flatten<'a>(name: &str, value: &'a Value, into: &mut BTreeMap<String, &'a Value>) {
    match value {
        Value::Null => {}
        Value::Object(fields) => {
            for (field, value) in fields {
                let dot = if name.is_empty() { "" } else { "." };
                flatten(&format!("{name}{dot}{field}"), value, into);
            }
        }
        value => {
            into.insert(name.to_owned(), value);
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn differences_name_fields_and_both_values() {
        let found = json!({"a": 1, "b": {"c": [1], "d": null, "f": 2}, "same": "x", "h": null});
        let expected =
            json!({"a": 2, "b": {"c": [1], "d": "e", "g": 3}, "same": "x", "h": {"i": 4}});
        let expected_texts = [
            "a is 1 there and 2 here",
            "b.d is not set there and \"e\" here",
            "b.f is 2 there and not set here",
            "b.g is not set there and 3 here",
            "h.i is not set there and 4 here",
        ];
        let differ = differences(&found, &expected);
        let differ: Vec<String> = differ
            .iter()
            .map(|differ| differ.text("there", "here"))
            .collect();
        assert_eq!(differ, expected_texts);
        assert!(differences(&found, &found).is_empty());
    }
}
