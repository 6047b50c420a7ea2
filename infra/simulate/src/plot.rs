//! The days as a picture: who lives, how well, how high, and who died.

use std::path::Path;

use anyhow::{Result, anyhow};
use plotters::{coord::Shift, prelude::*};

use crate::Day;

const SIZE: (u32, u32) = (1200, 800);
const FONT: (&str, u32) = ("sans-serif", 18);
const COLORS: [RGBColor; 5] = [
    RGBColor(120, 144, 156),
    RGBColor(66, 165, 245),
    RGBColor(102, 187, 106),
    RGBColor(255, 167, 38),
    RGBColor(171, 71, 188),
];

type Area<'a> = DrawingArea<SVGBackend<'a>, Shift>;

/// Writes the picture.
///
/// # Errors
/// It cannot be written there.
pub fn draw(days: &[Day], file: &Path) -> Result<()> {
    let root = SVGBackend::new(file, SIZE).into_drawing_area();
    root.fill(&WHITE).map_err(failed)?;
    let panels = root.split_evenly((2, 2));
    let count = |of: fn(&Day) -> usize| days.iter().map(|it| of(it) as f64).collect::<Vec<_>>();
    let names: Vec<_> =
        days.iter().take(1).flat_map(|it| &it.sizes).map(|it| it.members.to_string()).collect();
    let alive = |at: usize| days.iter().map(|it| it.sizes[at].alive as f64).collect::<Vec<_>>();
    let sizes: Vec<_> = names.iter().enumerate().map(|(at, name)| (name.as_str(), alive(at))).collect();
    lines(&panels[0], "Circles alive, by the members they began with", &sizes)?;
    let percentile = |part| days.iter().map(|it| it.percentile(part) as f64).collect::<Vec<_>>();
    let percents = [("10 %", percentile(10)), ("half", percentile(50)), ("90 %", percentile(90))];
    lines(&panels[1], "HP in percent, by part of the circles that have no more", &percents)?;
    let level = |at: usize| days.iter().map(|it| it.levels[at] as f64).collect::<Vec<_>>();
    let levels = ["level 1", "level 2", "level 3", "level 4", "level 5"];
    let levels: Vec<_> = levels.into_iter().enumerate().map(|(at, name)| (name, level(at))).collect();
    lines(&panels[2], "Levels of those alive", &levels)?;
    bars(&panels[3], "Deaths a day", &count(|it| it.deaths))?;
    root.present().map_err(failed)
}

fn lines(area: &Area<'_>, caption: &str, series: &[(&str, Vec<f64>)]) -> Result<()> {
    let most = series.iter().flat_map(|(_, values)| values).copied().fold(1.0, f64::max);
    let days = series.first().map_or(1, |(_, values)| values.len()).max(1) as f64;
    let mut chart = ChartBuilder::on(area)
        .caption(caption, FONT)
        .margin(12)
        .x_label_area_size(28)
        .y_label_area_size(48)
        .build_cartesian_2d(1.0..days.max(2.0), 0.0..most * 1.05)
        .map_err(failed)?;
    chart.configure_mesh().light_line_style(WHITE).x_desc("day").draw().map_err(failed)?;
    for ((name, values), color) in series.iter().zip(COLORS.iter().cycle()) {
        let points = values.iter().enumerate().map(|(day, value)| (day as f64 + 1.0, *value));
        let drawn = chart.draw_series(LineSeries::new(points, color.stroke_width(2))).map_err(failed)?;
        let key = move |(x, y)| PathElement::new(vec![(x, y), (x + 16, y)], color.stroke_width(2));
        drawn.label(*name).legend(key);
    }
    if series.len() > 1 {
        let labels = chart.configure_series_labels().background_style(WHITE.mix(0.8)).draw();
        labels.map_err(failed)?;
    }
    Ok(())
}

fn bars(area: &Area<'_>, caption: &str, values: &[f64]) -> Result<()> {
    let most = values.iter().copied().fold(1.0, f64::max);
    let mut chart = ChartBuilder::on(area)
        .caption(caption, FONT)
        .margin(12)
        .x_label_area_size(28)
        .y_label_area_size(48)
        .build_cartesian_2d(0.5..values.len() as f64 + 0.5, 0.0..most * 1.05)
        .map_err(failed)?;
    chart.configure_mesh().light_line_style(WHITE).x_desc("day").draw().map_err(failed)?;
    let bar = |(day, value): (usize, &f64)| {
        let day = day as f64 + 1.0;
        Rectangle::new([(day - 0.4, 0.0), (day + 0.4, *value)], COLORS[0].filled())
    };
    chart.draw_series(values.iter().enumerate().map(bar)).map(drop).map_err(failed)
}

fn failed(cause: impl std::fmt::Display) -> anyhow::Error {
    anyhow!("the plot: {cause}")
}
