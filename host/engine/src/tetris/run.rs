//! From a path to the code that runs it: the only calls into functions compiled
//! for an instruction set.

use super::formulas::{All, Core, Covered, Formulas, Research, Set, Summed};
use super::game::Game;
use super::path::Path;
use super::scalar::{self, Choice};
use super::scale::Scale;
use super::shape::shape;
use super::stack::Stack;
use lockstep_games::tetris::piece::Piece;

#[cfg(target_arch = "x86_64")]
use super::lanes::{self, Avx2, Avx2Lanes, Avx512, Avx512Lanes, Lanes, Plan, Planned};

/// A path proved to run on this machine.
#[derive(Clone, Copy)]
pub(super) enum Runner {
    #[cfg(target_arch = "x86_64")]
    Avx512(Avx512),
    #[cfg(target_arch = "x86_64")]
    Avx2(Avx2),
    Portable,
}

/// Calls an entry point of an instruction set with the plan for a scale.
#[cfg(target_arch = "x86_64")]
macro_rules! planned {
    ($module:ident::$function:ident, $token:ident, $scale:ident, $size:expr, ($($argument:expr),*)) => {{
        // Ten columns are the most with eight places for three columns.
        let narrow = $size.columns() <= 10;
        // SAFETY: the token proves the features.
        unsafe {
            match ($scale.set, narrow) {
                (Set::Core, true) if $scale.small => {
                    $module::$function::<Planned<Core, true, true>>($token, $($argument),*)
                }
                (Set::Core, true) => {
                    $module::$function::<Planned<Core, false, true>>($token, $($argument),*)
                }
                (Set::Covered, true) => {
                    $module::$function::<Planned<Covered, false, true>>($token, $($argument),*)
                }
                (Set::Summed, true) => {
                    $module::$function::<Planned<Summed, false, true>>($token, $($argument),*)
                }
                _ => $module::$function::<Planned<Research, false, false>>($token, $($argument),*),
            }
        }
    }};
}

impl Runner {
    /// The runner of `path`, if this machine has the instructions.
    pub(super) fn new(path: Path) -> Option<Runner> {
        match path {
            #[cfg(target_arch = "x86_64")]
            Path::Avx512 => Avx512::new().map(Runner::Avx512),
            #[cfg(target_arch = "x86_64")]
            Path::Avx2 => Avx2::new().map(Runner::Avx2),
            #[cfg(not(target_arch = "x86_64"))]
            Path::Avx512 | Path::Avx2 => None,
            Path::Portable => Some(Runner::Portable),
        }
    }

    /// The best legal placement.
    pub(super) fn choose(self, stack: &Stack, scale: &Scale, piece: Piece) -> Option<Choice> {
        match (self, scale.set) {
            #[cfg(target_arch = "x86_64")]
            (Runner::Avx512(token), set) if set != Set::All => {
                planned!(
                    avx512::choose,
                    token,
                    scale,
                    stack.size,
                    (stack, scale, piece)
                )
            }
            #[cfg(target_arch = "x86_64")]
            (Runner::Avx2(token), set) if set != Set::All => {
                planned!(
                    avx2::choose,
                    token,
                    scale,
                    stack.size,
                    (stack, scale, piece)
                )
            }
            (_, Set::Core) => choose_portable::<Core>(stack, scale, piece),
            (_, Set::Covered) => choose_portable::<Covered>(stack, scale, piece),
            (_, Set::Summed) => choose_portable::<Summed>(stack, scale, piece),
            (_, Set::Research | Set::All) => choose_portable::<All>(stack, scale, piece),
        }
    }

    /// The exact change of the score by a placement, in units of
    /// [`Scale::divisor`]; of diversity and max height the whole.
    pub(super) fn change(self, stack: &Stack, scale: &Scale, piece: Piece, choice: Choice) -> i64 {
        match scale.set {
            Set::Core => scalar::exact::<Core>(stack, scale, piece, choice),
            Set::Covered => scalar::exact::<Covered>(stack, scale, piece, choice),
            Set::Summed => scalar::exact::<Summed>(stack, scale, piece, choice),
            Set::Research | Set::All => scalar::exact::<All>(stack, scale, piece, choice),
        }
    }

    /// Plays up to `pieces` pieces; `true` when one found no place.
    pub(super) fn play(self, game: &mut Game, scale: &Scale, pieces: u64) -> bool {
        match (self, scale.set) {
            #[cfg(target_arch = "x86_64")]
            (Runner::Avx512(token), set) if set != Set::All => {
                planned!(
                    avx512::play,
                    token,
                    scale,
                    game.stack.size,
                    (game, scale, pieces)
                )
            }
            #[cfg(target_arch = "x86_64")]
            (Runner::Avx2(token), set) if set != Set::All => {
                planned!(
                    avx2::play,
                    token,
                    scale,
                    game.stack.size,
                    (game, scale, pieces)
                )
            }
            (_, Set::Core) => play_portable::<Core>(game, scale, pieces),
            (_, Set::Covered) => play_portable::<Covered>(game, scale, pieces),
            (_, Set::Summed) => play_portable::<Summed>(game, scale, pieces),
            (_, Set::Research | Set::All) => play_portable::<All>(game, scale, pieces),
        }
    }
}

#[inline(never)]
fn choose_portable<F: Formulas>(stack: &Stack, scale: &Scale, piece: Piece) -> Option<Choice> {
    scalar::choose::<F>(stack, scale, piece)
}

fn play_portable<F: Formulas>(game: &mut Game, scale: &Scale, pieces: u64) -> bool {
    for _ in 0..pieces {
        let piece = game.pieces.draw();
        let choice = choose_portable::<F>(&game.stack, scale, piece);
        let lost = game.advance(choice.map(|c| (c.rotation, c.column)), |stack| {
            choice.map_or(0, |c| {
                stack.place(shape(piece, c.rotation), c.column, c.row)
            })
        });
        if lost {
            return true;
        }
    }
    false
}

/// The two entry points compiled for an instruction set.
#[cfg(target_arch = "x86_64")]
macro_rules! entry_points {
    ($name:ident, $lanes:ty, $features:literal) => {
        mod $name {
            use super::*;

            type Token = <$lanes as Lanes>::Token;

            #[target_feature(enable = $features)]
            pub(super) fn choose<Q: Plan>(
                token: Token,
                stack: &Stack,
                scale: &Scale,
                piece: Piece,
            ) -> Option<Choice> {
                lanes::choose::<Q, $lanes>(token, stack, scale, piece)
            }

            #[target_feature(enable = $features)]
            pub(super) fn play<Q: Plan>(
                token: Token,
                game: &mut Game,
                scale: &Scale,
                pieces: u64,
            ) -> bool {
                lanes::play::<Q, $lanes>(token, game, scale, pieces)
            }
        }
    };
}

#[cfg(target_arch = "x86_64")]
entry_points!(
    avx512,
    Avx512Lanes,
    "avx512f,avx512vl,avx512bw,avx512cd,avx512vpopcntdq,avx2,bmi1,bmi2,lzcnt,popcnt"
);
#[cfg(target_arch = "x86_64")]
entry_points!(avx2, Avx2Lanes, "avx2,bmi1,bmi2,lzcnt,popcnt");
