//! Reads the table of top modules, `rtl/tops.txt`, and their file lists.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use crate::Result;
use crate::design::files;

/// The table, below `rtl/`.
const TABLE: &str = "tops.txt";

/// The list of the files that every game's core has, below `rtl/`.
pub(crate) const LINK: &str = "link.f";

/// A line of the table.
pub(crate) struct Top {
    /// Name of the game, as in the layout tables.
    pub(crate) game: String,
    /// Name of the module.
    pub(crate) name: String,
    /// Of a game's core with its pins, which gets a model: its name among the game's cores, empty
    /// for the first one.
    pub(crate) core: Option<String>,
    /// Its file list, below `rtl/`.
    pub(crate) list: String,
    /// Its fixed parameters: name and value.
    pub(crate) parameters: Vec<(String, u32)>,
}

/// The top modules, and for each file the lists that contain it.
pub(crate) struct Tops {
    pub(crate) tops: Vec<Top>,
    /// Lists by file, all below `rtl/`: the link's list alone, or the tops' lists.
    lists: BTreeMap<String, Vec<String>>,
}

impl Tops {
    /// Reads the table; its head describes the format.
    ///
    /// # Errors
    /// When it or a list cannot be read or parsed; the text names the line.
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
        self.tops.iter().filter(|top| top.core.is_some())
    }

    /// The first list that contains a file.
    pub(crate) fn list_of(&self, file: &str) -> Option<&str> {
        Some(self.lists.get(file)?.first()?)
    }

    /// The first list that contains a module.
    pub(crate) fn list_of_module(&self, module: &str) -> Option<&str> {
        let is_of = |file: &str| file.rsplit('/').next() == Some(&*format!("{module}.sv"));
        let file = self.lists.keys().find(|file| is_of(file))?;
        self.list_of(file)
    }

    /// Whether a top's list contains a file.
    pub(crate) fn holds(&self, top: &Top, file: &str) -> bool {
        let holds = |list: &String| *list == LINK || *list == top.list;
        self.lists
            .get(file)
            .is_some_and(|lists| lists.iter().any(holds))
    }

    /// Whether a file belongs to the link, which every game's core has.
    pub(crate) fn is_of_link(&self, file: &str) -> bool {
        self.list_of(file) == Some(LINK)
    }

    /// The games whose cores or boards contain a file: all games for a file of the link.
    pub(crate) fn games_of(&self, file: &str) -> Vec<&str> {
        let mut games: Vec<&str> = Vec::new();
        for top in self.tops.iter().filter(|top| self.holds(top, file)) {
            if !games.contains(&&*top.game) {
                games.push(&top.game);
            }
        }
        games
    }
}

fn parse(text: &str) -> Result<Vec<Top>> {
    const SHAPE: &str = "expected: game top use list -GName=value Name=value,value";
    const USES: [&str; 5] = ["core", "draft", "peripheral", "example", "board"];
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
        let (usage, core) = usage.split_once(':').unwrap_or((usage, ""));
        if !USES.contains(&usage) {
            let uses = USES.join(", ");
            return Err(wrong(&format!("expected one of {uses}, got {usage}")));
        }
        let core = ["core", "draft"].contains(&usage).then(|| core.to_owned());
        let is_same = |top: &Top| core.is_some() && top.core == core && top.game == *game;
        if tops.iter().any(is_same) {
            return Err(wrong(&format!("{game} has such a core already")));
        }
        let mut fixed = Vec::new();
        for parameter in parameters {
            let (name, value) = parameter.split_once('=').ok_or_else(|| wrong(SHAPE))?;
            if let Some(name) = name.strip_prefix("-G") {
                let value = value
                    .parse()
                    .map_err(|_| wrong("expected a number as value"))?;
                fixed.push((name.into(), value));
            }
        }
        tops.push(Top {
            game: (*game).into(),
            name: (*name).into(),
            core,
            list: (*list).into(),
            parameters: fixed,
        });
    }
    Ok(tops)
}
