//! `lockstep serve`

mod buttons;
mod foreign;
mod picture;

use std::io::Write as _;
use std::path::PathBuf;

use anyhow::{Context as _, anyhow, bail};
use clap::builder::{PossibleValuesParser, TypedValueParser};
use lockstep::backend::board::START;
use lockstep::link::registry::{Registered, Registry, backend};
use lockstep_board::{
    Address, DEFAULT_PORT, Endpoint, FaultOption, LineFaults, Listen, Options, Pace, Power, Served,
    Server,
};
use lockstep_flash::Board;
use picture::PictureArgs;
use serde::Serialize;
use sim::Variant;
use sim::monitor::Connector;

use crate::games::CliGame;
use crate::games::options::{GameName, game_option};
use crate::input::numbers::number;
use crate::output::failure::quoted;
use crate::output::{Json, Outcome, plain};
use crate::run::interrupt::listen;
use crate::session::faults;

/// Default initial rate of a line whose client can set its rate, in baud: that of a board.
const SLOW: u32 = START;
/// Default rate of a line whose client cannot set it, in baud.
const FAST: u32 = 3_000_000;
/// Largest and smallest rate of any core here, in baud.
const RATES: (u64, u64) = (300, 12_500_000);

#[derive(clap::Args)]
#[command(after_help = "\
  lockstep serve --pty
  lockstep serve --pty board --baud 3000000
  lockstep serve --pty board --fault noise=1e-3,hang-up=1e-5 --fault-seed 7
  lockstep serve --listen :0 --once --json served.json
  lockstep serve --pty board --board nexys4 --png picture.png --view 8080")]
#[command(mut_arg("json", |arg| arg.help("Write the result as JSON to this file (-: to standard output, below the board's path)")))]
#[command(group(clap::ArgGroup::new("endpoint").required(true).args(["pty", "listen"])))]
pub struct Args<G: CliGame> {
    /// Serve on a pseudo-terminal, which clients open as a serial port. PATH is a symbolic link to
    /// it [default: lockstep/board-PID in $XDG_RUNTIME_DIR]
    #[arg(long, value_name = "PATH", num_args = 0..=1)]
    pty: Option<Option<PathBuf>>,
    #[arg(long, value_name = "ADDR", help = listen_help())]
    listen: Option<Listen>,
    #[command(flatten)]
    game: GameName<G>,
    #[command(flatten)]
    own: G::ServeArgs,
    /// Serve a core with this seeded fault (in a build of `make faults-build`)
    #[arg(long, value_name = "NAME")]
    core_fault: Option<String>,
    /// Serve the whole design of a board with a picture, at its pins, instead of the core alone:
    /// nexys4 (VGA) or ulx3s (DVI). Its line starts at 115200 baud
    #[arg(long, value_name = "NAME", conflicts_with = "core_fault")]
    board: Option<String>,
    #[command(flatten)]
    picture: PictureArgs,
    /// Press the board's buttons that standard input names, one a line: left, right, up, down and
    /// centre (nexys4) or fire1 and fire2 (ulx3s)
    #[arg(long, requires = "board")]
    buttons: bool,
    /// Rate of the line after power-up, in baud [default: 115200; with --listen 3000000, as a
    /// TCP client cannot set the rate]
    #[arg(long, value_name = "N", value_parser = number::<u32>(RATES.0..=RATES.1))]
    baud: Option<u32>,
    /// How fast simulated time passes: unlimited (idle time is skipped) or real (follows the wall
    /// clock; keeps a processor busy)
    #[arg(long, value_name = "PACE", value_parser = paces(), default_value = "unlimited")]
    pace: Pace,
    /// Put faults on the line, RATE being their probability at each byte: flip, drop, double,
    /// insert, noise (each of these four at a quarter of RATE), stall, hang-up, reset, rebuild; or
    /// clean-to=BAUD: above that rate one byte in ten has a bit flipped. Repeat the option, or
    /// separate several by commas
    #[arg(long = "fault", value_name = "KIND=RATE", value_delimiter = ',')]
    faults: Vec<FaultOption>,
    /// Seed of the faults: the same seed gives the same faults in each direction
    #[arg(
        long,
        value_name = "N",
        default_value_t = 1,
        value_parser = number::<u64>(0..=u64::MAX)
    )]
    fault_seed: u64,
    /// End when the first client disconnects (`lockstep boards` is a client, too)
    #[arg(long)]
    once: bool,
    #[command(flatten)]
    json: Json,
}

