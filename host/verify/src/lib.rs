//! Benches of the RTL: each drives one module with random gaps and stalls, and compares it with a
//! plain model in every clock cycle. So a fault is found close to its cause, and a new core can be
//! tested before the RTL around it exists.
//!
//! Read in this order:
//! - [`Trial`]: one run of a bench, with access to ports by name; `random`: its stimulus; `stream`:
//!   the two ends of a valid/ready pair; `game_port`: the members of the game port's structs.
//! - [`BENCHES`]: the benches of modules, whose models `rtl/benches.txt` and the boards' tables list;
//!   `counter` is the shortest.
//! - `cobs`, `frames`, `uart`, `line`, `replies`, `command`: the link. `kit`, `buffer`: the parts
//!   of a reader. `tetris`, `connect4`, `gomoku`, `play`, `draws`: the games; `search`: what those
//!   that search have in common. `bus`, `board`: the chips. `video`: a game's picture.
//! - [`CORES`]: the benches of whole cores, in `core` and `search`.
//! - [`coverage`]: measures the RTL that benches and whole games reach; [`faults`]: finds out which
//!   seeded faults the benches detect.

mod board;
mod buffer;
mod bus;
mod cobs;
mod command;
mod connect4;
mod core;
mod counter;
pub mod coverage;
mod draws;
pub mod faults;
mod frames;
mod game_port;
mod gomoku;
mod kit;
pub mod line;
mod play;
mod random;
mod replies;
mod search;
mod stream;
mod tetris;
mod trial;
mod uart;
mod video;

pub use trial::Trial;
pub use video::whole::shows_decision;

use std::fmt::Debug;
use std::sync::LazyLock;

use lockstep_games::connect4::Connect4;
use lockstep_games::gomoku::Gomoku;
use lockstep_games::tetris::timing::Core;
use protocol::layout::WINDOW;
use random::Random;
use sim::SimError;
use video::painter::{self, Layout};
use video::timing;

/// A bench of a module or of a whole core.
#[derive(Debug, Clone, Copy)]
pub struct Bench {
    /// Name of the module, as in `rtl/benches.txt`; `core` for a whole core.
    pub name: &'static str,
    /// The modules that it contains, separated by spaces.
    pub inside: &'static str,
    stimulus: Stimulus,
}

#[derive(Debug, Clone, Copy)]
enum Stimulus {
    Module(Run),
    Core(RunCore),
}

type Run = fn(&mut Trial) -> Result<(), Failure>;
type RunCore = fn(Option<&str>, u64) -> Result<(), Failure>;

const fn module(name: &'static str, inside: &'static str, run: Run) -> Bench {
    Bench {
        name,
        inside,
        stimulus: Stimulus::Module(run),
    }
}

const TETRIS: &str = "\
    tetris_best tetris_drop tetris_enum tetris_eval tetris_heights tetris_pkg tetris_row_step \
    tetris_rows tetris_score tetris_trace";
const TETRIS_LANES: &str = "\
    tetris_context tetris_context_by_row tetris_context_hold tetris_context_pairs \
    tetris_context_reader tetris_context_step tetris_context_sums tetris_context_wells \
    tetris_enum tetris_landing_queue tetris_lane tetris_lane_floor tetris_lane_land \
    tetris_lane_pick tetris_lane_pkg tetris_lane_score tetris_lane_side tetris_lane_wells \
    tetris_lanes tetris_lanes_ai tetris_lanes_best tetris_lanes_pkg tetris_lookahead \
    tetris_maker tetris_pkg tetris_removals tetris_score tetris_steps tetris_trace";
const BYTE_CORE: &str = "\
    cobs_decoder cobs_encoder command frame_rx frame_stats frame_tx order_pkg reply_buffer \
    request_mem request_queue stream_buffer";
const CONNECT4: &str = "connect4_pkg connect4_position connect4_win";
const CONNECT4_READER: &str = "\
    connect4_replies connect4_request reply_sender request_loader setting_register";
const GOMOKU: &str = "\
    gomoku_board gomoku_lines gomoku_maps gomoku_node gomoku_operation gomoku_pick \
    gomoku_pick_row gomoku_pkg gomoku_runs gomoku_score gomoku_shapes gomoku_value gomoku_windows";
