//! A histogram, and its SVG.

use lockstep::backend::wire::Bucket;
use maud::{Markup, html};

/// Puts values, each with its count, into at most `most` bars of one width; empty without values.
pub fn gather(values: &[(u64, u64)], most: u64) -> Vec<Bucket> {
    let ends = values.iter().map(|(value, _)| *value);
    let (Some(low), Some(high)) = (ends.clone().min(), ends.max()) else {
        return Vec::new();
    };
    let width = (high - low) / most.max(1) + 1;
    let bars = (high - low) / width + 1;
    let mut bars: Vec<Bucket> = (0..bars)
        .map(|bar| Bucket {
            low: low + bar * width,
            high: low + bar * width + (width - 1),
            count: 0,
        })
        .collect();
    for &(value, count) in values {
        let bar = usize::try_from((value - low) / width).unwrap_or(usize::MAX);
        if let Some(bar) = bars.get_mut(bar) {
            bar.count += count;
        }
    }
    bars
}

/// Draws bars over an axis labelled at both ends, with the count of the highest bar.
///
/// `unit` is the unit of the values, `axis` the name of their axis, `name` the label for screen
/// readers.
pub fn svg(bars: &[Bucket], unit: &str, axis: &str, name: &str) -> Markup {
    const WIDTH: f64 = 320.0;
    /// Width of the label beside the bars.
    const SIDE: f64 = 60.0;
    const HEIGHT: f64 = 72.0;

    let most = bars.iter().map(|bar| bar.count).max().unwrap_or(0).max(1);
    // A few values do not fill the width.
    let step = (WIDTH / bars.len().max(1) as f64).min(WIDTH / 12.0);
    let end = (step * bars.len() as f64).max(WIDTH / 3.0);
    let (low, high) = (bars.first().map(|b| b.low), bars.last().map(|b| b.high));
    html! {
        svg.bars viewBox=(format!("0 0 {} {}", WIDTH + SIDE, HEIGHT + 30.0)) role="img" aria-label=(name) {
            @for (index, bar) in bars.iter().enumerate().filter(|(_, bar)| bar.count > 0) {
                // Even a small count is visible.
                @let height = (HEIGHT * bar.count as f64 / most as f64).max(1.5);
                rect x=(format!("{:.1}", index as f64 * step)) y=(format!("{:.1}", HEIGHT - height))
                    width=(format!("{:.1}", (step - 1.0).max(1.0))) height=(format!("{height:.1}")) {
                    title { (range(bar)) " " (unit) ": " (crate::number(bar.count)) }
                }
            }
            // The count of the highest bar.
            text x=(format!("{:.1}", end + 4.0)) y="10" { (crate::number(most)) }
            text x=(format!("{:.1}", end + 4.0)) y="22" { "decisions" }
            text x="0" y=(HEIGHT + 26.0) { (axis) }
            line.most x1="0" y1="0.5" x2=(format!("{end:.1}")) y2="0.5" {}
            line x1="0" y1=(HEIGHT) x2=(format!("{end:.1}")) y2=(HEIGHT) {}
            @if low != high {
                text x="0" y=(HEIGHT + 12.0) { (low.map_or(String::new(), crate::number)) }
            }
            text x=(format!("{end:.1}")) y=(HEIGHT + 12.0) text-anchor="end" {
                (high.map_or(String::new(), crate::number)) " " (unit)
            }
        }
    }
}

fn range(bar: &Bucket) -> String {
    match bar {
        Bucket { low, high, .. } if low == high => crate::number(*low),
        Bucket { low, high, .. } => format!("{} to {}", crate::number(*low), crate::number(*high)),
    }
}
