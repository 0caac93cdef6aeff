//! `lockstep boards`

mod view;

use std::collections::BTreeMap;
use std::marker::PhantomData;
use std::net::ToSocketAddrs;
use std::time::Duration;

use anyhow::bail;
use futures::future::join_all;
use lockstep::backend::board::START;
use lockstep::link::error::not_plugged;
use lockstep::link::ports::{self, Port, Target, Usb};
use lockstep::link::probe::{self, ProbeError};
use lockstep::link::registry::{Board, Registry, backend as backend_at};
use lockstep::link::serial::SerialLink;
use lockstep::link::survey::PROBE_TIMEOUT;
use lockstep::link::tcp::TcpLink;
use lockstep::link::{LinkError, PortError};
use protocol::layout;
use protocol::payload::link::Info;
use serde::{Serialize, Serializer};
use serde_json::json;

use crate::games::CliGame;
use crate::output::{Json, Outcome, stdout};
use crate::run::wait::Run;
use crate::session::backends::backend;
use view::show;

/// Timeout of a core behind a network and of a simulated one, slower than a board on a cable.
const REMOTE_TIMEOUT: Duration = Duration::from_secs(2);

#[derive(clap::Args)]
#[command(after_help = "\
  lockstep boards
  lockstep boards /dev/ttyS0,start=3000000
  lockstep boards tcp:192.168.1.20:5000 --json boards.json")]
