//! The shard that `--shard` names, of a known amount of work.

use anyhow::bail;
use lockstep_games::{Shard, ShardHeader};

/// The header of a shard's file; fails if there are fewer items than shards.
///
/// `together`: number of consecutive items that stay in one shard.
pub fn header(
    shard: Option<Shard>,
    items: u64,
    unit: &str,
    together: u64,
) -> anyhow::Result<Option<ShardHeader>> {
    let Some(number) = shard else {
        return Ok(None);
    };
    let most = items.div_ceil(together);
    if number.of() > most {
        bail!("--shard {number}: the work has {items} of {unit}; use at most {most} shards");
    }
    Ok(Some(ShardHeader {
        together,
        ..ShardHeader::new(number, items, unit)
    }))
}
