//! The files a training writes.

use std::path::{Path, PathBuf};

use anyhow::{Context as _, anyhow, bail};
use lockstep_games::tetris::Controller;
use lockstep_games::tetris::controller::check_text;
use lockstep_lab::train::controller::controller;
use lockstep_lab::train::{Training, checkpoint, file, lock, plot};

use super::super::files::{STDOUT, check_writable, is_same};
use super::Args;

/// Where everything is written.
#[derive(Clone)]
pub struct Files {
    pub out: PathBuf,
    pub checkpoint: PathBuf,
    pub plot: PathBuf,
    name: String,
}

impl Files {
    /// Fails before anything is played when they cannot be had.
    pub fn new(args: &Args) -> anyhow::Result<Self> {
        let stem = args
            .out
            .file_stem()
            .map(|s| s.to_string_lossy().into_owned());
        let beside = |ending| args.out.with_extension(ending);
        let checkpoint = args.checkpoint.clone();
        let files = Self {
            checkpoint: checkpoint.unwrap_or_else(|| beside("checkpoint.json")),
            plot: args.plot.clone().unwrap_or_else(|| beside("svg")),
            name: args.name.clone().or(stem).unwrap_or_default(),
            out: args.out.clone(),
        };
        check_text(&files.name, "").map_err(|why| anyhow!("--name {}: {why}", files.name))?;
        let named = [
            ("--out", &files.out, "a controller"),
            ("--checkpoint", &files.checkpoint, "a checkpoint"),
            ("--plot", &files.plot, "a plot"),
        ];
        let mut targets: Vec<(&str, PathBuf)> = Vec::new();
        for (option, path, what) in named {
            if path == Path::new(STDOUT) {
                bail!("{option} -: {what} is a file; name one");
            }
            check_writable(option, path)?;
            let name = path.display();
            let target = file::target(path).map_err(|why| anyhow!("{option} {name}: {why}"))?;
            file::check(path)
                .map_err(|why| anyhow!("{option} {name}: no file can be made there: {why}"))?;
            if let Some((other, _)) = targets.iter().find(|(_, other)| is_same(&target, other)) {
                bail!("{other} and {option} name the same file; give each its own");
            }
            let start = args.start.as_deref().map(Path::new);
            if let Some(start) = start.filter(|start| start.exists() && is_same(path, start)) {
                let start = start.display();
                bail!("{option} {start}: that is --start, which is read; name another file");
            }
            targets.push((option, target));
        }
        files.check_lock()?;
        Ok(files)
    }

    /// Fails when a result would be written over the checkpoint's lock.
    fn check_lock(&self) -> anyhow::Result<()> {
        let lock = lock::place(&self.checkpoint)?;
        for (option, path) in [("--out", &self.out), ("--plot", &self.plot)] {
            if is_same(&file::target(path)?, &lock) {
                let name = path.display();
                bail!("{option} {name}: that is the lock of --checkpoint; name another file");
            }
        }
        Ok(())
    }

    /// Fails when the first results would be written over other files.
    pub fn check_new(&self) -> anyhow::Result<()> {
        for (option, path) in [("--out", &self.out), ("--plot", &self.plot)] {
            if path.exists() {
                bail!(
                    "{option} {}: that exists already, and there is no checkpoint {} to go on \
                     from; name another file with {option}, or overwrite it with --fresh",
                    path.display(),
                    self.checkpoint.display()
                );
            }
        }
        Ok(())
    }

    pub fn keep(&self, training: &Training) -> anyhow::Result<()> {
        checkpoint::save(&self.checkpoint, training).map_err(|e| anyhow!("--checkpoint {e}"))?;
        self.write_results(training)
    }

    /// The controller and the plot; both follow from the state.
    pub fn write_results(&self, training: &Training) -> anyhow::Result<()> {
        let mut text = serde_json::to_string_pretty(&self.controller(training))?;
        text.push('\n');
        file::write(&self.out, text.as_bytes()).map_err(|e| anyhow!("--out {e}"))?;
        let picture = plot::svg(training).map_err(anyhow::Error::msg);
        let picture = picture.with_context(|| format!("--plot {}", self.plot.display()))?;
        file::write(&self.plot, picture.as_bytes()).map_err(|e| anyhow!("--plot {e}"))
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