pub struct Args<G: CliGame> {
    /// Identify the core at this port, too: the path of a serial port, VID:PID[:SERIAL] of a USB
    /// device, with ,start=BAUD if its line starts at another rate than 115200; or tcp:HOST:PORT.
    /// USB ports and virtual boards are always identified
    #[arg(value_name = "PORT", value_parser = place::<G>)]
    ports: Vec<Place>,
    #[command(flatten)]
    json: Json,
    #[arg(skip)]
    game: PhantomData<G>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum Place {
    /// A serial port, and the initial rate of its line if it is given.
    Serial(Target, Option<u32>),
    Tcp(String),
}

/// Parses a place, named as for `--backend` or without `serial:`.
fn place<G: CliGame>(text: &str) -> anyhow::Result<Place> {
    let is_named = ["tcp:", "serial:"]
        .iter()
        .any(|opener| text.starts_with(opener));
    let spec = match is_named {
        true => backend::<G>(text)?,
        false => backend::<G>(&format!("serial:{text}"))?,
    };
    if spec.factory() == "tcp" {
        return Ok(Place::Tcp(spec.target().into()));
    }
    match spec.target().parse()? {
        Target::Auto => {
            bail!("all USB ports are identified anyway; leave auto out, or give the path of a port")
        }
        target => {
            let start = spec.option("start").map(str::parse).transpose()?;
            Ok(Place::Serial(target, start))
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Kind {
    /// The port of a USB device.
    Usb,
    /// Another serial port.
    Serial,
    /// An address from the command line.
    Tcp,
    /// A virtual board that runs on this machine.
    Virtual,
}

/// A port that may have a board, and the result of probing it.
#[derive(Debug, Serialize)]
pub struct Found {
    pub kind: Kind,
    pub port: String,
    pub backend: String,
    pub usb: Option<Usb>,
    pub about: Option<String>,
    /// Rate at which it is probed, in baud; `None` if none can be set.
    pub baud: Option<u32>,
    #[serde(rename = "asked")]
    pub probed: bool,
    #[serde(serialize_with = "core")]
    pub core: Option<Info>,
    /// Why this host cannot use the core.
    pub remark: Option<String>,
    /// Why no core has answered.
    pub error: Option<String>,
    #[serde(skip)]
    named: bool,
    #[serde(skip)]
    missing: bool,
    pub latency_timer_ms: Option<u32>,
}

/// Serialises the identity that a core reports; its game is null if this host does not know it.
fn core<S: Serializer>(core: &Option<Info>, serializer: S) -> Result<S::Ok, S::Error> {
    let core = core.map(|info| {
        json!({
            "game": layout::game(info.game).map(|game| game.name),
            "columns": info.columns,
            "rows": info.rows,
            "build_id": format!("{:08x}", info.build_id),
            "protocol_version": info.protocol_version,
            "layout_hash": format!("{:08x}", info.layout_hash),
            "window": info.window,
            "lanes": info.lanes,
            "multipliers": info.multipliers,
            "clock_hz": info.clock_hz,
        })
    });
    core.serialize(serializer)
}

pub async fn run<G: CliGame>(args: &Args<G>, quiet: bool) -> anyhow::Result<Outcome> {
    args.json.check(&[])?;
    let run = Run::start(quiet);
    let ports = ports::available();
    let mut found = listed(&ports, &Registry::shared().boards());
    for place in &args.ports {
        name(&mut found, place, &ports);
    }
    let asking = async {
        join_all(found.iter_mut().filter(|found| found.probed).map(ask)).await;
        anyhow::Ok(())
    };
    run.wait("identifying cores", asking).await?;
    show(&mut *stdout(args.json.silences(quiet)), &found)?;
    let document = BTreeMap::from([("boards", found)]);
    args.json.document("boards", None, &document)?;
    let found = document["boards"].iter();
    let missing = found.filter(|found| found.named && found.missing);
    let missing: Vec<_> = missing.map(|found| found.backend.as_str()).collect();
    if !missing.is_empty() {
        bail!("{} cannot be opened", missing.join(", "));
    }
    Ok(Outcome::Agreed)
}

impl Found {
    fn new(kind: Kind, port: &str) -> Self {
        let opener = if kind == Kind::Tcp { "tcp" } else { "serial" };
        Self {
            kind,
            port: port.into(),
            backend: format!("{opener}:{port}"),
            usb: None,
            about: None,
            baud: (kind != Kind::Tcp).then_some(START),
            probed: true,
            core: None,
            remark: None,
            error: None,
            named: false,
            missing: false,
            latency_timer_ms: None,
        }
    }

    /// The same place with another initial rate, if one is given.
    fn starting(self, start: Option<u32>) -> Self {
        Self {
            backend: backend_at(&self.port, start),
            baud: start.or(self.baud),
            ..self
        }
    }

    fn serial(port: &Port) -> Self {
        let kind = match port.usb {
            Some(_) => Kind::Usb,
            None => Kind::Serial,
        };
        Self {
            usb: port.usb.clone(),
            ..Self::new(kind, &port.path)
        }
    }
}

/// The serial ports of this machine and the running virtual boards. Only ports of USB devices are
/// probed.
fn listed(ports: &[Port], boards: &[Board]) -> Vec<Found> {
    let ports = ports.iter().map(|port| Found {
        probed: port.usb.is_some(),
        ..Found::serial(port)
    });
    let boards = boards.iter().map(|board| Found {
        backend: board.backend(),
        about: Some(board.about.clone()),
        baud: board.start,
        ..Found::new(Kind::Virtual, &board.address)
    });
    ports.chain(boards).collect()
}

/// Adds a named port to those probed. None is probed twice: the second probe would find it busy.
fn name(found: &mut Vec<Found>, place: &Place, ports: &[Port]) {
    let named: Vec<Found> = match place {
        Place::Tcp(address) => vec![Found::new(Kind::Tcp, address)],
        Place::Serial(target, start) => {
            let ports = target.candidates(ports);
            let ports = ports.iter().map(Found::serial);
            ports.map(|found| found.starting(*start)).collect()
        }
    };
    if named.is_empty()
        && let Place::Serial(target, _) = place
    {
        let there: Vec<_> = ports.iter().map(ToString::to_string).collect();
        found.push(Found {
            error: Some(not_plugged(&there)),
            probed: false,
            named: true,
            missing: true,
            ..Found::new(Kind::Usb, &target.to_string())
        });
    }
    for named in named {
        let serial = |found: &Found| found.backend.starts_with("serial:");
        let same = |other: &&mut Found| match serial(&named) && serial(other) {
            true => ports::is_same(&other.port, &named.port),
            false => is_same_address(&other.backend, &named.backend),
        };
        match found.iter_mut().find(same) {
            Some(other) => {
                (other.probed, other.named) = (true, true);
                if let Place::Serial(_, Some(start)) = place {
                    (other.baud, other.backend) = (Some(*start), named.backend);
                }
            }
            None => found.push(Found {
                named: true,
                ..named
            }),
        }
    }
}

/// Whether two backends are the same TCP port of the same host.
fn is_same_address(one: &str, other: &str) -> bool {
    let resolved = |backend: &str| {
        let address = backend
            .strip_prefix("tcp:")
            .map(ToSocketAddrs::to_socket_addrs);
        address.and_then(Result::ok).into_iter().flatten()
    };
    one == other || resolved(one).any(|one| resolved(other).any(|other| one == other))
}

async fn ask(found: &mut Found) {
    let within = match found.kind {
        Kind::Usb | Kind::Serial => PROBE_TIMEOUT,
        Kind::Tcp | Kind::Virtual => REMOTE_TIMEOUT,
    };
    let probed = async {
        if let Some(address) = found.backend.strip_prefix("tcp:") {
            let mut link = TcpLink::open(address).await.map_err(LinkError::from)?;
            return probe::info(&mut link, within).await;
        }
        let port = Port {
            path: found.port.clone(),
            usb: found.usb.clone(),
        };
        let baud = found.baud.unwrap_or(START);
        let mut link = SerialLink::open(port, baud).map_err(LinkError::from)?;
        found.latency_timer_ms = link.latency();
        probe::info(&mut link, within).await
    };
    match probed.await {
        Ok(info) => {
            found.remark = probe::remark(&info);
            found.core = Some(info);
        }
        // The port is listed already.
        Err(ProbeError::Link(LinkError::Open(PortError { why, .. }))) => {
            (found.error, found.missing) = (Some(why), true);
        }
        Err(why) => found.error = Some(why.to_string()),
    }
}

#[cfg(test)]
mod tests {
    use lockstep_games::tetris::Tetris;

    use super::*;

    fn ports() -> [Port; 2] {
        let usb = Usb {
            vid: 0x0403,
            pid: 0x6010,
            serial: Some("A".into()),
            manufacturer: None,
            product: None,
            interface: Some(1),
        };
        let first = Port {
            path: "/dev/ttyUSB1".into(),
            usb: Some(usb),
        };
        [first, Port::of("/dev/ttyS0")]
    }

    fn board(address: &str) -> Board {
        Board {
            pid: 7,
            address: address.into(),
            kind: "virtual".into(),
            about: "Tetris".into(),
            start: None,
        }
    }

    /// The kind, the backend and whether it is probed.
    fn rows(found: &[Found]) -> Vec<(Kind, &str, bool)> {
        let found = found.iter();
        found.map(|f| (f.kind, &*f.backend, f.probed)).collect()
    }

    #[test]
    fn named_ports_are_probed_once() {
        use Kind::{Serial, Tcp, Usb, Virtual};
        let (ports, boards) = (ports(), [board("/run/board"), board("tcp:127.0.0.1:5000")]);
        let mut found = listed(&ports, &boards);
        let mut expected = vec![
            (Usb, "serial:/dev/ttyUSB1", true),
            (Serial, "serial:/dev/ttyS0", false),
            (Virtual, "serial:/run/board", true),
            (Virtual, "tcp:127.0.0.1:5000", true),
        ];
        assert_eq!(rows(&found), expected);
        let mut named = |texts: &str| {
            for text in texts.split(' ') {
                let place = place::<Tetris>(text).unwrap_or_else(|e| panic!("{text}: {e}"));
                name(&mut found, &place, &ports);
            }
        };
        named("/dev/ttyUSB1 serial:/dev/ttyS0 0403:6010:A /run/board tcp:127.0.0.1:5000");
        // Another name of the same address.
        named("tcp:localhost:5000");
        named("/dev/ttyS0,start=9600 serial:/run/board,start=9600");
        named("/dev/ttyUSB7 tcp:[::1]:80 0403:6001");
        expected[1] = (Serial, "serial:/dev/ttyS0,start=9600", true);
        expected[2] = (Virtual, "serial:/run/board,start=9600", true);
        expected.extend([
            (Serial, "serial:/dev/ttyUSB7", true),
            (Tcp, "tcp:[::1]:80", true),
            (Usb, "serial:0403:6001", false),
        ]);
        assert_eq!(rows(&found), expected);
        assert_eq!([found[1].baud, found[2].baud], [Some(9600); 2]);
        let error = found[6].error.as_deref().expect("not plugged in");
        assert!(error.contains("no such USB device"), "{error}");
        for text in [
            "/dev/ttyS0,rate=9600",
            "/dev/ttyS0,start=fast",
            "tcp:host:1,start=9600",
        ] {
            assert!(place::<Tetris>(text).is_err(), "{text}");
        }
    }
}
