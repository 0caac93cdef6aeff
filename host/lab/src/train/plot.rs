//! Plots the progress of a training run.

use std::ops::Range;

use plotters::coord::ranged1d::ValueFormatter;
use plotters::coord::types::RangedCoordf64;
use plotters::prelude::*;

use super::training::Training;

const SIZE: (u32, u32) = (900, 540);
const BEST: RGBColor = RGBColor(0x1f, 0x77, 0xb4);
const MEAN: RGBColor = RGBColor(0xe0, 0x7b, 0x1a);
/// Lower end of a logarithmic axis, in lines a game.
const LOWEST: f64 = 0.1;
/// Ratio of highest to lowest value above which the axis is logarithmic.
const DECADES: f64 = 50.0;

/// An SVG of best and mean lines a game over the generations.
///
/// # Errors
/// The reason why it cannot be drawn.
pub fn svg(training: &Training) -> Result<String, String> {
    let lines = training.history.iter().flat_map(|g| [g.best, g.mean]);
    let chosen = training.chosen.as_ref().map(|c| c.lines);
    let (mut low, mut high) = (f64::INFINITY, 0.0_f64);
    for value in lines.chain(chosen) {
        low = low.min(value);
        high = high.max(value);
    }
    let (low, high) = (low.min(high), high.max(1.0));
    let mut text = String::new();
    let drawn = if high / low.max(LOWEST) > DECADES {
        let axis: LogCoord<f64> = (low.max(LOWEST)..high * 1.5).log_scale().into();
        draw(&mut text, training, axis, low.max(LOWEST))
    } else {
        let axis: RangedCoordf64 = (0.0..high * 1.05).into();
        draw(&mut text, training, axis, 0.0)
    };
    drawn.map_err(|e| e.to_string())?;
    Ok(text)
}

fn draw<Y>(
    text: &mut String,
    training: &Training,
    axis: Y,
    low: f64,
) -> Result<(), Box<dyn std::error::Error>>
where
    Y: Ranged<ValueType = f64> + ValueFormatter<f64>,
{
    let area = SVGBackend::with_string(text, SIZE).into_drawing_area();
    area.fill(&WHITE)?;
    let settings = &training.settings;
    let title = format!(
        "{}, {}, {}: lines a game",
        settings.method, settings.controller_features, settings.board
    );
    let last = (training.history.len().max(2)) as f64;
    let generations: Range<f64> = 1.0..last;
    let mut chart = ChartBuilder::on(&area)
        .caption(title, ("sans-serif", 20))
        .margin(16)
        .x_label_area_size(44)
        .y_label_area_size(76)
        .build_cartesian_2d(generations, axis)?;
    chart
        .configure_mesh()
        .x_desc("generation")
        .y_desc(format!("lines a game, mean of {}", settings.games))
        .x_label_formatter(&|x| format!("{x:.0}"))
        .y_label_formatter(&|y| label(*y))
        .label_style(("sans-serif", 14))
        .light_line_style(WHITE)
        .draw()?;
    let history = || training.history.iter().zip(1..);
    let best = history().map(|(g, x)| (f64::from(x), g.best.max(low)));
    let mean = history().map(|(g, x)| (f64::from(x), g.mean.max(low)));
    let swatch = |colour: RGBColor| {
        move |(x, y): (i32, i32)| PathElement::new([(x, y), (x + 18, y)], colour.stroke_width(2))
    };
    chart
        .draw_series(LineSeries::new(best, BEST.stroke_width(2)))?
        .label("best of the generation")
        .legend(swatch(BEST));
    chart
        .draw_series(LineSeries::new(mean, MEAN.stroke_width(2)))?
        .label("mean of the generation")
        .legend(swatch(MEAN));
    if let Some(chosen) = &training.chosen {
        let level = chosen.lines.max(low);
        chart
            .draw_series(LineSeries::new([(1.0, level), (last, level)], BLACK))?
            .label(format!(
                "chosen: {:.1} over {} fresh games",
                chosen.lines, chosen.games
            ))
            .legend(swatch(BLACK));
    }
    chart
        .configure_series_labels()
        .position(SeriesLabelPosition::LowerRight)
        .background_style(WHITE.mix(0.8))
        .label_font(("sans-serif", 14))
        .draw()?;
    area.present()?;
    Ok(())
}

/// The label of a tick: no decimals from 10 on.
fn label(y: f64) -> String {
    if y >= 10.0 || y.fract() == 0.0 {
        format!("{y:.0}")
    } else {
        format!("{y:.1}")
    }
}

#[cfg(test)]
mod tests {
    use super::super::functions::settings;
    use super::super::optimiser::Generation;
    use super::super::settings::Method;
    use super::*;

    fn drawn(bests: &[f64]) -> String {
        let mut training = Training::new(settings(Method::Cmaes, 3));
        let generation = |&best: &f64| Generation {
            best,
            mean: best / 2.0,
        };
        training.history = bests.iter().map(generation).collect();
        svg(&training).unwrap()
    }

    #[test]
    fn svg_of_extreme_values_is_valid() {
        for bests in [&[][..], &[0.0], &[5.0], &[0.0, 0.0], &[0.0, 1e9]] {
            let svg = drawn(bests);
            assert!(svg.starts_with("<svg") && svg.trim_end().ends_with("</svg>"));
            assert!(!svg.contains("NaN") && !svg.contains("inf"), "{bests:?}");
        }
    }
}
