//! From a divergence to an explanation, a smaller case and a waveform.

use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, bail};
use lockstep::backend::Kind;
use lockstep::{Session, SessionError, Spec};
use lockstep_explain::runner::stop_message;
use lockstep_explain::{
    Case, CaseFile, CaseRunner, Explained, Explanation, History, explain, shrink,
};

use super::explanation;
use crate::games::CliGame;
use crate::output::failure::{is_interrupt, quoted, shown};
use crate::output::{STRONG, files};
use crate::run::wait::Run;

/// Default limit of cases that are tried to find a smaller one.
pub const TRIES: u64 = 2_000;

/// Fails before any work if the files of a small case cannot be written into a folder.
///
/// `remedy` is for files that exist; `force` overwrites them.
pub fn check_folder(
    option: &str,
    folder: Option<&Path>,
    force: bool,
    remedy: &str,
) -> anyhow::Result<()> {
    let Some(folder) = folder else {
        return Ok(());
    };
    let name = folder.display();
    // It is created when there is a case.
    let there = folder.ancestors().find(|folder| folder.exists());
    let there = there.unwrap_or(Path::new("."));
    if !there.is_dir() {
        bail!(
            "{option} {name}: {} is a file; name a folder",
            there.display()
        );
    }
    for file in [CASE, WAVES] {
        if folder.join(file).exists() && !force {
            bail!("{option} {name}: there is a {file} in it; {remedy}");
        }
    }
    files::try_writing(option, &there.join(CASE))
}

const CASE: &str = "case.json";
const WAVES: &str = "waves.fst";

/// The options that control the explanation of a session that diverged.
#[derive(clap::Args)]
pub struct ExplainOptions {
    /// Write a small case of the first divergence (case.json) into this folder and, for a
    /// simulated core, its waveform (waves.fst)
    #[arg(long, value_name = "DIR")]
    explain: Option<PathBuf>,
    /// Report a divergence without explaining it
    #[arg(long, conflicts_with = "explain")]
    no_explain: bool,
}

impl ExplainOptions {
    pub fn check(&self) -> anyhow::Result<()> {
        let folder = self.explain.as_deref();
        check_folder("--explain", folder, false, "name another folder")
    }

    /// Explains the first divergence of a session that has ended, if there is one.
    ///
    /// An error is printed, and does not change the session's result.
    pub async fn look<G: CliGame>(
        &self,
        history: History<G>,
        session: Session<G>,
        run: &Run,
        out: &mut dyn Write,
    ) -> Option<Explained<G>> {
        let wanted = !self.no_explain && !run.stop.requested();
        let found = history.found().filter(|_| wanted)?;
        let specs = pair(&session, &found.decided_by, &found.backends)?;
        let mut runner = CaseRunner::new(G::backends(), &run.stop);
        // Boards are open, and cannot be opened again.
        for backend in session.into_backends() {
            let spec = G::backends().parse(backend.identity().name.raw());
            if let (Kind::Link, Ok(spec)) = (backend.identity().kind, spec) {
                runner = runner.with(spec, backend);
            }
        }
        let investigation = Investigation {
            specs: &specs,
            tries: Some(TRIES),
            folder: self.explain.as_deref(),
            shown: true,
            run,
        };
        match investigation.run(found.case, runner, out).await {
            Ok(report) => Some(report),
            Err(error) if is_interrupt(&error) => None,
            Err(error) => {
                let why = shown(format!("{error:#}"));
                anstream::eprintln!("the divergence could not be explained: {why}");
                None
            }
        }
    }
}

/// The first backend that decided and does not differ, else the golden model, and the first one
/// that differs; `None` if that is the golden model itself.
fn pair<G: CliGame>(
    session: &Session<G>,
    decided: &[usize],
    differ: &[usize],
) -> Option<[Spec; 2]> {
    let identities = session.identities();
    let reference = decided.iter().find(|index| !differ.contains(index));
    let reference = reference.and_then(|index| identities.get(*index));
    let reference = reference.map_or("software", |identity| identity.name.raw());
    let backend = identities.get(*differ.first()?)?;
    let spec = |name: &str| G::backends().parse(name).ok();
    let specs = [spec(reference)?, spec(backend.name.raw())?];
    (specs[0] != specs[1]).then_some(specs)
}

