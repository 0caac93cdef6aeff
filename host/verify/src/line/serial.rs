//! The serial pins of a module.

use super::{CLOCK, FrameResult, Time, Wave, frame_results, receive};
use crate::{Failure, Trial};

/// A line to a module: the names of its pins and the length of a bit.
pub(crate) struct Serial {
    pub(crate) rx: &'static str,
    pub(crate) tx: &'static str,
    pub(crate) bit: Time,
}

impl Serial {
    /// Sends bytes, then waits `wait` clock cycles; returns the received frames. `watch` is called
    /// in each cycle.
    pub(crate) fn talk(
        &self,
        trial: &mut Trial,
        bytes: &[u8],
        wait: u64,
        mut watch: impl FnMut(&Trial),
    ) -> Result<Vec<FrameResult>, Failure> {
        let since = trial.cycles();
        let mut wave = Wave::new(true);
        wave.bytes(bytes, self.bit);
        let (mut level, mut edges) = (true, Vec::new());
        for (rx, clocks) in wave.clocked().into_iter().chain([(true, wait)]) {
            for _ in 0..clocks {
                trial.put(self.rx, rx);
                trial.clock()?;
                if level != trial.is(self.tx) {
                    level = !level;
                    edges.push((trial.cycles() - since) * CLOCK);
                }
                watch(trial);
            }
        }
        let end = (trial.cycles() - since) * CLOCK;
        Ok(frame_results(&receive(
            &Wave::recorded(true, edges, end),
            self.bit,
        )))
    }
}
