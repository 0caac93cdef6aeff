//! Backends by name. A table of openers says which there are; whoever puts a
//! program together fills it, so that a game, an engine or a kind of link is
//! added without touching this crate.

use std::fmt;

use futures::future::{BoxFuture, FutureExt as _};
use lockstep_games::{BoardSize, BoxError, Game, Golden, GoldenModel, Implementation};

use super::software::Software;
use super::{Backend, BackendError, BackendErrorKind, Kind};

/// A backend's name: `sim-uart:baud=115200` is the opener `sim-uart` with an
/// option, `serial:/dev/ttyUSB1` the opener `serial` with a target.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Spec {
    text: String,
    opener: String,
    target: Option<String>,
    options: Vec<(String, String)>,
}

/// The text names no backend.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum SpecError {
    /// There is no such opener.
    #[error("no backend is called '{name}'; there are {known}")]
    Unknown {
        /// The name given.
        name: String,
        /// Those there are.
        known: String,
    },
    /// The opener has no such option.
    #[error("{opener} has no option '{option}'{known}")]
    Option {
        /// Name of the opener.
        opener: String,
        /// The option given.
        option: String,
        /// Those there are, as the rest of the sentence.
        known: String,
    },
    /// The same option twice.
    #[error("{text}: '{option}' is named twice")]
    Twice {
        /// The text given.
        text: String,
        /// The option.
        option: String,
    },
    /// The opener opens nothing by its name alone.
    #[error("{opener} needs to be told what it opens: {opener}:{target}")]
    NoTarget {
        /// Name of the opener.
        opener: String,
        /// What is to be named, for help.
        target: &'static str,
    },
    /// The target is none of the opener's.
    #[error("{opener}: {why}")]
    Target {
        /// Name of the opener.
        opener: String,
        /// What is wrong with it.
        why: String,
    },
    /// An option's value is none.
    #[error("{option}={value}: expected {expected}")]
    Value {
        /// The option.
        option: String,
        /// The value given.
        value: String,
        /// What it should be.
        expected: &'static str,
    },
}

impl fmt::Display for Spec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl Spec {
    /// Name of its opener.
    pub fn opener(&self) -> &str {
        &self.opener
    }

    /// What is to be opened; empty where the opener needs to be told nothing.
    pub fn target(&self) -> &str {
        self.target.as_deref().unwrap_or_default()
    }

    /// The value of an option; `None` when it is not named.
    pub fn option(&self, name: &str) -> Option<&str> {
        let named = self.options.iter().find(|(option, _)| option == name);
        named.map(|(_, value)| value.as_str())
    }
}

/// Opens one kind of backend for a game.
pub trait Opener<G: Game>: Send + Sync {
    /// Its name.
    fn name(&self) -> &'static str;

    /// What it opens.
    fn kind(&self) -> Kind;

    /// What that is, in a few words for help.
    fn about(&self) -> &'static str;

    /// What it needs to be told to open, in capitals for help; `None` when its
    /// name says it all. It follows the name and a colon; a comma ends it, unless
    /// [`Self::target_is_rest`].
    fn target(&self) -> Option<&'static str> {
        None
    }

    /// Whether its target is all the rest of the name, commas included. Its options come
    /// before it then.
    fn target_is_rest(&self) -> bool {
        false
    }

    /// Its options, each with what it does.
    fn options(&self) -> &'static [(&'static str, &'static str)] {
        &[]
    }

    /// Whether the target and the options' values are such that it can be opened anywhere.
    ///
    /// # Errors
    /// The first that is not.
    fn check(&self, _spec: &Spec) -> Result<(), SpecError> {
        Ok(())
    }

    /// Whether what it opens is part of this build.
    ///
    /// # Errors
    /// Why not, and what helps.
    fn present(&self) -> Result<(), String> {
        Ok(())
    }

    /// Whether what it opens can play as the controller does on such a board.
    fn can_play(&self, controller: &G::Controller, board: BoardSize) -> bool;

    /// Opens it. `nonce` tells this session from earlier ones on the same link.
    fn open<'a>(
        &'a self,
        spec: &'a Spec,
        nonce: u64,
    ) -> BoxFuture<'a, Result<Box<dyn Backend<G>>, BackendError>>;
}

