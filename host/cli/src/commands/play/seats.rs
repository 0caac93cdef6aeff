//! Who plays which seat of a match.

use std::time::Duration;

use anyhow::bail;
use lockstep::event::Seat;
use lockstep::{Session, Spec, Stop};

use crate::commands::backends::{backend, configure};
use crate::commands::numbers::number;
use crate::commands::wait::wait;
use crate::games::{ChooseController, CliGame};

/// The options that seat backends and controllers.
#[derive(clap::Args)]
pub struct Seating<G: CliGame> {
    #[arg(long = "backend", value_name = "BACKEND", value_parser = seated::<G>, help = backend_help::<G>())]
    backends: Vec<Seated>,
    #[arg(long = "seat", value_name = "SEAT=NAME", value_parser = named_seat::<G>, hide = G::SEATS.len() < 2, help = seat_help::<G>())]
    controllers: Vec<(usize, String)>,
    /// Take the best move found after so many milliseconds, where a backend searches; a seat
    /// then has a single backend
    #[arg(long, value_name = "MS", value_parser = number::<u64>(1..=86_400_000))]
    move_time: Option<u64>,
    #[arg(skip)]
    game: std::marker::PhantomData<G>,
}

/// A backend, for one seat or for all.
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
        "A backend; repeat it for each{seats}. The first is the reference, whose moves are played: \
         {} [default: software, and the engine and sim where they can play the same]",
        G::backends().summary()
    )
}

fn seat_help<G: CliGame>() -> String {
    let seats = G::SEATS.join(" or ");
    format!("Another controller for a seat ({seats}): a preset or a file")
}

/// The seat that a text begins with, and the rest of it.
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
    let spec = backend::<G>(rest)?;
    Ok(Seated { seat, spec })
}

fn named_seat<G: CliGame>(text: &str) -> anyhow::Result<(usize, String)> {
    match seat::<G>(text) {
        Some((seat, name)) => Ok((seat, name.into())),
        None => bail!(
            "expected SEAT=NAME, where SEAT is {}",
            G::SEATS.join(" or ")
        ),
    }
}

impl<G: CliGame> Seating<G> {
    /// The backends named, each once.
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

    /// Who plays each seat; empty where all backends play all seats with that controller.
    ///
    /// # Errors
    /// When a seat has no backend, a controller cannot be loaded, or a time limit is to be
    /// compared.
    pub fn seats(
        &self,
        choice: &G::ControllerArgs,
        controller: &G::Controller,
        specs: &[Spec],
    ) -> anyhow::Result<Vec<Seat<G>>> {
        let is_split = self.backends.iter().any(|backend| backend.seat.is_some());
        let seats = match is_split || !self.controllers.is_empty() {
            true => self.split(choice, controller, specs)?,
            false => Vec::new(),
        };
        let most = seats.iter().map(|seat| seat.backends.len()).max();
        if self.move_time.is_some() && most.unwrap_or(specs.len()) > 1 {
            bail!(
                "--move-time: backends that are stopped after a time have searched to different \
                 depths, and cannot be compared; name one --backend for each seat"
            );
        }
        Ok(seats)
    }

    fn split(
        &self,
        choice: &G::ControllerArgs,
        controller: &G::Controller,
        specs: &[Spec],
    ) -> anyhow::Result<Vec<Seat<G>>> {
        let mut seats = Vec::new();
        for (seat, name) in G::SEATS.iter().enumerate() {
            let own = self.controllers.iter().rfind(|(of, _)| *of == seat);
            let controller = match own {
                Some((_, own)) => choice.named(own)?,
                None => controller.clone(),
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

    /// Hands the controllers to the backends of a session.
    ///
    /// # Errors
    /// When one cannot play as its controller does.
    pub async fn configure(
        &self,
        session: &mut Session<G>,
        controller: &G::Controller,
        seats: &[Seat<G>],
        quiet: bool,
        stop: &Stop,
    ) -> anyhow::Result<()> {
        session.set_move_time(self.move_time.map(Duration::from_millis));
        if seats.is_empty() {
            return configure(session, controller, quiet, stop).await;
        }
        let taking = session.take_seats(seats.to_vec());
        wait("handing over controllers", quiet, stop, taking).await
    }
}
