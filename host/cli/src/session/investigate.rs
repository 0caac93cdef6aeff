//! From a divergence to an explanation, a smaller case and a waveform.

use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, bail};
use lockstep::backend::Kind;
use lockstep::{Session, SessionError, Spec};
use lockstep_explain::ask::last_words;
use lockstep_explain::{
    Asker, Case, CaseFile, Explanation, History, Shrunk, Verdict, explain, shrink,
};
use serde::Serialize;

use super::explanation;
use crate::games::CliGame;
use crate::output::failure::{is_interrupt, quoted, shown};
use crate::output::{STRONG, files};
use crate::run::wait::Run;

/// Most cases to try while shrinking, by default.
pub const TRIES: u64 = 2_000;

/// The options for the files of the smaller case and its waveform.
#[derive(clap::Args)]
pub struct Files {
    /// Write the small case (case.json) into this folder and, for a simulated core, its waveform
    /// (waves.fst, with save files for GTKWave and Surfer)
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Overwrite the files of an earlier `explain` in that folder
    #[arg(long, requires = "out")]
    force: bool,
}

impl Files {
    /// Fails before any work if the files cannot be written; `remedy` is advice for existing files.
    pub fn check(&self, option: &str, remedy: &str) -> anyhow::Result<()> {
        let Some(folder) = &self.out else {
            return Ok(());
        };
        let name = folder.display();
        std::fs::create_dir_all(folder).with_context(|| {
            format!("{option} {name}: expected a folder, or the name of a new one")
        })?;
        for file in [CASE, WAVES] {
            if folder.join(file).exists() && !self.force {
                bail!("{option} {name}: there is a {file} in it; {remedy}");
            }
        }
        files::try_writing(option, &folder.join(CASE))
    }
}

const CASE: &str = "case.json";
const WAVES: &str = "waves.fst";

/// The options for explaining the divergence of a session.
#[derive(clap::Args)]
pub struct Why {
    /// Write the smallest case of the first divergence (case.json) into this folder and, for a
    /// simulated core, its waveform (waves.fst)
    #[arg(long, value_name = "DIR")]
    explain: Option<PathBuf>,
    /// Report a divergence without explaining it
    #[arg(long, conflicts_with = "explain")]
    no_explain: bool,
}

impl Why {
    /// Fails before any work if the files cannot be written.
    pub fn check(&self) -> anyhow::Result<()> {
        self.files().check("--explain", "name another folder")
    }

