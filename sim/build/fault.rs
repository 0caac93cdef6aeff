//! Seeded faults: reads `rtl/faults.txt` and the games' own lists, and writes a copy of the RTL
//! with all of them. A model activates one of them when it starts.
//!
//! The RTL itself is unchanged. In the copy, an expression `old` that fault 7 replaces by `new` is
//! `(fault_pkg::Fault == 7 ? (new) : (old))`.

use std::collections::BTreeMap;
use std::fs;
use std::ops::Range;
use std::path::{Path, PathBuf};

use crate::Result;
use crate::digest::{files, with_games};
use crate::tops::{self, Top, Tops};

pub(crate) const LIST: &str = "faults.txt";

/// A mistake that is put into the RTL on purpose.
pub(crate) struct Fault {
    /// From 1, in the order of the list.
    pub(crate) number: u32,
    /// Name in kebab-case.
    pub(crate) name: String,
    /// Its effect, in one line.
    pub(crate) summary: String,
    /// The list that it stands in, below `rtl/`.
    list: String,
    edits: Vec<Edit>,
}

/// An expression that a fault replaces.
struct Edit {
    /// Path below `rtl/`.
    file: String,
    /// A text that occurs exactly once in the file.
    text: String,
    /// Range of the expression in `text`.
    old: Range<usize>,
    new: String,
}

impl Fault {
    /// The modules that it changes, each once.
    pub(crate) fn modules(&self) -> Vec<&str> {
        let mut modules: Vec<&str> = self.edits.iter().map(Edit::module).collect();
        modules.dedup();
        modules
    }

    /// Whether it stands beside the file list of that core.
    pub(crate) fn is_of_list(&self, top: &Top) -> bool {
        let beside = top.list.strip_suffix(".f");
        beside.is_some_and(|name| self.list == format!("{name}.{LIST}"))
    }

    /// The files that it changes, below `rtl/`.
    pub(crate) fn files(&self) -> impl Iterator<Item = &str> {
        self.edits.iter().map(|edit| &*edit.file)
    }

    /// The games whose cores or boards have all files that it changes.
    ///
    /// # Errors
    /// When there is no such game.
    pub(crate) fn games<'a>(&self, tops: &'a Tops) -> Result<Vec<&'a str>> {
        let has_all = |game: &str| self.files().all(|file| tops.has(game, file));
        let games = tops.cores().filter(|top| top.core.as_deref() == Some(""));
        let games = games.map(|top| &*top.game).filter(|game| has_all(game));
        let games: Vec<&str> = games.collect();
        if games.is_empty() {
            let files: Vec<&str> = self.files().collect();
            let files = files.join(" and ");
            let name = &self.name;
            return Err(format!(
                "{LIST}: {name}: no game of rtl/tops.txt has {files}"
            ));
        }
        Ok(games)
    }
}

impl Edit {
    fn module(&self) -> &str {
        let name = self.file.rsplit('/').next().unwrap_or(&self.file);
        name.strip_suffix(".sv").unwrap_or(name)
    }
}

/// Reads the lists; the head of `rtl/faults.txt` describes the format.
///
/// # Errors
/// When a list cannot be read or parsed; the text names the line.
pub(crate) fn read(rtl: &Path) -> Result<Vec<Fault>> {
    let mut faults = Vec::new();
    for file in with_games(rtl, LIST)? {
        let text = fs::read_to_string(&file).map_err(|e| format!("{}: {e}", file.display()))?;
        let list = file.strip_prefix(rtl).unwrap_or(&file).to_string_lossy();
        parse(&text, &list, &mut faults).map_err(|e| format!("{}:{e}", file.display()))?;
    }
    Ok(faults)
}

/// Appends the faults of a list.
fn parse(text: &str, list: &str, faults: &mut Vec<Fault>) -> Result<()> {
    for (line, number) in text.lines().zip(1..) {
        let wrong = |why: &str| format!("{number}: {why}");
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        let (head, rest) = line
            .split_once(": ")
            .ok_or_else(|| wrong("expected a colon and a space"))?;
        if let Some(file) = head.strip_prefix("  ") {
            let fault = faults
                .last_mut()
                .ok_or_else(|| wrong("an edit before the first fault"))?;
            fault
                .edits
                .push(edit(file.trim(), rest.trim()).map_err(wrong)?);
        } else if faults.iter().any(|f| f.name == head) {
            return Err(wrong(&format!("another fault has the name {head}")));
        } else {
            faults.push(Fault {
                number: faults.len() as u32 + 1,
                name: head.into(),
                summary: rest.trim().into(),
                list: list.into(),
                edits: Vec::new(),
            });
        }
    }
    match faults.iter().find(|f| f.edits.is_empty()) {
        Some(idle) => Err(format!(" {} has no edit", idle.name)),
        None => Ok(()),
    }
}