const GOMOKU_READER: &str = "gomoku_replies gomoku_request reply_sender request_loader";
const LINK: &str = "byte_core uart_link";
const PLAY: &str = "draw_sign request_mem tetris_board";
const BUS: &str = "axil_regs tetris_fetch";
const QUEUE: &str = "request_queue";
const DVI: &str = "tmds_encoder";

/// The boards of other games beside Tetris's, in `video_picture`.
const CONNECT4_PICTURE: Layout = Layout {
    columns: 7,
    rows: 6,
    cell: 60,
    left: 14,
    top: 60,
};
const GOMOKU_PICTURE: Layout = Layout {
    columns: 15,
    rows: 15,
    cell: 28,
    left: 14,
    top: 30,
};

const fn serial(multipliers: u8) -> Core {
    Core {
        lanes: 0,
        multipliers,
    }
}

/// The benches of modules, and of the boards.
pub static BENCHES: LazyLock<Vec<Bench>> = LazyLock::new(|| {
    let board = |table: &lockstep_flash::Board| {
        module(table.top().leak(), table.word("inside"), board::run)
    };
    let boards = lockstep_flash::Board::ALL.iter().map(board);
    MODULES.iter().copied().chain(boards).collect()
});

const MODULES: &[Bench] = &[
    module("bcd_counter", "", board::parts::bcd_counter),
    module("byte_core", BYTE_CORE, core::byte_core::run),
    module("cobs_decoder", "", cobs::decoder),
    module("cobs_encoder", "stream_buffer", cobs::encoder),
    module("command", "order_pkg", command::run),
    module(
        "connect4_reader",
        CONNECT4_READER,
        search::reader::run::<Connect4>,
    ),
    module("connect4_search", CONNECT4, connect4::search::run),
    module("cosim_link", LINK, uart::hold::run),
    module("debounce", "", board::parts::debounce),
    module("draw_sign", "", draws::run),
    module("frame_rx", "cobs_decoder crc32_pkg", frames::receiver::run),
    module(
        "frame_tx",
        "cobs_encoder stream_buffer",
        frames::transmitter::run,
    ),
    module(
        "gomoku_reader",
        GOMOKU_READER,
        search::reader::run::<Gomoku>,
    ),
    module("gomoku_search", GOMOKU, gomoku::search::run),
    module("pulse_stretch", "", board::parts::pulse_stretch),
    module("reply_buffer", "", replies::run),
    module("reply_sender", "", kit::sender::run),
    module("request_loader", "", kit::loader::run),
    module("request_mem", "", frames::memory::run),
    module("request_queue", "", |t| {
        frames::queue::run(t, WINDOW.into())
    }),
    module("request_queue_1", QUEUE, |t| frames::queue::run(t, 1)),
    module("request_queue_3", QUEUE, |t| frames::queue::run(t, 3)),
    module("request_queue_16", QUEUE, |t| frames::queue::run(t, 16)),
    module("sat_counter", "", counter::run),
    module("sat_counter_17", "sat_counter", counter::wide),
    module("setting_register", "", |t| kit::setting::run(t, false)),
    module("setting_register_2", "setting_register", |t| {
        kit::setting::run(t, true)
    }),
    module("scene_receiver", "", video::scene::receiver),
    module("scene_sender", "", video::scene::sender),
    module("seven_segment", "", board::parts::seven_segment),
    module("stream_buffer", "", buffer::run),
    module("tetris_ai", TETRIS, |t| tetris::core::run(t, serial(4))),
    module("tetris_ai_1", TETRIS, |t| tetris::core::run(t, serial(1))),
    module("tetris_ai_14", TETRIS, |t| tetris::core::run(t, serial(14))),
    module("tetris_axil", BUS, bus::run),
    module("tetris_axil_example", "", bus::example::run),
    module("tetris_board", "", tetris::board::run),
    module("tetris_best", "", tetris::best::run),
    module(
        "tetris_eval",
        "tetris_row_step tetris_pkg",
        tetris::evaluation::run,
    ),
    module("tetris_games", "tetris_maker", tetris::games::run),
    module("tetris_lanes_ai_1", TETRIS_LANES, |t| {
        tetris::core::run(t, Core::with_lanes(1))
    }),
    module("tetris_lanes_ai_2", TETRIS_LANES, |t| {
        tetris::core::run(t, Core::with_lanes(2))
    }),
    module("tetris_lanes_ai_4", TETRIS_LANES, |t| {
        tetris::core::run(t, Core::with_lanes(4))
    }),
    module("tetris_lanes_ai_8", TETRIS_LANES, |t| {
        tetris::core::run(t, Core::with_lanes(8))
    }),
    module("tetris_play", PLAY, play::run),
    module("tetris_replies", "", tetris::replies::run),
    module("tetris_request", "request_loader", tetris::request::run),
    module("tetris_scene", "bcd_counter", video::tetris::run),
    module("tmds_encoder", "", video::dvi::encoder),
    module("tmds_serializer", "", video::dvi::serializer),
    module("uart_rate", "", uart::rate::run),
    module("uart_rx", "", uart::receiver::run),
    module("uart_tx", "", uart::transmitter::run),
    module("video_dvi", DVI, video::dvi::video),
    module("video_picture", "video_pkg", |t| {
        video::picture::run(t, painter::TETRIS)
    }),
    module("video_picture_connect4", "video_picture video_pkg", |t| {
        video::picture::run(t, CONNECT4_PICTURE)
    }),
    module("video_picture_gomoku", "video_picture video_pkg", |t| {
        video::picture::run(t, GOMOKU_PICTURE)
    }),
    module("video_timing", "", |t| {
        video::timing::run(t, timing::SMALL[0], timing::SMALL[1])
    }),
    module("video_timing_640", "video_timing", |t| {
        video::timing::run(t, timing::FULL[0], timing::SMALL[1])
    }),
    module("video_timing_480", "video_timing", |t| {
        video::timing::run(t, timing::SMALL[0], timing::FULL[1])
    }),
];