    fn files(&self) -> Files {
        Files {
            out: self.explain.clone(),
            force: false,
        }
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
    ) -> Option<Report<G>> {
        let wanted = !self.no_explain && !run.stop.requested();
        let found = history.found().filter(|_| wanted)?;
        let specs = pair(&session, &found.asked, &found.backends)?;
        let mut asker = Asker::new(G::backends(), &run.stop);
        // Boards are open, and cannot be opened again.
        for backend in session.into_backends() {
            let spec = G::backends().parse(backend.identity().name.raw());
            if let (Kind::Link, Ok(spec)) = (backend.identity().kind, spec) {
                asker = asker.with(spec, backend);
            }
        }
        let files = self.files();
        let investigation = Investigation {
            specs: &specs,
            tries: Some(TRIES),
            files: &files,
            shown: true,
            run,
        };
        match investigation.run(found.case, asker, out).await {
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

/// The two backends to compare: one that agrees, and the first one that differs.
///
/// The first is the first backend asked that does not differ, or else the golden model. `None` if
/// the second is the golden model itself.
fn pair<G: CliGame>(session: &Session<G>, asked: &[usize], differ: &[usize]) -> Option<[Spec; 2]> {
    let identities = session.identities();
    let reference = asked.iter().find(|index| !differ.contains(index));
    let reference = reference.and_then(|index| identities.get(*index));
    let reference = reference.map_or("software", |identity| identity.name.raw());
    let backend = identities.get(*differ.first()?)?;
    let spec = |name: &str| G::backends().parse(name).ok();
    let specs = [spec(reference)?, spec(backend.name.raw())?];
    (specs[0] != specs[1]).then_some(specs)
}

/// The settings of an investigation.
pub struct Investigation<'a> {
    /// The reference, and the backend that differs.
    pub specs: &'a [Spec; 2],
    /// Most cases to try while shrinking; `None` if the case is not to be shrunk.
    pub tries: Option<u64>,
    pub files: &'a Files,
    /// Whether the answers that differ have been printed already.
    pub shown: bool,
    pub run: &'a Run,
}

/// The result of an investigation.
#[derive(Serialize)]
#[serde(bound = "")]
pub struct Report<G: CliGame> {
    /// The explanation of the case before shrinking.
    pub found: Explanation<G>,
    /// Number of positions in that case.
    pub positions: usize,
    /// The smaller case; `None` if the case was not to be shrunk.
    pub smaller: Option<Shrunk<G>>,
    /// The files written.
    #[serde(serialize_with = "crate::output::files::names")]
    pub files: Vec<PathBuf>,
    /// The shell commands that open the files.
    pub open: Vec<String>,
}

impl<G: CliGame> Report<G> {
    /// Whether the backends differ again when the case is repeated.
    pub fn differs(&self) -> bool {
        self.found.verdict != Verdict::Agrees
    }
}

/// Whether a session ended because a simulated core stopped itself, which is explained as well.
pub fn ended_itself<G: CliGame>(error: &SessionError) -> bool {
    let SessionError::Backend(error) = error else {
        return false;
    };
    let spec = G::backends().parse(error.name.raw()).ok();
    let kind = spec.and_then(|spec| G::backends().kind(&spec));
    kind.is_some_and(|kind| last_words(kind, error).is_some())
}

impl Investigation<'_> {
    /// Explains a case, and prints each finding at once.
    pub async fn run<G: CliGame>(
        &self,
        case: Case<G>,
        mut asker: Asker<'_, G>,
        out: &mut dyn Write,
    ) -> anyhow::Result<Report<G>> {
        let [reference, backend] = self.specs;
        let asked = explain(&mut asker, reference, backend, &case);
        let found = self.run.wait("asking again", asked).await?;
        let positions = case.positions.len();
        let text = match self.shown {
            true => format!("\n{}", explanation::reasons(&found)),
            false => explanation::explanation(&found),
        };
        out.write_all(text.as_bytes())?;
        let mut report = Report {
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
            let smaller = shrink(&mut asker, specs, case.clone(), found, tries);
            // An interrupt ends it with what it has by then.
            let run = self.run.uninterrupted();
            let smaller = run.wait("looking for a smaller case", smaller).await?;
            out.write_all(explanation::smaller(&smaller, positions).as_bytes())?;
            report.smaller = Some(smaller);
        }
        if let Some(folder) = &self.files.out {
            let (case, explanation) = match &report.smaller {
                Some(smaller) => (&smaller.case, &smaller.explanation),
                None => (&case, &report.found),
            };
            (report.files, report.open) = self.write(folder, case, explanation, out).await?;
        }
        out.flush()?;
        Ok(report)
    }

    /// Writes the files; returns their paths and the commands that open them.
    async fn write<G: CliGame>(
        &self,
        folder: &Path,
        case: &Case<G>,
        explanation: &Explanation<G>,
        out: &mut dyn Write,
    ) -> anyhow::Result<(Vec<PathBuf>, Vec<String>)> {
        let (mut files, mut open) = (Vec::new(), Vec::new());
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
        use lockstep_explain::waves::waveform;

        let sought = explanation.verdict.sought();
        let stem = folder.join(WAVES);
        let made = waveform(
            &self.specs[1],
            case,
            sought,
            lockstep_lab::signals::of(G::NAME),
            &stem,
            &self.run.stop,
        );
        self.run.wait("writing a waveform", made).await
    }
}
