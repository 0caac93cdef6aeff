//! Calls the functions that are compiled for the instruction set of a path.

use super::core::Path;
use super::game::EngineGame;
use super::measure::Shared;
use super::scalar::{self, Choice, choose};
use super::scale::Scale;
use super::scale::{All, Core, Covered, DtFeatures, Formulas, Set, Summed};
use super::stack::{Stack, columns};
use lockstep_games::tetris::piece::Piece;

#[cfg(target_arch = "x86_64")]
use super::lanes::{
    self, Avx2, Avx2Lanes, Avx512, Avx512Lanes, Outcome, Places, Plan, Planned, Task,
};

/// A variant of the engine that this machine can run, with the proof that it can.
#[derive(Clone, Copy)]
pub(super) enum Runner {
    #[cfg(target_arch = "x86_64")]
    Avx512(Avx512),
    #[cfg(target_arch = "x86_64")]
    Avx2(Avx2),
    Portable,
}

/// Runs a task on an instruction set, with the plan for a scale.
#[cfg(target_arch = "x86_64")]
macro_rules! run {
    ($module:ident, $token:ident, $scale:ident, $size:expr, $task:expr) => {{
        // Ten columns are the most with eight places for three columns.
        let narrow = $size.columns() <= 10;
        // SAFETY: the token proves the features.
        unsafe {
            match ($scale.set, narrow) {
                (Set::Core, true) if $scale.small => {
                    $module::run::<Planned<Core, true, true>>($token, $scale, $task)
                }
                (Set::Core, true) => {
                    $module::run::<Planned<Core, false, true>>($token, $scale, $task)
                }
                (Set::Covered, true) => {
                    $module::run::<Planned<Covered, false, true>>($token, $scale, $task)
                }
                (Set::Summed, true) => {
                    $module::run::<Planned<Summed, false, true>>($token, $scale, $task)
                }
                _ => $module::run::<Planned<DtFeatures, false, false>>($token, $scale, $task),
            }
        }
    }};
}

/// Calls a function with the formulas of a set.
macro_rules! by_set {
    ($set:expr, $function:ident $arguments:tt) => {
        match $set {
            Set::Core => $function::<Core> $arguments,
            Set::Covered => $function::<Covered> $arguments,
            Set::Summed => $function::<Summed> $arguments,
            Set::DtFeatures | Set::All => $function::<All> $arguments,
        }
    };
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

    /// Replaces the board of a stack, see [`Stack::load`].
    pub(super) fn load(self, stack: &mut Stack, rows: &[u16; 32]) -> Option<bool> {
        match self {
            #[cfg(target_arch = "x86_64")]
            // SAFETY: the token proves the features.
            Runner::Avx512(token) => unsafe { avx512::load(token, stack, rows) },
            #[cfg(target_arch = "x86_64")]
            // SAFETY: the token proves the features.
            Runner::Avx2(token) => unsafe { avx2::load(token, stack, rows) },
            Runner::Portable => stack.load(rows, columns),
        }
    }

    pub(super) fn choose(self, stack: &Stack, scale: &Scale, piece: Piece) -> Option<Choice> {
        #[cfg(target_arch = "x86_64")]
        if let Some(Outcome::Chosen(choice)) = self.run(scale, Task::Choose(stack, piece)) {
            return choice;
        }
        by_set!(scale.set, choose(stack, scale, piece))
    }

    /// As [`Self::choose`], for one piece on several boards.
    pub(super) fn choose_each(
        self,
        stacks: &[Stack],
        scale: &Scale,
        piece: Piece,
        choices: &mut [Option<Choice>],
    ) {
        #[cfg(target_arch = "x86_64")]
        if let Some(Outcome::ChosenEach) = self.run(scale, Task::ChooseEach(stacks, piece, choices))
        {
            return;
        }
        for (stack, choice) in stacks.iter().zip(choices) {
            *choice = by_set!(scale.set, choose(stack, scale, piece));
        }
    }

    /// Runs a task in lanes; `None` if the portable path has to run it.
    #[cfg(target_arch = "x86_64")]
    #[inline]
    fn run(self, scale: &Scale, task: Task) -> Option<Outcome> {
        if scale.set == Set::All {
            return None;
        }
        let size = match &task {
            Task::Choose(stack, _) => stack.size,
            Task::ChooseEach(stacks, ..) => stacks.first()?.size,
            Task::Play(game, _) => game.stack.size,
        };
        match self {
            Runner::Avx512(token) => Some(run!(avx512, token, scale, size, task)),
            Runner::Avx2(token) => Some(run!(avx2, token, scale, size, task)),
            Runner::Portable => None,
        }
    }

    /// The exact change of the score by a placement, in units of [`Scale::divisor`].
    ///
    /// Diversity and max height count with their new values instead of their changes.
    pub(super) fn change(self, stack: &Stack, scale: &Scale, piece: Piece, choice: Choice) -> i64 {
        by_set!(scale.set, change(stack, scale, piece, choice))
    }

    /// Plays up to `pieces` pieces; `true` when the game is lost.
    pub(super) fn play(self, game: &mut EngineGame, scale: &Scale, pieces: u64) -> bool {
        #[cfg(target_arch = "x86_64")]
        if let Some(Outcome::Played(lost)) = self.run(scale, Task::Play(game, pieces)) {
            return lost;
        }
        game.play(pieces, |game, piece| {
            let choice = by_set!(scale.set, choose(&game.stack, scale, piece));
            choice.map(|c| (c.rotation, c.column, c.row))
        })
    }
}

