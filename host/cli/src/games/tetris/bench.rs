//! The options of `bench` for Tetris: the engine in its own loop, and the depth of the search.

use anyhow::{Context as _, bail};
use lockstep::Spec;
use lockstep::backend::Kind;
use lockstep_backends::speed::{Contestant, Positions};
use lockstep_engine::tetris::Path;
use lockstep_games::tetris::{Controller, Linear, Tetris};

use crate::games::options::load;
use crate::games::{BenchGame, CliGame as _};
use crate::input::numbers::number;

#[derive(clap::Args)]
pub struct Options {
    /// Lookahead depth; above 1 only the engine is timed, with the next piece averaged
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = number::<u8>(1..=3))]
    depth: u8,
}

fn is_engine(spec: &Spec) -> bool {
    Tetris::backends().kind(spec) == Some(Kind::Engine)
}

/// The weights of a controller that is timed.
fn linear(controller: &Controller) -> anyhow::Result<&Linear> {
    controller.linear().with_context(|| {
        let name = &controller.name;
        format!("--controller {name}: a program is not timed; name a linear controller")
    })
}

impl BenchGame<Tetris> for Options {
    fn load(&self, name: &str) -> anyhow::Result<Controller> {
        let mut controller = load::<Tetris>(name)?;
        linear(&controller)?;
        if self.depth > 1 {
            controller = controller.with_search(self.depth, None)?;
            controller.name += &format!(" depth {}", self.depth);
        }
        Ok(controller)
    }

    fn check(&self, controller: &Controller, spec: &Spec) -> anyhow::Result<()> {
        if controller.looks_ahead() && !is_engine(spec) {
            let name = &controller.name;
            bail!(
                "--backend {spec}: {name} looks ahead, and only the engine is timed with lookahead; \
                 leave this backend out"
            );
        }
        Ok(())
    }

    fn in_its_loop(
        &self,
        controller: &Controller,
        spec: &Spec,
        threads: usize,
    ) -> anyhow::Result<Option<Vec<Contestant<Tetris>>>> {
        if !is_engine(spec) {
            return Ok(None);
        }
        let (name, linear) = (&controller.name, linear(controller)?);
        let named = spec.option("path").map(Path::named).transpose()?;
        let mut all = Vec::new();
        let paths = Path::ALL.into_iter().filter(|p| p.available());
        for path in paths.filter(|path| named.is_none_or(|n| n == *path)) {
            all.push(Contestant::engine(name, linear, path, 1)?);
        }
        if threads > 1 {
            let path = named.unwrap_or(Path::best());
            all.push(Contestant::engine(name, linear, path, threads)?);
        }
        Ok(Some(all))
    }

    fn positions(&self, controller: &Controller) -> anyhow::Result<Positions<Tetris>> {
        Ok(Positions::by_engine(linear(controller)?))
    }

    fn games(&self) -> String {
        "10x20, uniform pieces".into()
    }
}
