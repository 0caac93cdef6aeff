//! Reads the tables of top modules, `rtl/tops.txt` and the boards', and their file lists.

use std::fs;
use std::path::Path;

use crate::Result;
use crate::bench::Bench;
use crate::design::files;

const TABLE: &str = "tops.txt";

/// The list of the files that every game's core has, below `rtl/`.
pub(crate) const LINK: &str = "link.f";

/// Parameters of all boards in their benches.
const BOARD: [&str; 2] = ["-GBuildId=32'h89abcdef", "-GStretch=3000"];

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
    /// The files of that list, below `rtl/`.
    pub(crate) files: Vec<String>,
    /// Its fixed parameters: name and value.
    pub(crate) parameters: Vec<(String, u32)>,
}

/// The top of a board with a picture.
pub(crate) struct Picture {
    /// Name of the game.
    pub(crate) game: String,
    /// The top, with the parameters of its own.
    pub(crate) bench: Bench,
    /// Clock of the core, in hertz.
    pub(crate) clock_hz: u32,
}

/// The top modules.
pub(crate) struct Tops {
    pub(crate) tops: Vec<Top>,
    /// The boards' tops at their pins.
    pub(crate) boards: Vec<Bench>,
    /// The boards with a picture.
    pub(crate) pictures: Vec<Picture>,
    /// The files of the link, below `rtl/`.
    link: Vec<String>,
}

impl Top {
    /// Name of its netlist: the module's, and the core's unless it is the game's first one.
    pub(crate) fn netlist(&self) -> String {
        match self.core.as_deref().unwrap_or_default() {
            "" => self.name.clone(),
            core => format!("{}-{core}", self.name),
        }
    }
}

impl Picture {
    /// C symbol of the model's function table.
    pub(crate) fn symbol(&self) -> String {
        format!("lockstep_board_{}", self.bench.top)
    }

    /// C symbol of the function for its picture.
    pub(crate) fn video(&self) -> String {
        format!("{}_video", self.symbol())
    }
}

impl Tops {
    /// Reads the tables; `rtl/tops.txt` and `rtl/tops.py` describe the format.
    ///
    /// # Errors
    /// When it or a list cannot be read or parsed; the text names the line.
    pub(crate) fn read(rtl: &Path) -> Result<Self> {
        let file = rtl.join(TABLE);
        let text = fs::read_to_string(&file).map_err(|e| format!("{}: {e}", file.display()))?;
        let mut tops = parse(&text).map_err(|e| format!("{}:{e}", file.display()))?;
        let (mut boards, mut pictures) = (Vec::new(), Vec::new());
        for file in crate::digest::files(&rtl.join("top"), &["txt"])? {
            let board = board(rtl, &file).map_err(|e| format!("{}: {e}", file.display()))?;
            let (top, bench, picture) = board;
            tops.push(top);
            boards.push(bench);
            pictures.extend(picture);
        }
        for top in &mut tops {
            top.files = files(rtl, &top.list)?;
        }
        Ok(Self {
            tops,
            boards,
            pictures,
            link: files(rtl, LINK)?,
        })
    }

    pub(crate) fn cores(&self) -> impl Iterator<Item = &Top> {
        self.tops.iter().filter(|top| top.core.is_some())
    }

    /// The first list that contains a module.
    pub(crate) fn list_of_module(&self, module: &str) -> Option<&str> {
        let name = format!("{module}.sv");
        let has = |files: &[String]| files.iter().any(|f| f.rsplit('/').next() == Some(&*name));
        match has(&self.link) {
            true => Some(LINK),
            false => Some(&self.tops.iter().find(|top| has(&top.files))?.list),
        }
    }

    /// Whether a file belongs to the link, which every game's core has.
    pub(crate) fn is_of_link(&self, file: &str) -> bool {
        self.link.iter().any(|own| own == file)
    }

    /// Whether a core or board of a game contains a file.
    pub(crate) fn has(&self, game: &str, file: &str) -> bool {
        let mut tops = self.tops.iter();
        tops.any(|top| top.game == game && top.has(file))
    }
}

impl Top {
    /// Whether its list contains a file.
    pub(crate) fn has(&self, file: &str) -> bool {
        self.files.iter().any(|own| own == file)
    }
}

fn parse(text: &str) -> Result<Vec<Top>> {
    const SHAPE: &str = "expected: game top use list -GName=value Name=value,value";
    const USES: [&str; 4] = ["core", "draft", "peripheral", "example"];
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
            files: Vec::new(),
            parameters: fixed,
        });
    }
    Ok(tops)
}

/// The top of a board, its bench and its picture, by its table.
fn board(rtl: &Path, file: &Path) -> Result<(Top, Bench, Option<Picture>)> {
    let text = fs::read_to_string(file).map_err(|e| e.to_string())?;
    let word = |name: &str| {
        let mut words = text.lines().filter_map(|line| line.split_once(' '));
        words
            .find(|(word, _)| *word == name)
            .map(|(_, value)| value.trim())
    };
    let below = file
        .parent()
        .and_then(|folder| folder.strip_prefix(rtl).ok());
    let folder = below.ok_or("it lies in no folder")?.to_string_lossy();
    let name = folder.trim_start_matches("top/").replace('-', "_");
    let top = Top {
        game: word("game").ok_or("the game is missing")?.into(),
        name: format!("lockstep_{name}"),
        core: None,
        list: format!("{folder}/files.f"),
        files: Vec::new(),
        parameters: Vec::new(),
    };
    let mut lists = vec![top.list.clone()];
    let cells = format!("{folder}/sim.f");
    lists.extend(rtl.join(&cells).exists().then_some(cells));
    let parameters = word("bench").unwrap_or_default().split_whitespace();
    let bench = |parameters| Bench {
        name: top.name.clone(),
        top: top.name.clone(),
        lists,
        parameters,
    };
    let mhz = word("clock").and_then(|mhz| mhz.parse::<u32>().ok());
    let clock_hz = 1_000_000 * mhz.ok_or("the clock is no number of MHz")?;
    let picture = word("video").map(|_| Picture {
        game: top.game.clone(),
        bench: bench.clone()(Vec::new()),
        clock_hz,
    });
    let bench = bench(
        BOARD
            .into_iter()
            .chain(parameters)
            .map(String::from)
            .collect(),
    );
    Ok((top, bench, picture))
}
