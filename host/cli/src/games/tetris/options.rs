//! Options of Tetris: the search, and how games are dealt.

use anyhow::bail;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use lockstep_games::tetris::position::WIDEST;
use lockstep_games::tetris::{Controller, PieceSource, Setup, Size, Tetris, program_game};
use serde::Serialize;
use strum::VariantNames as _;

use crate::games::{self, Program};
use crate::input::numbers::number;

/// The options of a controller's search.
#[derive(clap::Args, Default)]
pub struct Beam {
    /// Look ahead only from the N best placements of each piece [default: all at depth 2, 8 at
    /// depth 3]
    #[arg(long, value_name = "N", value_parser = number::<u16>(1..=255), requires = "depth")]
    pub beam: Option<u16>,
}

/// The ways to draw pieces, by name.
pub fn piece_sources() -> impl TypedValueParser<Value = PieceSource> {
    PossibleValuesParser::new(PieceSource::VARIANTS).try_map(|name| name.parse::<PieceSource>())
}

/// Whether a controller that looks ahead knows the next piece.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub enum Next {
    /// The next piece is known.
    Known,
    /// The next piece is unknown: all seven are averaged.
    Averaged,
}

/// The rules of a game.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Rules {
    /// The common rules, defined in host/games/src/tetris/README.md.
    Common,
    /// The rules of the controller's own program, with its quirks.
    Own,
}

/// The options that determine how games are dealt.
#[derive(clap::Args)]
pub struct Deal {
    /// Seed of the pieces: the same seed deals the same games everywhere
    #[arg(
        long,
        value_name = "N",
        default_value_t = 1,
        value_parser = number::<u64>(0..=u64::MAX)
    )]
    seed: u64,
    /// Columns x rows [default: the controller's own, mostly 10x20]
    #[arg(long, value_name = "SIZE")]
    board: Option<Size>,
    /// How pieces are drawn [default: the controller's own, mostly uniform]
    #[arg(long, value_name = "SOURCE", value_parser = piece_sources())]
    piece_source: Option<PieceSource>,
    /// Whether a controller that looks ahead knows the next piece [default:
    /// known]
    #[arg(long, value_name = "WHAT", value_enum)]
    next: Option<Next>,
    /// The rules of the games [default: common; own for hidamari and
    /// led-tetris, unless --board, --piece-source or --next is given]
    #[arg(long, value_name = "WHOSE", value_enum)]
    rules: Option<Rules>,
}

impl Deal {
    /// The rules of the controller's games.
    pub fn rules(&self, controller: &Controller) -> anyhow::Result<Rules> {
        let policy = controller.policy();
        let has_own = policy.is_some_and(|p| p.own_game(self.seed, 0).is_some());
        let named = self.board.is_some() || self.piece_source.is_some() || self.next.is_some();
        match self.rules {
            Some(Rules::Own) if !has_own => bail!(
                "--rules own: {} has no rules of its own; leave --rules out",
                controller.name
            ),
            Some(Rules::Own) if named => {
                bail!(
                    "--rules own: the program has its own board and pieces; leave --board, \
                     --piece-source and --next out"
                )
            }
            Some(rules) => Ok(rules),
            None if !named && policy.is_some_and(|p| p.prefers_own_game) => Ok(Rules::Own),
            None => Ok(Rules::Common),
        }
    }
}

impl games::Deal<Tetris> for Deal {
    fn setup(&self, controller: &Controller) -> anyhow::Result<Setup> {
        let board = self.board.unwrap_or_else(|| controller.board());
        controller.check_board(board)?;
        if self.next.is_some() && !controller.looks_ahead() {
            bail!(
                "--next: {} has no lookahead; add --depth 2, or leave --next out",
                controller.name
            );
        }
        let piece_source = self.piece_source;
        Ok(Setup {
            piece_source: piece_source.unwrap_or_else(|| controller.piece_source()),
            seed: self.seed,
            board,
            next_known: controller.looks_ahead() && self.next != Some(Next::Averaged),
        })
    }

    fn seed(&self) -> u64 {
        self.seed
    }

    fn check_recorded(&self, setup: &Setup) -> anyhow::Result<()> {
        if setup.board.columns() > WIDEST {
            bail!(
                "the board is {}, but a record holds at most {WIDEST} columns; leave --record out",
                setup.board
            );
        }
        Ok(())
    }

    fn own_rules(&self, controller: &Controller) -> anyhow::Result<Option<Program>> {
        let rules = self.rules(controller)?;
        let Some(policy) = controller.policy().filter(|_| rules == Rules::Own) else {
            return Ok(None);
        };
        let seed = self.seed;
        Ok(Some(Program {
            summary: policy.summary.into(),
            deal: Box::new(move |game| program_game(policy, seed, game)),
        }))
    }
}
