//! Joins the files of all shards of a command's work into the file of the whole.

use std::collections::{BTreeMap, BTreeSet};

use lockstep_games::ShardHeader;
use serde_json::Value;

use super::{Header, VERSION, entries, entry_line, split};
use crate::files::header::differences;

/// Maximum number of shards or items that an error names one by one.
const NAMED: usize = 10;

/// The file of a shard; `T` is an entry.
#[derive(Debug, Clone)]
pub struct ShardFile<T> {
    /// Its path, for errors.
    pub name: String,
    /// Its header without the shard, which must be the same in all files.
    pub header: Value,
    /// The shard; `None` if it holds the whole work.
    pub shard: Option<ShardHeader>,
    /// Its entries, each with the number of its item, from 0.
    pub entries: Vec<(u64, T)>,
}

/// The entries of all shards, in the order of their items.
///
/// # Errors
/// When a file is of another run or holds a foreign item, or a shard is given twice; without
/// `partial` also when items are missing. The error names the files and the remedy.
pub fn join<T>(files: &[ShardFile<T>], partial: bool) -> Result<Vec<(u64, &T)>, String> {
    let Some(first) = files.first() else {
        return Err("no files to merge".into());
    };
    let mut known = BTreeMap::new();
    let mut entries = Vec::new();
    let mut wrong = Vec::new();
    for file in files {
        let name = &file.name;
        let Some(shard) = &file.shard else {
            wrong.push(format!(
                "{name} holds a whole run: only files written with --shard can be merged"
            ));
            continue;
        };
        let differ = differences(&run_header(file), &run_header(first));
        if let Some(differ) = differ.first() {
            let differ = differ.text("in it", &format!("in {}", first.name));
            wrong.push(format!(
                "{name} is of another run: {differ}; leave this file out"
            ));
            continue;
        }
        if let Some(other) = known.insert(shard.number.number(), name) {
            let number = shard.number;
            wrong.push(format!(
                "shard {number} is given twice, in {other} and {name}; leave one out"
            ));
            continue;
        }
        if let Some((item, _)) = file.entries.iter().find(|(item, _)| !shard.holds(*item)) {
            let (unit, number) = (&shard.unit, shard.number);
            wrong.push(format!(
                "{name} holds {unit} {item}, which does not belong to shard {number}"
            ));
        }
        entries.extend(file.entries.iter().map(|(item, entry)| (*item, entry)));
    }
    if let (true, false, Some(shard)) = (wrong.is_empty(), partial, &first.shard) {
        wrong = missing(files, shard, &known);
    }
    if !wrong.is_empty() {
        return Err(wrong.join("; "));
    }
    // Stable: the entries of one item keep their order.
    entries.sort_by_key(|(item, _)| *item);
    Ok(entries)
}

/// What must be the same in all files: the header, and all of the shard but its number.
///
/// Boards may differ: their builds are settings of their own.
fn run_header<T>(file: &ShardFile<T>) -> Value {
    let mut header = file.header.clone();
    let settings = &mut header["settings"];
    if let Some(name) = settings.get_mut("backend") {
        unname(name);
    }
    let backends = settings.get_mut("backends").and_then(Value::as_array_mut);
    for backend in backends.into_iter().flatten() {
        unname(&mut backend["name"]);
    }
    if let Some(shard) = &file.shard {
        header["shards"] = shard.number.of().into();
        header[format!("{}s", shard.unit)] = shard.items.into();
        header["work"] = shard.work.clone().into();
    }
    header
}

/// Leaves of a board's name the kind of its link.
fn unname(name: &mut Value) {
    let kind = name.as_str().and_then(|name| name.split_once(':'));
    if let Some((kind @ ("serial" | "tcp" | "labgrid"), _)) = kind {
        *name = kind.into();
    }
}

/// The shards that no file holds, and those whose file lacks items.
fn missing<T>(
    files: &[ShardFile<T>],
    shard: &ShardHeader,
    known: &BTreeMap<u64, &String>,
) -> Vec<String> {
    let of = shard.number.of();
    let absent = (1..=of).filter(|number| !known.contains_key(number));
    let absent: Vec<_> = absent.map(|number| format!("{number}/{of}")).collect();
    let mut wrong = Vec::new();
    if !absent.is_empty() {
        let listed = listed(&absent);
        wrong.push(format!("missing: shard {listed}; run and name it too"));
    }
    for file in files {
        let Some(shard) = &file.shard else { continue };
        let held: BTreeSet<_> = file.entries.iter().map(|(item, _)| *item).collect();
        let lacks: Vec<_> = shard.all().filter(|item| !held.contains(item)).collect();
        if let Some(item) = lacks.first() {
            let (name, unit, number) = (&file.name, &shard.unit, shard.number);
            let lacks = lacks.len();
            wrong.push(format!(
                "{name} is not complete: shard {number} lacks {lacks} of its items, the first of \
                 them {unit} {item}; run its command again, which continues"
            ));
        }
    }
    wrong
}

fn listed(names: &[String]) -> String {
    let more = names.len().saturating_sub(NAMED);
    let named = names[..names.len() - more].join(", ");
    match more {
        0 => named,
        more => format!("{named} and {more} more"),
    }
}

/// Whether a file with that beginning is a journal.
pub fn is_journal(content: &[u8]) -> bool {
    content.starts_with(b"{\"lockstep_journal\":")
}

/// The journal of the whole work, from those of its shards, each with its path.
///
/// # Errors
/// When one is damaged, or of another version, and as [`join`].
pub fn merge(journals: &[(String, Vec<u8>)], partial: bool) -> Result<String, String> {
    let (mut headers, mut files) = (Vec::new(), Vec::new());
    for (name, content) in journals {
        let (header, file) = read(name, content).map_err(|why| format!("{name}: {why}"))?;
        headers.push(header);
        files.push(file);
    }
    let entries = join(&files, partial)?;
    let header = &headers[0];
    let mut text = header.clone();
    for (_, entry) in entries {
        text += &entry_line(header, entry);
    }
    Ok(text)
}

/// The header's line for the whole work, and the entries of one shard.
fn read(name: &str, content: &[u8]) -> Result<(String, ShardFile<String>), String> {
    let (first, lines) = split(content);
    let header = serde_json::from_slice::<Header>(first);
    let mut header = header.map_err(|_| "it is not the state file of a lockstep command")?;
    if header.lockstep_journal != VERSION {
        return Err("another version of lockstep wrote it; run its command again".into());
    }
    let line = |header: &Header| header.line().map_err(|why| why.to_string());
    let written = line(&header)?;
    let shard = header.shard.take();
    let whole = line(&header)?;
    let unit = shard.as_ref().map_or("", |shard| &shard.unit);
    let item = |entry: &str| {
        let item = serde_json::from_str::<Value>(entry).ok()?[unit].as_u64();
        Some(item.map(|item| (item, entry.to_owned())))
    };
    let entries = entries(&written, lines, item)
        .map_err(|number| format!("line {number} is damaged; run its command again"))?;
    let file = ShardFile {
        name: name.into(),
        header: serde_json::json!({"command": header.command, "settings": header.settings}),
        entries: entries.into_iter().flatten().collect(),
        shard,
    };
    Ok((whole, file))
}
