//! The players of each seat of a match.

use std::path::Path;

use anyhow::{Context as _, anyhow, bail};
use lockstep::Spec;
use lockstep::backend::Kind;
use lockstep::event::Seat;

use crate::games::CliGame;
use crate::games::options::{ControllerArgs, path};
use crate::session::backends::backend;

/// The options that give seats their backends and controllers.
#[derive(clap::Args)]
pub struct Seating<G: CliGame> {
    #[arg(long = "backend", value_name = "BACKEND", value_parser = seated::<G>, help = backend_help::<G>())]
    backends: Vec<Seated>,
    #[arg(long = "seat", value_name = "SEAT=NAME", value_parser = named_seat::<G>, hide = G::SEATS.len() < 2, help = seat_help::<G>())]
    controllers: Vec<(usize, String)>,
    #[arg(skip)]
    game: std::marker::PhantomData<G>,
}

/// A backend for one seat or for all seats.
#[derive(Debug, Clone)]
pub struct Seated {
    seat: Option<usize>,
    spec: Spec,
}

fn backend_help<G: CliGame>() -> String {
    let seats = match G::SEATS {
        [first, _, ..] => format!("; {first}=BACKEND is one for that seat alone"),
        _ => String::new(),
    };
    format!(
        "A backend; repeat the option for each{seats}. The first is the reference: its moves are \
         played. [default: software, and engine and sim if they support the controller and the \
         board]\n{}",
        G::backends().summary()
    )
}

fn seat_help<G: CliGame>() -> String {
    let seats = G::SEATS.join(" or ");
    format!("Another controller for a seat ({seats}), named as for --controller")
}

/// Splits a text after the seat with which it begins.
fn seat<G: CliGame>(text: &str) -> Option<(usize, &str)> {
    let (name, rest) = text.split_once('=').filter(|_| G::SEATS.len() > 1)?;
    let seat = G::SEATS.iter().position(|seat| *seat == name)?;
    Some((seat, rest))
}

fn seated<G: CliGame>(text: &str) -> anyhow::Result<Seated> {
    let (seat, rest) = match seat::<G>(text) {
        Some((seat, rest)) => (Some(seat), rest),
        None => (None, text),
    };
    let spec = backend::<G>(rest).map_err(|why| match text.split_once('=') {
        Some((name, spec)) if seat.is_none() && backend::<G>(spec).is_ok() => no_seat::<G>(name),
        _ => why,
    })?;
    Ok(Seated { seat, spec })
}

fn named_seat<G: CliGame>(text: &str) -> anyhow::Result<(usize, String)> {
    let named = seat::<G>(text).map(|(seat, name)| (seat, name.into()));
    named.ok_or_else(|| no_seat::<G>(text))
}

fn no_seat<G: CliGame>(text: &str) -> anyhow::Error {
    let (game, seats) = (G::NAME, G::SEATS.join(" or "));
    let name = text.split_once('=').map_or(text, |(name, _)| name);
    match G::SEATS.len() {
        0 | 1 => anyhow!(
            "{game} has no seats; leave --seat out, and '{name}=' before a backend, or select a \
             game of two players with --game"
        ),
        _ if G::SEATS.contains(&text) => {
            anyhow!("'{text}' names a seat alone, expected {text}=NAME")
        }
        _ => anyhow!("{game} has no seat '{name}', expected SEAT=NAME, where SEAT is {seats}"),
    }
}

/// Whether the game has searches, which can be stopped early.
pub(super) const fn searches<G: CliGame>() -> bool {
    const { G::SEARCHING.is_some() }
}

/// Checks that a time limit is possible: the game has searches, and every seat one backend.
pub(super) fn check_move_time<G: CliGame>(seats: &[Seat<G>], specs: &[Spec]) -> anyhow::Result<()> {
    if !searches::<G>() {
        bail!(
            "{} has no search that takes time; leave --move-time out",
            G::NAME
        );
    }
    let most = seats.iter().map(|seat| seat.backends.len()).max();
    if most.unwrap_or(specs.len()) > 1 {
        bail!(
            "with a time limit, backends search to different depths and cannot be compared; name \
             one --backend for each seat"
        );
    }
    let is_program = |spec| G::backends().kind(spec) == Some(Kind::Program);
    if let Some(program) = specs.first().filter(|_| specs.iter().all(is_program)) {
        let kind = program.factory();
        bail!("it does not limit {program}; {kind}:timeout=SECONDS,COMMAND does");
    }
    Ok(())
}

impl<G: CliGame> Seating<G> {
    /// Players with backends and controllers of their own, a seat each.
    pub fn of_players(players: [(&[Spec], Option<&str>); 2]) -> Self {
        let seats = || players.iter().enumerate();
        let backends = seats().flat_map(|(seat, (specs, _))| {
            let seat = Some(seat);
            specs.iter().cloned().map(move |spec| Seated { seat, spec })
        });
        let controllers = seats().filter_map(|(seat, (_, name))| Some((seat, (*name)?.to_owned())));
        Self {
            backends: backends.collect(),
            controllers: controllers.collect(),
            game: std::marker::PhantomData,
        }
    }

    pub fn specs(&self) -> Vec<Spec> {
        let mut specs: Vec<Spec> = Vec::new();
        for (index, Seated { seat, spec }) in self.backends.iter().enumerate() {
            let same = |other: &Seated| other.spec == *spec;
            let other_seat = self.backends[..index]
                .iter()
                .any(|b| same(b) && b.seat != *seat);
            // One that is named for two seats plays both.
            if !(other_seat && seat.is_some()) {
                specs.push(spec.clone());
            }
        }
        specs
    }

    /// The players of each seat; empty if all backends play all seats with `controller`.
    ///
    /// # Errors
    /// When a seat has no backend, or a controller cannot be loaded.
    pub fn seats(
        &self,
        choice: &ControllerArgs<G>,
        controller: &G::Controller,
        specs: &[Spec],
    ) -> anyhow::Result<Vec<Seat<G>>> {
        let is_split = self.backends.iter().any(|backend| backend.seat.is_some());
        match is_split || !self.controllers.is_empty() {
            true => self.split(choice, controller, specs),
            false => Ok(Vec::new()),
        }
    }

    /// The paths of the seats' controllers; the path of a built-in one is its name.
    pub fn files(&self) -> impl Iterator<Item = &Path> {
        let names = self.controllers.iter();
        names.map(|(_, name)| path::<G>(name))
    }

    fn split(
        &self,
        choice: &ControllerArgs<G>,
        controller: &G::Controller,
        specs: &[Spec],
    ) -> anyhow::Result<Vec<Seat<G>>> {
        let mut seats = Vec::new();
        for (seat, name) in G::SEATS.iter().enumerate() {
            let own = self.controllers.iter().filter(|(of, _)| *of == seat);
            let controller = match own.collect::<Vec<_>>()[..] {
                [] => controller.clone(),
                [(_, own)] => choice.named(own).context("--seat")?,
                _ => bail!("--seat: {name} is named twice; leave one out"),
            };
            let plays = |spec: &Spec| {
                let of_seat = |b: &Seated| b.seat.is_none_or(|of| of == seat);
                let mut named = self.backends.iter().filter(|b| b.spec == *spec);
                self.backends.is_empty() || named.any(of_seat)
            };
            let backends: Vec<usize> = (0..specs.len()).filter(|i| plays(&specs[*i])).collect();
            if backends.is_empty() {
                bail!("--backend: the seat {name} has no backend; add --backend {name}=BACKEND");
            }
            seats.push(Seat {
                controller,
                backends,
            });
        }
        Ok(seats)
    }
}
