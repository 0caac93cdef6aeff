//! Opens backends by name.
//!
//! The registry is a table of factories that the program fills: a new engine or kind of link changes
//! nothing here.

use std::fmt;

use futures::future::BoxFuture;
use lockstep_games::{BoardSize, Game};

use super::{Backend, BackendError, BackendErrorKind, Kind};

/// A backend's name: `sim-uart:baud=115200` is the factory `sim-uart` with an
/// option, `serial:/dev/ttyUSB1` the factory `serial` with a target.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Spec {
    text: String,
    factory: String,
    target: Option<String>,
    pub(super) options: Vec<(String, String)>,
}

/// Why a text does not name a backend.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum SpecError {
    /// There is no such factory.
    #[error(
        "no backend is called '{name}'; there are {known} (`lockstep info` describes them){}",
        if name.contains(',') { "; repeat the option for each backend" } else { "" }
    )]
    Unknown {
        /// The name given.
        name: String,
        /// All factories.
        known: String,
    },
    /// Target or options are not valid.
    #[error("{0}")]
    Invalid(String),
}

impl SpecError {
    /// The error of an option's value.
    pub fn value(option: &str, value: &str, expected: &str) -> Self {
        Self::Invalid(format!("{option}={value}: expected {expected}"))
    }
}

impl fmt::Display for Spec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl Spec {
    /// A name without target and options.
    pub(super) fn of(text: &str, factory: &str) -> Self {
        Self {
            text: text.into(),
            factory: factory.into(),
            target: None,
            options: Vec::new(),
        }
    }

    /// Name of its factory.
    pub fn factory(&self) -> &str {
        &self.factory
    }

    /// The target; empty where the factory needs none.
    pub fn target(&self) -> &str {
        self.target.as_deref().unwrap_or_default()
    }

    /// The value of an option, if it is given.
    pub fn option(&self, name: &str) -> Option<&str> {
        let named = self.options.iter().find(|(option, _)| option == name);
        named.map(|(_, value)| value.as_str())
    }
}

/// The future of a backend that is being opened.
pub type Opening<G> = BoxFuture<'static, Result<Box<dyn Backend<G>>, BackendError>>;

/// Opens one backend; the argument is a number that no earlier session used on its link.
pub type Open<G> = Box<dyn FnOnce(u64) -> Opening<G> + Send>;

/// Whether a backend can play by a controller on a board of that size.
pub type CanPlay<G> = Box<dyn Fn(&<G as Game>::Controller, BoardSize) -> bool + Send + Sync>;

/// Parses the target and the options of a name.
pub type Read<G> = Box<dyn Fn(&Spec) -> Result<Open<G>, SpecError> + Send + Sync>;

/// Opens one kind of backend for a game.
pub struct BackendFactory<G: Game> {
    /// Its name.
    pub name: &'static str,
    /// The kind of backend that it opens.
    pub kind: Kind,
    /// A description for help, in a few words.
    pub about: &'static str,
    /// The form of its target.
    pub target: Target,
    /// Its options, each with a description.
    pub options: &'static [(&'static str, &'static str)],
    /// Why this build lacks it, with the remedy; `None` if it is present.
    pub absent: Option<&'static str>,
    /// Whether the backend can play by a controller on a board of that size.
    pub can_play: CanPlay<G>,
    /// Parses the target and the options.
    pub read: Read<G>,
}

/// The form of the text after a factory's name and a colon.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Target {
    /// No target, only options.
    None,
    /// A target, shown in help under this name; a comma ends it.
    Word(&'static str),
    /// A target, shown in help under this name, that takes the rest of the text with its commas.
    /// Options come before it.
    Rest(&'static str),
}

impl Target {
    /// Name of the target in help; `None` if there is no target.
    pub fn name(self) -> Option<&'static str> {
        match self {
            Self::None => None,
            Self::Word(name) | Self::Rest(name) => Some(name),
        }
    }
}

impl<G: Game> BackendFactory<G> {
    /// Its name, with the name of its target.
    fn form(&self) -> String {
        let of = self.name;
        let target = self.target.name();
        target.map_or(of.into(), |target| format!("{of}:{target}"))
    }

    /// Name and options as shown in help.
    fn usage(&self) -> String {
        let (of, name) = (self.name, self.form());
        let (before, behind) = match self.target {
            Target::None => (format!("{of}:"), String::new()),
            Target::Word(_) => (format!("{name},"), String::new()),
            Target::Rest(target) => (format!("{of}:"), format!(",{target}")),
        };
        let options = self.options.iter();
        let options: String = options
            .map(|(option, about)| format!("; {before}{option}=…{behind} {about}"))
            .collect();
        format!("{name}  {}{options}", self.about)
    }

    /// Splits the text after the colon into target and options.
    fn split<'a>(&self, rest: Option<&'a str>) -> Result<Parts<'a>, SpecError> {
        let text = rest.unwrap_or_default();
        let (target, options, name) = match self.target {
            Target::None => return Ok((None, rest)),
            Target::Word(name) => match text.split_once(',') {
                Some((target, options)) => (target, Some(options), name),
                None => (text, None, name),
            },
            Target::Rest(name) => {
                let (target, options) = leading_options(text, self.options);
                (target, options, name)
            }
        };
        let is_option = |(name, _): &(&str, &str)| target.split('=').next() == Some(name);
        if target.is_empty() || self.options.iter().any(is_option) {
            let factory = self.name;
            return Err(SpecError::Invalid(format!(
                "{factory} needs a target: {factory}:{name}"
            )));
        }
        Ok((Some(target), options))
    }
}

