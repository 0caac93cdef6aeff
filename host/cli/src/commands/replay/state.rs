//! The state of a replay: the answers of chunks that were replayed before.

use std::collections::BTreeMap;

use anyhow::{Context as _, bail};
use lockstep::Identity;
use lockstep::replay::KeptChunk;
use lockstep_games::ShardHeader;
use lockstep_lab::files::checksum;
use lockstep_lab::journal::{Journal, JournalKind};
use serde_json::json;

use super::Args;
use super::files::Recorded;
use crate::games::CliGame;

/// The answers of earlier runs by chunk.
type Kept<G> = BTreeMap<u64, KeptChunk<G>>;

const KIND: JournalKind = JournalKind {
    command: "replay",
    option: "--state",
    earlier: "lockstep_replay",
};

impl<G: CliGame> Args<G> {
    /// The journal, and the answers in it by chunk, if the answers are kept.
    pub(super) fn open_state(
        &self,
        records: &[Recorded<G>],
        backends: &[Identity],
        size: usize,
    ) -> anyhow::Result<Option<(Journal, Kept<G>)>> {
        let Some(state) = &self.state else {
            return Ok(None);
        };
        let mut checksums = Vec::new();
        let mut chunks = 0;
        for record in records {
            let path = record.path.display();
            let Some(count) = record.count else {
                bail!("--state: {path} is not an ordinary file, so that it cannot be read again");
            };
            chunks += count.div_ceil(size as u64);
            checksums.push(checksum(&record.path).with_context(|| path.to_string())?);
        }
        let backends = backends.iter().map(|backend| {
            let build = backend.build_id();
            json!({"name": backend.name, "build_id": build})
        });
        let settings = json!({
            "game": G::NAME,
            "records": checksums,
            "backends": backends.collect::<Vec<_>>(),
        });
        let shard = self
            .shard
            .map(|shard| ShardHeader::new(shard, chunks, "chunk"));
        let (journal, kept) =
            Journal::open::<KeptChunk<G>>(KIND, state, &settings, shard, self.fresh)?;
        let kept = kept.into_iter().map(|kept| (kept.chunk, kept)).collect();
        Ok(Some((journal, kept)))
    }
}
