//! The files that a training run writes.

use std::path::{Path, PathBuf};

use anyhow::{Context as _, anyhow, bail};
use lockstep_games::tetris::Controller;
use lockstep_games::tetris::controller::check_text;
use lockstep_lab::files::lock::Lock;
use lockstep_lab::files::write;
use lockstep_lab::train::features::controller;
use lockstep_lab::train::{Training, plot};

use super::Args;
use crate::output::files::check_kept;

#[derive(Clone)]
pub struct Files {
    pub out: PathBuf,
    pub checkpoint: PathBuf,
    pub plot: PathBuf,
    name: String,
}

impl Files {
    /// The paths on the command line; fails if one of them cannot be written.
    pub fn new(args: &Args) -> anyhow::Result<Self> {
        let beside = |ending| args.out.with_extension(ending);
        let checkpoint = args.checkpoint.clone();
        let files = Self {
            checkpoint: checkpoint.unwrap_or_else(|| beside("checkpoint.json")),
            plot: args.plot.clone().unwrap_or_else(|| beside("svg")),
            name: name(args)?,
            out: args.out.clone(),
        };
        let kept = [
            ("--out", files.out.as_path()),
            ("--checkpoint", &files.checkpoint),
            ("--plot", &files.plot),
        ];
        let start = args.start.as_deref().map(Path::new);
        check_kept(&kept, args.json.file(), start)?;
        Ok(files)
    }

    /// Locks the results, which a second training would overwrite.
    pub fn lock(&self) -> anyhow::Result<[Lock; 2]> {
        let lock = |option, path| {
            Lock::beside(path).map_err(|why| anyhow!("{option} {why} with {option}"))
        };
        Ok([lock("--out", &self.out)?, lock("--plot", &self.plot)?])
    }

    /// Fails if the first results would overwrite other files.
    pub fn check_new(&self) -> anyhow::Result<()> {
        for (option, path) in [("--out", &self.out), ("--plot", &self.plot)] {
            if path.exists() {
                bail!(
                    "{option} {}: the file exists, and there is no checkpoint {} to continue \
                     from; name another file with {option}, or overwrite it with --fresh",
                    path.display(),
                    self.checkpoint.display()
                );
            }
        }
        Ok(())
    }

    /// Writes the controller and the plot, which follow from the state.
    pub fn write_results(&self, training: &Training) -> anyhow::Result<()> {
        let mut text = serde_json::to_string_pretty(&self.controller(training))?;
        text.push('\n');
        write(&self.out, text.as_bytes()).map_err(|e| anyhow!("--out {e}"))?;
        let picture = plot::svg(training).map_err(anyhow::Error::msg);
        let picture = picture.with_context(|| format!("--plot {}", self.plot.display()))?;
        write(&self.plot, picture.as_bytes()).map_err(|e| anyhow!("--plot {e}"))
    }

    pub fn controller(&self, training: &Training) -> Controller {
        let settings = &training.settings;
        let start = match settings.start {
            Some(_) => " from given weights",
            None => "",
        };
        let result = match &training.chosen {
            Some(chosen) => format!(
                "{:.1} lines a game over {} fresh games",
                chosen.lines, chosen.games
            ),
            None => "not finished".into(),
        };
        let source = format!(
            "lockstep train {}{start}: {} generations, {} evaluations; {result}",
            settings.options(),
            training.generations(),
            training.evaluations
        );
        let set = &settings.controller_features;
        controller(&self.name, &source, set, &training.weights())
    }
}

/// The name of the controller, which must be valid in every command.
fn name(args: &Args) -> anyhow::Result<String> {
    let out = args.out.display();
    let of_out = || args.out.file_stem()?.to_str().map(str::to_owned);
    let Some(name) = args.name.clone().or_else(of_out) else {
        bail!("--out {out}: it has no name in UTF-8 for the controller; give one with --name");
    };
    check_text(&name, "")
        .map_err(|why| anyhow!("the controller's name, from --name or --out {out}: {why}"))?;
    Ok(name)
}