/// The openers of a program, in the order they are listed.
pub struct Openers<G>(Vec<Box<dyn Opener<G>>>);

impl<G: Game> Default for Openers<G> {
    fn default() -> Self {
        Self(Vec::new())
    }
}

impl<G: Game> Openers<G> {
    /// None.
    pub fn new() -> Self {
        Self::default()
    }

    /// One more.
    #[must_use]
    pub fn with(mut self, opener: impl Opener<G> + 'static) -> Self {
        self.0.push(Box::new(opener));
        self
    }

    /// All of them.
    pub fn iter(&self) -> impl Iterator<Item = &dyn Opener<G>> {
        self.0.iter().map(|opener| &**opener)
    }

    /// The opener a name stands for.
    pub fn opener(&self, spec: &Spec) -> Option<&dyn Opener<G>> {
        self.iter().find(|opener| opener.name() == spec.opener)
    }

    /// What a name opens; `None` when nothing.
    pub fn kind(&self, spec: &Spec) -> Option<Kind> {
        self.opener(spec).map(Opener::kind)
    }

    /// All of them with what they are, for help and errors.
    pub fn summary(&self) -> String {
        let describe = |opener: &dyn Opener<G>| {
            let of = opener.name();
            let (name, before, behind) = match opener.target() {
                None => (of.to_owned(), format!("{of}:"), String::new()),
                Some(target) if opener.target_is_rest() => (
                    format!("{of}:{target}"),
                    format!("{of}:"),
                    format!(",{target}"),
                ),
                Some(target) => (
                    format!("{of}:{target}"),
                    format!("{of}:{target},"),
                    String::new(),
                ),
            };
            let options = opener.options().iter();
            let options: String = options
                .map(|(option, about)| format!("; {before}{option}=…{behind} {about}"))
                .collect();
            format!("{name} ({}{options})", opener.about())
        };
        self.iter().map(describe).collect::<Vec<_>>().join(", ")
    }

    /// Reads a backend's name.
    ///
    /// # Errors
    /// When it stands for no backend, with those there are.
    pub fn parse(&self, text: &str) -> Result<Spec, SpecError> {
        let (name, mut options) = match text.split_once(':') {
            Some((name, options)) => (name, Some(options)),
            None => (text, None),
        };
        let mut spec = Spec {
            text: text.into(),
            opener: name.into(),
            target: None,
            options: Vec::new(),
        };
        let opener = self.opener(&spec).ok_or_else(|| SpecError::Unknown {
            name: name.into(),
            known: self.summary(),
        })?;
        if let Some(value_name) = opener.target() {
            let rest = options.unwrap_or_default();
            let (target, rest) = match opener.target_is_rest() {
                true => leading_options(rest, opener.options()),
                false => match rest.split_once(',') {
                    Some((target, rest)) => (target, Some(rest)),
                    None => (rest, None),
                },
            };
            let named = |(name, _): &(&str, &str)| target.split('=').next() == Some(name);
            if target.is_empty() || opener.options().iter().any(named) {
                return Err(SpecError::NoTarget {
                    opener: name.into(),
                    target: value_name,
                });
            }
            spec.target = Some(target.into());
            options = rest;
        }
        for option in options.into_iter().flat_map(|options| options.split(',')) {
            let (option, value) = option.split_once('=').unwrap_or((option, ""));
            if !opener.options().iter().any(|(known, _)| *known == option) {
                let known: Vec<&str> = opener.options().iter().map(|(name, _)| *name).collect();
                return Err(SpecError::Option {
                    opener: name.into(),
                    option: option.into(),
                    known: match known.as_slice() {
                        [] => "; it has none".into(),
                        known => format!("; there is {}", known.join(", ")),
                    },
                });
            }
            if spec.option(option).is_some() {
                return Err(SpecError::Twice {
                    text: text.into(),
                    option: option.into(),
                });
            }
            spec.options.push((option.into(), value.into()));
        }
        opener.check(&spec)?;
        Ok(spec)
    }

