//! The attempts of the benches.

use super::Finding;

/// The benches of the RTL's modules, if this build has them.
#[derive(Clone, Copy)]
pub struct Benches(Linked);

#[cfg(feature = "faults")]
#[derive(Clone, Copy)]
struct Linked;

/// There are none in this build.
#[cfg(not(feature = "faults"))]
#[derive(Clone, Copy)]
enum Linked {}

impl Benches {
    /// `None` in a build without the feature `faults`.
    pub fn linked() -> Option<Self> {
        #[cfg(feature = "faults")]
        return Some(Self(Linked));
        #[cfg(not(feature = "faults"))]
        return None;
    }

    /// A seeded fault on the benches of the modules that it is in, those modules' own
    /// before those that they are only a part of: the first that finds it, or what the
    /// last one says. `None` when those modules have none.
    pub fn in_its_module(&self, fault: &str, modules: &[&str]) -> Option<Finding> {
        self.0.in_its_module(fault, modules)
    }

    /// A fault (`None`: none) on the bench of the whole core.
    pub fn in_the_core(&self, fault: Option<&str>) -> Finding {
        self.0.in_the_core(fault)
    }
}

#[cfg(not(feature = "faults"))]
impl Linked {
    fn in_its_module(&self, _: &str, _: &[&str]) -> Option<Finding> {
        match *self {}
    }

    fn in_the_core(&self, _: Option<&str>) -> Finding {
        match *self {}
    }
}

#[cfg(feature = "faults")]
impl Linked {
    fn in_its_module(&self, fault: &str, modules: &[&str]) -> Option<Finding> {
        let of = lockstep_testbench::BENCHES.iter();
        let of = of.filter(|bench| bench.is_of(modules));
        let (own, others): (Vec<_>, Vec<_>) = of.partition(|bench| modules.contains(&bench.name));
        let mut last = None;
        for bench in own.into_iter().chain(others) {
            let finding = attempt(bench, Some(fault));
            if finding.found.is_some() {
                return Some(finding);
            }
            last = Some(finding);
        }
        last
    }

    fn in_the_core(&self, fault: Option<&str>) -> Finding {
        attempt(&lockstep_testbench::CORE, fault)
    }
}

/// Runs with different seeds until one finds something.
#[cfg(feature = "faults")]
fn attempt(bench: &lockstep_testbench::Bench, fault: Option<&str>) -> Finding {
    use lockstep_testbench::Failure;
    use sim::SimError;

    use super::Found;

    const SEEDS: u64 = 4;

    let failure = (0..SEEDS).find_map(|seed| bench.run(fault, seed).err());
    let (after, found) = match failure {
        None => (0, None),
        Some(Failure::Differs { cycle, what }) => (cycle, Some(Found::Differs(what))),
        Some(Failure::Sim(SimError::Stopped { cycle, why })) => {
            (cycle, Some(Found::Assertion(why)))
        }
        Some(Failure::Sim(e)) => (0, Some(Found::Stuck(e.to_string()))),
    };
    Finding {
        by: bench.name.into(),
        after,
        found,
    }
}
