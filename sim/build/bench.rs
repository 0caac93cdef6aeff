//! Reads the table of modules with a model of their own, `rtl/benches.txt`; boards are in `tops`.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use crate::Result;
use crate::digest::with_games;
use crate::tops::Tops;

pub(crate) const LIST: &str = "benches.txt";

/// A module as the top of a model.
#[derive(Clone)]
pub(crate) struct Bench {
    pub(crate) name: String,
    /// The module.
    pub(crate) top: String,
    /// Its file lists, below `rtl/`.
    pub(crate) lists: Vec<String>,
    /// Verilator arguments `-GName=value`.
    pub(crate) parameters: Vec<String>,
}

impl Bench {
    /// C symbol of the model's function table.
    pub(crate) fn symbol(&self) -> String {
        format!("lockstep_bench_{}", self.name)
    }
}

/// Reads the tables; the head of `rtl/benches.txt` describes the format.
///
/// # Errors
/// When a table cannot be read or parsed; the text names the line.
pub(crate) fn read(rtl: &Path, tops: &Tops) -> Result<Vec<Bench>> {
    let mut benches = tops.boards.clone();
    for file in with_games(rtl, LIST)? {
        parse(&file, tops, &mut benches)?;
    }
    Ok(benches)
}

fn parse(file: &Path, tops: &Tops, benches: &mut Vec<Bench>) -> Result<()> {
    let text = fs::read_to_string(file).map_err(|e| format!("{}: {e}", file.display()))?;
    for (line, number) in text.lines().zip(1..) {
        let wrong = |why: &str| format!("{}:{number}: {why}", file.display());
        let mut words = line.split_whitespace().map(String::from);
        let Some(name) = words.next().filter(|name| !name.starts_with('#')) else {
            continue;
        };
        let identifier = |c: char| c.is_ascii_alphanumeric() || c == '_';
        if !name.chars().all(identifier) {
            return Err(wrong(
                "expected letters, digits and underscores as the name",
            ));
        }
        if benches.iter().any(|bench| bench.name == name) {
            return Err(wrong(&format!("another bench has the name {name}")));
        }
        let top = words.next().ok_or_else(|| wrong("the module is missing"))?;
        let (mut lists, mut parameters) = (Vec::new(), Vec::new());
        while let Some(word) = words.next() {
            if word == "-F" {
                lists.push(words.next().ok_or_else(|| wrong("-F without a list"))?);
            } else if word.starts_with("-G") {
                parameters.push(word);
            } else {
                let why = format!("expected -F list or -GParameter=value, got {word}");
                return Err(wrong(&why));
            }
        }
        if lists.is_empty() {
            let list = tops.list_of_module(&top);
            let list = list.ok_or_else(|| wrong(&format!("no list of tops.txt has {top}.sv")))?;
            lists.push(list.into());
        }
        benches.push(Bench {
            name,
            top,
            lists,
            parameters,
        });
    }
    Ok(())
}

/// The ports of a model's class, from its generated header, as `PORT(name, bits, input)` each.
///
/// # Errors
/// When the header cannot be read or has none.
pub(crate) fn ports(header: &Path) -> Result<String> {
    let text = fs::read_to_string(header).map_err(|e| format!("{}: {e}", header.display()))?;
    let mut ports = String::new();
    for line in text.lines() {
        // VL_IN8(&name,7,0); and so on, VL_OUTW(&name,99,0,4);
        let Some((kind, rest)) = line.trim().split_once("(&") else {
            continue;
        };
        let input = match kind {
            _ if kind.starts_with("VL_IN") => 1,
            _ if kind.starts_with("VL_OUT") => 0,
            _ => continue,
        };
        let mut parts = rest.split([',', ')']);
        let name = parts.next();
        let bounds: Vec<u32> = parts.map_while(|n| n.trim().parse().ok()).collect();
        let (Some(name), [high, low, ..]) = (name, bounds.as_slice()) else {
            return Err(format!("{}: cannot parse: {line}", header.display()));
        };
        let _ = writeln!(ports, "PORT({name}, {}, {input})", high - low + 1);
    }
    if ports.is_empty() {
        return Err(format!("{} has no ports", header.display()));
    }
    Ok(ports)
}
