//! In what two JSON documents differ.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

/// The fields in which two headers differ, with what they hold.
pub fn differences(found: &Value, expected: &Value) -> Vec<String> {
    let (mut ours, mut theirs) = (BTreeMap::new(), BTreeMap::new());
    flatten("", expected, &mut ours);
    flatten("", found, &mut theirs);
    let names: BTreeSet<_> = ours.keys().chain(theirs.keys()).collect();
    let text = |value: Option<&&Value>| match value {
        None | Some(Value::Null) => "not set".to_owned(),
        Some(value) => value.to_string(),
    };
    let differ = names
        .into_iter()
        .filter(|&name| ours.get(name) != theirs.get(name));
    let told = differ.map(|name| {
        let (there, here) = (text(theirs.get(name)), text(ours.get(name)));
        format!("{name} is {there} there and {here} here")
    });
    told.collect()
}

/// Every field that is no object, under its name with those around it.
fn flatten<'a>(name: &str, value: &'a Value, into: &mut BTreeMap<String, &'a Value>) {
    let Value::Object(fields) = value else {
        into.insert(name.to_owned(), value);
        return;
    };
    for (field, value) in fields {
        let dot = if name.is_empty() { "" } else { "." };
        flatten(&format!("{name}{dot}{field}"), value, into);
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn fields_that_differ_are_named_with_both_values() {
        let found = json!({"a": 1, "b": {"c": [1], "d": null, "f": 2}, "same": "x"});
        let expected = json!({"a": 2, "b": {"c": [1], "d": "e", "g": 3}, "same": "x"});
        let told = [
            "a is 1 there and 2 here",
            "b.d is not set there and \"e\" here",
            "b.f is 2 there and not set here",
            "b.g is not set there and 3 here",
        ];
        assert_eq!(differences(&found, &expected), told);
        assert!(differences(&found, &found).is_empty());
    }
}