fn change<F: Formulas>(stack: &Stack, scale: &Scale, piece: Piece, choice: Choice) -> i64 {
    let shared = Shared::new::<F>(stack);
    scalar::exact::<F>(stack, &shared, scale, piece, choice)
}

/// The functions compiled for AVX-512. The registers hold all values that rotations share, so one
/// function decides for all pieces.
#[cfg(target_arch = "x86_64")]
mod avx512 {
    use super::*;

    type View<'a> = lanes::View<'a, Avx512Lanes>;

    #[inline(never)]
    #[target_feature(
        enable = "avx512f,avx512vl,avx512bw,avx512cd,avx512vpopcntdq,avx2,bmi1,bmi2,lzcnt,popcnt"
    )]
    pub(super) fn run<Q: Plan>(token: Avx512, scale: &Scale, task: Task) -> Outcome {
        lanes::run::<Avx512Lanes>(token, task, |stack, piece| {
            let rows = View::rows(token, stack)?;
            let view = View::new::<Q>(token, stack, scale, &rows);
            lanes::choose_any::<Q, Avx512Lanes>(&view, piece)
        })
    }

    #[target_feature(
        enable = "avx512f,avx512vl,avx512bw,avx512cd,avx512vpopcntdq,avx2,bmi1,bmi2,lzcnt,popcnt"
    )]
    pub(super) fn load(token: Avx512, stack: &mut Stack, rows: &[u16; 32]) -> Option<bool> {
        stack.load(rows, |rows| Avx512Lanes::columns(token, rows))
    }
}

/// The functions compiled for AVX2. The values that rotations share do not fit the registers, so
/// each piece has a function: small functions take less time to compile.
#[cfg(target_arch = "x86_64")]
mod avx2 {
    use super::*;

    type View<'a> = lanes::View<'a, Avx2Lanes>;

    #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
    pub(super) fn run<Q: Plan>(token: Avx2, scale: &Scale, task: Task) -> Outcome {
        lanes::run::<Avx2Lanes>(token, task, |stack, piece| {
            choose::<Q>(token, stack, scale, piece)
        })
    }

    #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
    pub(super) fn load(token: Avx2, stack: &mut Stack, rows: &[u16; 32]) -> Option<bool> {
        stack.load(rows, |rows| Avx2Lanes::columns(token, rows))
    }

    #[inline(never)]
    #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
    fn choose<Q: Plan>(token: Avx2, stack: &Stack, scale: &Scale, piece: Piece) -> Option<Choice> {
        let rows = View::rows(token, stack)?;
        let view = View::new::<Q>(token, stack, scale, &rows);
        match piece {
            Piece::I => choose_piece::<Q, 0>(&view),
            Piece::O => choose_piece::<Q, 1>(&view),
            Piece::T => choose_piece::<Q, 2>(&view),
            Piece::S => choose_piece::<Q, 3>(&view),
            Piece::Z => choose_piece::<Q, 4>(&view),
            Piece::J => choose_piece::<Q, 5>(&view),
            Piece::L => choose_piece::<Q, 6>(&view),
        }
    }

    #[inline(never)]
    #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
    fn choose_piece<Q: Plan, const P: usize>(view: &View) -> Option<Choice> {
        lanes::choose::<Q, Avx2Lanes, P>(view, |stack, scale, piece, places| {
            clear::<Q::Formulas>(stack, scale, piece, places)
        })
    }

    #[inline(never)]
    #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
    fn clear<F: Formulas>(stack: &Stack, scale: &Scale, piece: Piece, places: &mut Places) -> i32 {
        lanes::clear::<F>(stack, scale, piece, places)
    }
}
