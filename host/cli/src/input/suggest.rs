//! 'Did you mean …?' for names that clap does not know.

/// Minimum similarity of a name that is suggested, from 0 to 1.
const ALIKE: f64 = 0.6;

/// The name most similar to `given`, if any is similar enough.
pub fn nearest<'a>(given: &str, names: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    alike(given, names).into_iter().next()
}

/// The names similar to `given`, the most similar one first.
pub fn alike<'a>(given: &str, names: impl IntoIterator<Item = &'a str>) -> Vec<&'a str> {
    let given = given.to_lowercase();
    let likeness = |name| strsim::normalized_damerau_levenshtein(&given, name);
    let names = names.into_iter().map(|name| (likeness(name), name));
    let mut alike: Vec<_> = names.filter(|(likeness, _)| *likeness >= ALIKE).collect();
    alike.sort_by(|(a, _), (b, _)| b.total_cmp(a));
    alike.into_iter().map(|(_, name)| name).collect()
}