/// How to explain a case.
pub struct Investigation<'a> {
    /// The reference, and the backend that differs.
    pub specs: &'a [Spec; 2],
    /// Limit of cases that are tried to find a smaller one; `None` does not search.
    pub tries: Option<u64>,
    /// The folder of the small case and its waveform.
    pub folder: Option<&'a Path>,
    /// Whether the answers that differ have been printed already.
    pub shown: bool,
    pub run: &'a Run,
}

/// Whether a session ended because a simulated core stopped itself, which is explained, too.
pub fn ended_itself<G: CliGame>(error: &SessionError) -> bool {
    let SessionError::Backend(error) = error else {
        return false;
    };
    let spec = G::backends().parse(error.name.raw()).ok();
    let kind = spec.and_then(|spec| G::backends().kind(&spec));
    kind.is_some_and(|kind| stop_message(kind, error).is_some())
}

impl Investigation<'_> {
    /// Explains a case, and prints each finding at once.
    pub async fn run<G: CliGame>(
        &self,
        case: Case<G>,
        mut runner: CaseRunner<'_, G>,
        out: &mut dyn Write,
    ) -> anyhow::Result<Explained<G>> {
        let [reference, backend] = self.specs;
        let explained = explain(&mut runner, reference, backend, &case);
        let found = self.run.wait("repeating the requests", explained).await?;
        let positions = case.positions.len();
        let text = match self.shown {
            true => format!("\n{}", explanation::reasons(&found)),
            false => explanation::explanation(&found),
        };
        out.write_all(text.as_bytes())?;
        let mut report = Explained {
            found,
            positions,
            smaller: None,
            files: Vec::new(),
            open: Vec::new(),
        };
        if !report.differs() {
            return Ok(report);
        }
        if let Some(tries) = self.tries {
            let found = report.found.clone();
            let specs = [reference, backend];
            let smaller = shrink(&mut runner, specs, case.clone(), found, tries);
            // An interrupt ends it with what it has by then.
            let run = self.run.uninterrupted();
            let smaller = run.wait("looking for a smaller case", smaller).await?;
            out.write_all(explanation::smaller(&smaller, positions).as_bytes())?;
            report.smaller = Some(smaller);
        }
        if let Some(folder) = self.folder {
            let (case, explanation) = match &report.smaller {
                Some(smaller) => (&smaller.case, &smaller.explanation),
                None => (&case, &report.found),
            };
            (report.files, report.open) = self.write(folder, case, explanation, out).await?;
        }
        out.flush()?;
        Ok(report)
    }

    async fn write<G: CliGame>(
        &self,
        folder: &Path,
        case: &Case<G>,
        explanation: &Explanation<G>,
        out: &mut dyn Write,
    ) -> anyhow::Result<(Vec<PathBuf>, Vec<String>)> {
        let (mut files, mut open) = (Vec::new(), Vec::new());
        std::fs::create_dir_all(folder).with_context(|| folder.display().to_string())?;
        if let Some(file) = CaseFile::of(case, explanation) {
            let path = folder.join(CASE);
            files::write("case", &path, &file.text()?)?;
            let again = format!("lockstep explain {}", quoted(path.display()));
            writeln!(out, "{STRONG}case{STRONG:#}      {again}")?;
            files.push(path);
            open.push(again);
        }
        #[cfg(feature = "sim")]
        if G::backends().kind(&self.specs[1]) == Some(Kind::Simulated) {
            match self.waves(folder, case, explanation).await {
                Ok(waves) => {
                    out.write_all(explanation::waveform(&waves).as_bytes())?;
                    open.extend(explanation::viewers(&waves));
                    files.extend([waves.file, waves.gtkwave, waves.surfer]);
                }
                Err(error) => writeln!(out, "{}", shown(format!("{error:#}")))?,
            }
        }
        Ok((files, open))
    }

    #[cfg(feature = "sim")]
    async fn waves<G: CliGame>(
        &self,
        folder: &Path,
        case: &Case<G>,
        explanation: &Explanation<G>,
    ) -> anyhow::Result<lockstep_explain::waves::Waveform> {
        use lockstep::backend::simulated::core_of;
        use lockstep_explain::waves::waveform;

        let target = explanation.verdict.wave_target();
        let stem = folder.join(WAVES);
        let made = waveform(
            &self.specs[1],
            case,
            target,
            lockstep_backends::signals::of(G::NAME, core_of::<G>(&self.specs[1])),
            &stem,
            &self.run.stop,
        );
        self.run.wait("writing a waveform", made).await
    }
}