/// Target and options of a name.
type Parts<'a> = (Option<&'a str>, Option<&'a str>);

/// The factories of a program, in the order they are listed.
pub struct BackendRegistry<G: Game>(Vec<BackendFactory<G>>);

impl<G: Game> Default for BackendRegistry<G> {
    fn default() -> Self {
        Self(Vec::new())
    }
}

impl<G: Game> BackendRegistry<G> {
    /// No factories.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a factory.
    #[must_use]
    pub fn with(mut self, factory: BackendFactory<G>) -> Self {
        self.0.push(factory);
        self
    }

    /// All factories.
    pub fn iter(&self) -> impl Iterator<Item = &BackendFactory<G>> {
        self.0.iter()
    }

    /// The factory of a backend's name.
    pub fn factory(&self, spec: &Spec) -> Option<&BackendFactory<G>> {
        self.iter().find(|factory| factory.name == spec.factory)
    }

    /// The kind of backend of that name.
    pub fn kind(&self, spec: &Spec) -> Option<Kind> {
        self.factory(spec).map(|factory| factory.kind)
    }

    /// Usage of all factories for help, a line each.
    pub fn summary(&self) -> String {
        let usages: Vec<_> = self.iter().map(BackendFactory::usage).collect();
        usages.join("\n")
    }

    fn forms(&self) -> String {
        let forms: Vec<_> = self.iter().map(BackendFactory::form).collect();
        forms.join(", ")
    }

    /// Parses a backend's name.
    ///
    /// # Errors
    /// When there is no such backend (then all are listed), or its target or options are invalid.
    pub fn parse(&self, text: &str) -> Result<Spec, SpecError> {
        let (name, rest) = match text.split_once(':') {
            Some((name, rest)) => (name, Some(rest)),
            None => (text, None),
        };
        let mut spec = Spec::of(text, name);
        let factory = self.factory(&spec).ok_or_else(|| SpecError::Unknown {
            name: name.into(),
            known: self.forms(),
        })?;
        let (target, options) = factory.split(rest)?;
        spec.target = target.map(Into::into);
        for option in options.into_iter().flat_map(|options| options.split(',')) {
            let (option, value) = option.split_once('=').unwrap_or((option, ""));
            if !factory.options.iter().any(|(known, _)| *known == option) {
                let known: Vec<&str> = factory.options.iter().map(|(name, _)| *name).collect();
                let known = match known.as_slice() {
                    [] => format!("write {name} alone"),
                    [only] => format!("its only option is {only}"),
                    known => format!("the options are {}", known.join(", ")),
                };
                return Err(SpecError::Invalid(format!(
                    "{name} has no option '{option}'; {known}"
                )));
            }
            if spec.option(option).is_some() {
                let why = format!("{text}: '{option}' is named twice");
                return Err(SpecError::Invalid(why));
            }
            spec.options.push((option.into(), value.into()));
        }
        (factory.read)(&spec).map(drop)?;
        Ok(spec)
    }

    /// The backends of a session that names none: of each kind the first that needs no target, is
    /// present and can play by the controller.
    pub fn defaults(&self, controller: &G::Controller, board: BoardSize) -> Vec<Spec> {
        let mut kinds = Vec::new();
        let mut specs = Vec::new();
        for factory in self.iter() {
            let usual = factory.target == Target::None && !kinds.contains(&factory.kind);
            if usual && factory.absent.is_none() && (factory.can_play)(controller, board) {
                kinds.push(factory.kind);
                specs.push(Spec::of(factory.name, factory.name));
            }
        }
        specs
    }

    /// Opens a backend. `nonce` is a number that no earlier session used on its link.
    ///
    /// # Errors
    /// When it is not available; names the remedy.
    pub async fn open(&self, spec: &Spec, nonce: u64) -> Result<Box<dyn Backend<G>>, BackendError> {
        let unavailable = |why: String| BackendErrorKind::Unavailable(why).of(&spec.text);
        let factory = self
            .factory(spec)
            .ok_or_else(|| unavailable("there is no such backend".into()))?;
        if let Some(why) = factory.absent {
            return Err(unavailable(why.into()));
        }
        let open = (factory.read)(spec).map_err(|why| unavailable(why.to_string()))?;
        open(nonce).await
    }
}

/// Splits known options off the beginning of a text; returns the rest, and the options if any.
fn leading_options<'a>(text: &'a str, known: &[(&str, &str)]) -> (&'a str, Option<&'a str>) {
    let is_known = |option: &str| {
        let name = option.split_once('=').map(|(name, _)| name);
        known.iter().any(|(known, _)| Some(*known) == name)
    };
    let mut at = 0;
    while let Some((option, _)) = text[at..].split_once(',').filter(|(o, _)| is_known(o)) {
        at += option.len() + 1;
    }
    (&text[at..], at.checked_sub(1).map(|end| &text[..end]))
}