fn edit(file: &str, line: &str) -> std::result::Result<Edit, &'static str> {
    const SHAPE: &str = "expected an edit: file: text [[ old => new ]] text";
    let (before, rest) = line.split_once("[[ ").ok_or(SHAPE)?;
    let (change, after) = rest.split_once(" ]]").ok_or(SHAPE)?;
    let (old, new) = change.split_once(" => ").ok_or(SHAPE)?;
    Ok(Edit {
        file: file.into(),
        text: format!("{before}{old}{after}"),
        old: before.len()..before.len() + old.len(),
        new: new.into(),
    })
}

/// An edit at its position in the file.
struct Change<'a> {
    at: Range<usize>,
    fault: &'a Fault,
    new: &'a str,
}

/// Writes the RTL with all faults, and its file lists, into a folder.
///
/// # Errors
/// When an edit's text does not occur exactly once in its file, two edits overlap partly, or a file
/// cannot be read or written.
pub(crate) fn seed(rtl: &Path, faults: &[Fault], into: &Path) -> Result<()> {
    let io = |path: &Path, e: std::io::Error| format!("{}: {e}", path.display());
    let write = |path: PathBuf, text: &str| {
        let folder = path.parent().unwrap_or(into);
        fs::create_dir_all(folder).map_err(|e| io(folder, e))?;
        fs::write(&path, text).map_err(|e| io(&path, e))?;
        Ok::<_, String>(path)
    };
    let mut edits: BTreeMap<&str, Vec<(&Fault, &Edit)>> = BTreeMap::new();
    for fault in faults {
        for edit in &fault.edits {
            edits.entry(&edit.file).or_default().push((fault, edit));
        }
    }
    for path in files(rtl, &["sv"])? {
        let text = fs::read_to_string(&path).map_err(|e| io(&path, e))?;
        let name = path.strip_prefix(rtl).unwrap_or(&path);
        let changes = edits.remove(&*name.to_string_lossy()).unwrap_or_default();
        let changes: Result<Vec<Change>> = changes
            .into_iter()
            .map(|(fault, edit)| {
                let at = locate(&text, edit).map_err(|e| format!("{LIST}: {}: {e}", fault.name))?;
                let new = edit.new.as_str();
                Ok(Change { at, fault, new })
            })
            .collect();
        let seeded = rewrite(&text, 0..text.len(), changes?)
            .map_err(|e| format!("{LIST}: {}: {e}", name.display()))?;
        write(into.join(name), &seeded)?;
    }
    if let Some((file, edits)) = edits.first_key_value() {
        let fault = edits.first().map_or("", |(fault, _)| &fault.name);
        return Err(format!("{LIST}: {fault}: there is no file {file}"));
    }
    write(into.join("fault_pkg.sv"), PACKAGE)?;
    let link = rtl.join(tops::LINK);
    for path in files(rtl, &["f"])? {
        let list = fs::read_to_string(&path).map_err(|e| io(&path, e))?;
        let package = if path == link { "fault_pkg.sv\n" } else { "" };
        let name = path.strip_prefix(rtl).unwrap_or(&path);
        write(into.join(name), &format!("{package}{list}"))?;
    }
    Ok(())
}

/// The package with the number of the active fault, an argument of the model.
const PACKAGE: &str = "\
package fault_pkg;
  function automatic int unsigned chosen();
    int unsigned number;
    if ($value$plusargs(\"lockstep_fault=%d\", number) != 0) return number;
    return 0;
  endfunction
  int unsigned Fault = chosen();
endpackage
";

/// The range of an edit's expression in its file.
fn locate(text: &str, edit: &Edit) -> Result<Range<usize>> {
    let mut found = text.match_indices(&edit.text);
    let (first, second) = (found.next(), found.next());
    match (first, second) {
        (Some((at, _)), None) => Ok(at + edit.old.start..at + edit.old.end),
        (None, _) => Err(format!("not found in {}: {}", edit.file, edit.text)),
        _ => Err(format!("more than once in {}: {}", edit.file, edit.text)),
    }
}

/// The text of a range with the changes applied; a change may lie within another one.
fn rewrite(text: &str, range: Range<usize>, mut changes: Vec<Change>) -> Result<String> {
    let mut rewritten = String::new();
    let mut done = range.start;
    // By position, an outer change before the inner ones.
    changes.sort_by_key(|c| (c.at.start, std::cmp::Reverse(c.at.end)));
    let mut changes = changes.into_iter().peekable();
    while let Some(change) = changes.next() {
        let outer = change.at.clone();
        let (mut same, mut inner) = (vec![change], Vec::new());
        while let Some(next) = changes.next_if(|next| next.at.start < outer.end) {
            if next.at == outer {
                same.push(next);
            } else if next.at.end <= outer.end {
                inner.push(next);
            } else {
                let names = format!("{} and {}", same[0].fault.name, next.fault.name);
                return Err(format!("{names} overlap partly"));
            }
        }
        rewritten += &text[done..outer.start];
        done = outer.end;
        rewritten.push('(');
        for Change { fault, new, .. } in same {
            rewritten += &format!("fault_pkg::Fault == {} ? ({new}) : ", fault.number);
        }
        rewritten += &format!("({}))", rewrite(text, outer, inner)?);
    }
    rewritten += &text[done..range.end];
    Ok(rewritten)
}