fn listen_help() -> String {
    format!(
        "Serve on a TCP port, one client at a time: HOST, HOST:PORT, :PORT or PORT [without a host: \
         127.0.0.1, without a port: {DEFAULT_PORT}; port 0 is any free one]"
    )
}

fn paces() -> impl TypedValueParser<Value = Pace> {
    PossibleValuesParser::new(["unlimited", "real"]).map(|name| match &*name {
        "real" => Pace::Real,
        _ => Pace::Unlimited,
    })
}

#[derive(Serialize)]
struct Document<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    core_fault: Option<&'a str>,
    build_id: String,
    address: String,
    baud: u32,
    fault_rates: LineFaults,
    fault_seed: u64,
    #[serde(flatten)]
    served: Served,
    error: Option<String>,
}

impl<G: CliGame> Args<G> {
    /// The RTL to be simulated, and the connector of its picture, if it has one.
    fn design(&self) -> anyhow::Result<(&'static Variant, Option<Connector>)> {
        let Some(name) = &self.board else {
            return Ok((self.variant()?, None));
        };
        let tops = |board: &Board| sim::boards().iter().find(|v| v.top == board.top());
        let Some((board, variant)) = Board::named(name).and_then(|b| Some((b, tops(&b)?))) else {
            let named = Board::ALL.iter().filter(|board| tops(board).is_some());
            let named: Vec<&str> = named.map(Board::name).collect();
            bail!(
                "--board {name}: expected a board with a picture: {}",
                named.join(" or ")
            );
        };
        if variant.game != G::NAME {
            bail!(
                "--board {name}: it has the core of {0}; give --game {0}",
                variant.game
            );
        }
        if let Some(baud) = self.baud.filter(|baud| *baud != SLOW) {
            bail!("--baud {baud}: the line of a board starts at {SLOW} baud; leave --baud out");
        }
        let connector = match board.word("video") {
            "dvi" => Connector::Dvi,
            _ => Connector::Vga,
        };
        Ok((variant, Some(connector)))
    }

    fn variant(&self) -> anyhow::Result<&'static Variant> {
        let fault = self.core_fault.as_deref();
        if let Some(variant) = sim::variant(G::NAME, fault) {
            return Ok(variant);
        }
        let Some(fault) = fault else {
            bail!("--game {}: there is no simulated core of it", G::NAME);
        };
        faults::check::<G>(fault).context("--core-fault")?;
        bail!(
            "--core-fault: this lockstep was built without the seeded faults; run \
             `make faults-build`"
        )
    }

    /// The endpoint for clients; creates the folder of the terminal's link, unless a path was
    /// given.
    fn endpoint(&self, registry: &Registry) -> anyhow::Result<Endpoint> {
        if let Some(listen) = &self.listen {
            return Ok(Endpoint::Tcp(listen.clone()));
        }
        let path = match self.pty.clone().flatten() {
            Some(path) => path,
            None => {
                let failed = || {
                    let folder = registry.folder().display();
                    format!("{folder} cannot be created; name another place with --pty PATH")
                };
                let folder = registry.make().with_context(failed)?;
                folder.join(format!("board-{}", std::process::id()))
            }
        };
        if path.as_os_str().is_empty() {
            bail!("--pty: the path is empty; give one, or --pty without a path");
        }
        // Clients are in other folders.
        let absolute = std::path::absolute(&path);
        let path = absolute.with_context(|| format!("--pty {}", path.display()))?;
        Ok(Endpoint::Terminal(path))
    }

    fn options(&self, registry: &Registry) -> anyhow::Result<Options> {
        let (variant, monitor) = self.design()?;
        let default = match (&self.listen, monitor) {
            (Some(_), None) => FAST,
            _ => SLOW,
        };
        let faults = LineFaults::of(&self.faults).map_err(|why| anyhow!("--fault: {why}"))?;
        if monitor.is_some() && faults.rebuild > 0.0 {
            bail!(
                "--fault rebuild: the build id of a board is fixed; leave rebuild or --board out"
            );
        }
        Ok(Options {
            power: Power {
                variant,
                baud: self.baud.unwrap_or(default),
                pace: self.pace,
                monitor: monitor.filter(|_| self.picture.is_shown()),
            },
            faults,
            fault_seed: self.fault_seed,
            once: self.once,
            endpoint: self.endpoint(registry)?,
        })
    }
}