    /// What is asked when nothing is named: of what its name alone opens, whatever is
    /// present and can play as the controller does, one of each kind.
    pub fn defaults(&self, controller: &G::Controller, board: BoardSize) -> Vec<Spec> {
        let mut kinds = Vec::new();
        let mut specs = Vec::new();
        for opener in self.iter() {
            let usual = opener.target().is_none() && !kinds.contains(&opener.kind());
            if usual && opener.present().is_ok() && opener.can_play(controller, board) {
                kinds.push(opener.kind());
                specs.push(Spec {
                    text: opener.name().into(),
                    opener: opener.name().into(),
                    target: None,
                    options: Vec::new(),
                });
            }
        }
        specs
    }

    /// Opens a backend. `nonce` tells this session from earlier ones on the same
    /// link.
    ///
    /// # Errors
    /// When it is not available here, with what helps.
    pub async fn open(&self, spec: &Spec, nonce: u64) -> Result<Box<dyn Backend<G>>, BackendError> {
        let unavailable = |why| BackendErrorKind::Unavailable(why).of(&spec.text);
        let opener = self
            .opener(spec)
            .ok_or_else(|| unavailable("there is no such backend".into()))?;
        opener.present().map_err(unavailable)?;
        opener.open(spec, nonce).await
    }
}

/// Cuts known options off the beginning of a text: the rest, and the options if any.
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

/// Makes an implementation as the options of its name say.
pub type Make<G> = fn(&Spec) -> Result<Box<dyn Implementation<G>>, BoxError>;

/// Opens an implementation in this process.
pub struct SoftwareOpener<G> {
    name: &'static str,
    kind: Kind,
    about: &'static str,
    options: &'static [(&'static str, &'static str)],
    make: Make<G>,
}

impl<G: Golden> SoftwareOpener<G> {
    /// The golden model, as `software`.
    pub fn golden() -> Self {
        Self {
            name: "software",
            kind: Kind::Golden,
            about: "the golden model",
            options: &[],
            make: |_| Ok(Box::new(GoldenModel::default())),
        }
    }
}

impl<G: Game> SoftwareOpener<G> {
    /// A fast engine, as `engine`.
    pub fn engine(
        about: &'static str,
        options: &'static [(&'static str, &'static str)],
        make: Make<G>,
    ) -> Self {
        Self {
            name: "engine",
            kind: Kind::Engine,
            about,
            options,
            make,
        }
    }
}

impl<G: Game> Opener<G> for SoftwareOpener<G> {
    fn name(&self) -> &'static str {
        self.name
    }

    fn kind(&self) -> Kind {
        self.kind
    }

    fn about(&self) -> &'static str {
        self.about
    }

    fn options(&self) -> &'static [(&'static str, &'static str)] {
        self.options
    }

    fn can_play(&self, controller: &G::Controller, board: BoardSize) -> bool {
        let spec = Spec {
            text: self.name.into(),
            opener: self.name.into(),
            target: None,
            options: Vec::new(),
        };
        (self.make)(&spec).is_ok_and(|implementation| {
            let capabilities = implementation.capabilities(Some(controller));
            capabilities.boards.contain(board) && implementation.decider(controller).is_ok()
        })
    }

    fn open<'a>(
        &'a self,
        spec: &'a Spec,
        _nonce: u64,
    ) -> BoxFuture<'a, Result<Box<dyn Backend<G>>, BackendError>> {
        async move {
            let implementation = (self.make)(spec);
            let implementation = implementation
                .map_err(|why| BackendErrorKind::Unavailable(why.to_string()).of(&spec.text))?;
            let software = Software::new(&spec.text, self.kind, implementation)?;
            Ok(Box::new(software) as Box<dyn Backend<G>>)
        }
        .boxed()
    }
}
