//! The table of tops, `rtl/tops.txt`: which game's core is made of which files.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use crate::Result;
use crate::design::files;

/// The table, below `rtl/`.
const TABLE: &str = "tops.txt";

/// The list of what every game's core is made of, below `rtl/`.
pub(crate) const LINK: &str = "link.f";

/// A line of the table.
pub(crate) struct Top {
    /// Name of the game, as in the layout tables.
    pub(crate) game: String,
    /// Name of the module.
    pub(crate) name: String,
    /// Whether it is a game's core between its pins, of which models are made.
    pub(crate) is_core: bool,
    /// Its file list, below `rtl/`.
    pub(crate) list: String,
    /// The parameters that hold wherever it is built: name and value.
    pub(crate) parameters: Vec<(String, u32)>,
}

/// The tops, and the lists that hold each file.
pub(crate) struct Tops {
    pub(crate) tops: Vec<Top>,
    /// By file: the list of the link, or those of the tops; all paths below `rtl/`.
    lists: BTreeMap<String, Vec<String>>,
}

impl Tops {
    /// Reads the table; its head says how it is written.
    ///
    /// # Errors
    /// When it or a list cannot be read, or a line is not understood; the text names the line.
    pub(crate) fn read(rtl: &Path) -> Result<Self> {
        let file = rtl.join(TABLE);
        let text = fs::read_to_string(&file).map_err(|e| format!("{}: {e}", file.display()))?;
        let tops = parse(&text).map_err(|e| format!("{}:{e}", file.display()))?;
        let mut lists: BTreeMap<String, Vec<String>> = BTreeMap::new();
        let link = files(rtl, LINK)?;
        for file in &link {
            lists.insert(file.clone(), vec![LINK.into()]);
        }
        for top in &tops {
            for file in files(rtl, &top.list)? {
                let lists = lists.entry(file).or_default();
                if !lists.iter().any(|list| *list == LINK || *list == top.list) {
                    lists.push(top.list.clone());
                }
            }
        }
        Ok(Self { tops, lists })
    }

    /// The games' cores.
    pub(crate) fn cores(&self) -> impl Iterator<Item = &Top> {
        self.tops.iter().filter(|top| top.is_core)
    }

    /// The list that a model of a file's module needs: the first that holds it.
    pub(crate) fn list_of(&self, file: &str) -> Option<&str> {
        Some(self.lists.get(file)?.first()?)
    }

    /// The list that a model of a module needs.
    pub(crate) fn list_of_module(&self, module: &str) -> Option<&str> {
        let is_of = |file: &str| file.rsplit('/').next() == Some(&*format!("{module}.sv"));
        let file = self.lists.keys().find(|file| is_of(file))?;
        self.list_of(file)
    }

    /// Whether a file is the link's: in every game's core.
    pub(crate) fn is_of_link(&self, file: &str) -> bool {
        self.list_of(file) == Some(LINK)
    }

    /// The games whose cores, or boards, hold a file: all of them if it is the link's.
    pub(crate) fn games_of(&self, file: &str) -> Vec<&str> {
        let Some(lists) = self.lists.get(file) else {
            return Vec::new();
        };
        let holds = |top: &&Top| lists.iter().any(|list| *list == LINK || *list == top.list);
        let mut games: Vec<&str> = Vec::new();
        for top in self.tops.iter().filter(holds) {
            if !games.contains(&&*top.game) {
                games.push(&top.game);
            }
        }
        games
    }
}

fn parse(text: &str) -> Result<Vec<Top>> {
    const SHAPE: &str = "a line is: game top use list -GName=value Name=value,value";
    const USES: [&str; 4] = ["core", "peripheral", "example", "board"];
    let mut tops: Vec<Top> = Vec::new();
    for (line, number) in text.lines().zip(1..) {
        let wrong = |why: &str| format!("{number}: {why}");
        if line.trim().is_empty() || line.starts_with('#') {
            continue;
        }
        let words: Vec<&str> = line.split_whitespace().collect();
        let [game, name, usage, list, parameters @ ..] = &words[..] else {
            return Err(wrong(SHAPE));
        };
        if !USES.contains(usage) {
            return Err(wrong(&format!("a use is one of {}", USES.join(", "))));
        }
        let is_core = *usage == "core";
        if is_core && tops.iter().any(|top| top.is_core && top.game == *game) {
            return Err(wrong(&format!("{game} has a core already")));
        }
        let mut fixed = Vec::new();
        for parameter in parameters {
            let (name, value) = parameter.split_once('=').ok_or_else(|| wrong(SHAPE))?;
            if let Some(name) = name.strip_prefix("-G") {
                let value = value.parse().map_err(|_| wrong("a value is a number"))?;
                fixed.push((name.into(), value));
            }
        }
        tops.push(Top {
            game: (*game).into(),
            name: (*name).into(),
            is_core,
            list: (*list).into(),
            parameters: fixed,
        });
    }
    Ok(tops)
}