/// Serves until a signal ends it, with exit status 0.
pub async fn run<G: CliGame>(args: &Args<G>, quiet: bool) -> anyhow::Result<Outcome> {
    args.json.check(&[])?;
    let registry = Registry::shared();
    if let Some(foreign) = G::foreign(&args.own)? {
        let endpoint = args.endpoint(&registry)?;
        let baud = args.baud.unwrap_or(SLOW);
        return foreign::run(&foreign, &endpoint, baud, args.once, quiet).await;
    }
    let options = args.options(&registry)?;
    let picture = args.picture.open()?;
    // Before there is anything to clear away.
    let stop = listen();
    let mut server = Server::open(&options).await?;
    let address = server.address().clone();
    let registered = register(&registry, &options, &address);
    announce::<G>(&options, &address, quiet)?;
    let screen = server.screen();
    let board = args.board.as_deref().and_then(Board::named);
    if let Some(board) = board.filter(|_| args.buttons) {
        buttons::press_named(board, server.buttons());
    }
    let ended = tokio::select! {
        ended = server.run(&stop) => ended.map_err(Into::into),
        Err(why) = picture.show(screen, quiet) => Err(why),
    };
    let served = server.served();
    // The link and the registry's file go before the last word.
    drop(server);
    drop(registered);
    if !quiet {
        anstream::eprintln!("{}", summary(&served));
    }
    let document = Document {
        core_fault: args.core_fault.as_deref(),
        build_id: build_id(&options),
        address: address.to_string(),
        baud: options.power.baud,
        fault_rates: options.faults,
        fault_seed: options.fault_seed,
        served,
        error: ended.as_ref().err().map(|why| format!("{why:#}")),
    };
    args.json.document("serve", Some(G::NAME), &document)?;
    ended?;
    Ok(Outcome::Agreed)
}

fn build_id(options: &Options) -> String {
    format!("{:08x}", options.power.variant.build_id)
}

/// Registers the board, so that `boards` and `info` find it; a failure is only reported.
fn register(registry: &Registry, options: &Options, address: &Address) -> Option<Registered> {
    let about = format!(
        "{}, RTL build {}, {} baud",
        options.power.variant.game,
        build_id(options),
        options.power.baud
    );
    let start = start(options, address);
    match registry.register(&registered_as(address), &about, start) {
        Ok(registered) => Some(registered),
        Err(error) => {
            let folder = registry.folder().display();
            anstream::eprintln!("`lockstep boards` will not find it: {folder}: {error}");
            None
        }
    }
}

/// The initial rate of the line, if the client can set the rate.
fn start(options: &Options, address: &Address) -> Option<u32> {
    matches!(address, Address::Terminal(_)).then_some(options.power.baud)
}

fn registered_as(address: &Address) -> String {
    match address {
        Address::Terminal(_) => address.to_string(),
        Address::Tcp(_) => format!("tcp:{address}"),
    }
}

/// Prints the board's name for `boards` and `info` on the first line, then how to connect.
fn announce<G: CliGame>(options: &Options, address: &Address, quiet: bool) -> anyhow::Result<()> {
    let name = registered_as(address);
    let mut out = plain();
    writeln!(out, "{name}")?;
    out.flush()?;
    if quiet {
        return Ok(());
    }
    let backend = quoted(backend(&name, start(options, address)));
    let baud = options.power.baud;
    let fault = options.power.variant.fault;
    let fault = fault.map_or(String::new(), |name| format!(" with the fault {name}"));
    anstream::eprintln!(
        "virtual board: {}, RTL build {}{fault}, {baud} baud after power-up",
        options.power.variant.game,
        build_id(options)
    );
    let game = game_option::<G>();
    anstream::eprintln!("to connect: lockstep play{game} --backend software --backend {backend}");
    warn_of_others(address);
    Ok(())
}

fn warn_of_others(address: &Address) {
    if !address.is_local() {
        anstream::eprintln!(
            "warning: anybody who can connect to {address} can use this board, and nothing is \
             encrypted; 127.0.0.1 is for this machine alone"
        );
    }
}

fn summary(served: &Served) -> String {
    let mut text = format!(
        "served {}: {} received, {} sent, {}",
        plural(served.clients, "client"),
        plural(served.received, "byte"),
        plural(served.sent, "byte"),
        plural(served.decisions, "decision"),
    );
    let faults = served.faults.named();
    if !faults.is_empty() {
        let each = faults.iter().map(|(name, count)| format!("{name} {count}"));
        text += &format!("; faults: {}", each.collect::<Vec<_>>().join(", "));
    }
    text
}

fn plural(count: u64, what: &str) -> String {
    let ending = if count == 1 { "" } else { "s" };
    format!("{count} {what}{ending}")
}