/// The benches of whole cores, by game. The first one of a game tries all its faults.
pub const CORES: &[(&str, Bench)] = &[
    ("connect4", whole(search::whole::run::<Connect4>)),
    ("gomoku", whole(search::whole::run::<Gomoku>)),
    ("tetris", whole(core::run)),
    ("tetris_lanes", whole(core::with_lanes)),
];

const fn whole(run: RunCore) -> Bench {
    Bench {
        name: "core",
        inside: "",
        stimulus: Stimulus::Core(run),
    }
}

/// A game's core with a seeded fault or without.
fn core_variant(game: &str, fault: Option<&str>) -> Result<&'static sim::Variant, Failure> {
    let missing = || sim::no_fault(fault.unwrap_or_default());
    Ok(sim::variant(game, fault).ok_or_else(missing)?)
}

/// The bench of a game's whole core, if there is one.
pub fn core_of(game: &str) -> Option<&'static Bench> {
    let mut cores = CORES.iter();
    cores.find_map(|(name, bench)| (*name == game).then_some(bench))
}

/// The error that a bench found.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Failure {
    /// The module differs from its plain model.
    #[error("in cycle {cycle}: {what}")]
    Differs {
        /// Clock cycle since power-up.
        cycle: u64,
        /// The difference, with the expected value.
        what: String,
    },
    /// An assertion of the module failed, or a port does not exist.
    #[error(transparent)]
    Sim(#[from] SimError),
}

impl Failure {
    /// Fails unless two values are equal in a clock cycle; `what` names them.
    fn unless_same<T: PartialEq + Debug>(
        cycle: u64,
        what: &str,
        got: &T,
        expected: &T,
    ) -> Result<(), Self> {
        if got == expected {
            return Ok(());
        }
        let what = format!("{what} is {got:x?}, expected {expected:x?}");
        Err(Self::Differs { cycle, what })
    }
}

impl Bench {
    /// Whether the bench's module is or contains one of `modules`.
    pub fn is_of(&self, modules: &[&str]) -> bool {
        let mut own = self.inside.split(' ').chain([self.name]);
        own.any(|module| modules.contains(&module))
    }

    /// Runs the bench once, with a seeded fault or without.
    ///
    /// All random values follow from the seed, also the registers' contents at power-up.
    ///
    /// # Errors
    /// The first difference or failed assertion.
    pub fn run(&self, fault: Option<&str>, seed: u64) -> Result<(), Failure> {
        match self.stimulus {
            Stimulus::Module(run) => {
                let mut random = Random::new(seed);
                let bench = sim::Bench::new(self.name, fault, random.power_up())?;
                run(&mut Trial::new(bench, random))
            }
            Stimulus::Core(run) => run(fault, seed),
        }
    }
}
