//! The record of a finished game (`--record`).
//!
//! Its decisions are those on the backend's board. In games of two players these are also the
//! person's, who stands in the header as a backend of that name; in games of one player the person
//! has another board, which is not recorded.

use std::path::Path;

use anyhow::bail;
use lockstep::backend::Kind;
use lockstep::event::Seat;
use lockstep::record::{PERSON, Part, Recorder};
use lockstep::{Event, Header, Identity, Sink as _};

use super::table::Table;
use crate::games::CliGame;
use crate::output::files::check_outputs;
use crate::version::tools;

/// Fails if the record cannot be written, or would overwrite a file.
pub fn check(path: &Path, statistics: &Path) -> anyhow::Result<()> {
    check_outputs(&[("--statistics", statistics), ("--record", path)], &[])?;
    if path
        .metadata()
        .is_ok_and(|meta| meta.is_file() && meta.len() > 0)
    {
        bail!(
            "--record {}: the file exists; name another one",
            path.display()
        );
    }
    Ok(())
}

/// Writes a finished game; `overwrite`: over an earlier one.
///
/// # Errors
/// When the file cannot be written.
pub fn write<G: CliGame>(
    path: &Path,
    overwrite: bool,
    table: &Table<G>,
    opponent: &Identity,
    controller: &G::Controller,
) -> anyhow::Result<()> {
    let person = Identity {
        name: PERSON.into(),
        kind: Kind::Program,
        description: "who played against the backend".into(),
        core: None,
        ..opponent.clone()
    };
    let mut header = Header::new(vec![opponent.clone()], controller.clone());
    if G::SEATS.len() > 1 {
        header.backends.push(person);
        let seats = 0..G::SEATS.len();
        header.seats = seats
            .map(|seat| Seat {
                controller: controller.clone(),
                backends: vec![usize::from(seat == table.seat())],
            })
            .collect();
    }
    let mut recorder = Recorder::create(path, overwrite)?;
    recorder.tools = tools();
    recorder.origin.parts.push(Part {
        game: 1,
        games: 1,
        dealt: table.game + 1,
        setup: Some(table.setup.clone()),
    });
    let begin = [Event::Started(header), Event::GameStarted { game: 1 }];
    let end = Event::Ended {
        interrupted: false,
        error: None,
        links: Vec::new(),
    };
    let rounds = table.rounds()?.into_iter().map(Event::Decided);
    for event in begin.into_iter().chain(rounds).chain([end]) {
        recorder.take(&event)?;
    }
    Ok(())
}
