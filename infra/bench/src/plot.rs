//! Growth as a picture: a few reads in each panel, a line for each. Grey and without a ground of its own,
//! so that it is readable on a light page and on a dark one.

use std::path::Path;

use anyhow::{Result, anyhow};
use plotters::{coord::Shift, prelude::*};

use crate::growth::Measured;

const PANEL: (u32, u32) = (300, 220);
const COLUMNS: usize = 4;
const GREY: RGBColor = RGBColor(128, 128, 128);
const COLORS: [RGBColor; 4] =
    [RGBColor(31, 130, 220), RGBColor(220, 110, 20), RGBColor(60, 160, 80), RGBColor(160, 90, 200)];

type Area<'a> = DrawingArea<SVGBackend<'a>, Shift>;
type Line<'a> = (&'a str, Vec<(f64, f64)>);

/// Writes the picture.
pub(crate) fn draw(measured: &[Measured], file: &Path) -> Result<()> {
    let lines = lines(measured);
    let rows = lines.len().div_ceil(COLUMNS * COLORS.len()).max(1);
    let size = (PANEL.0 * COLUMNS as u32, PANEL.1 * rows as u32);
    let root = SVGBackend::new(file, size).into_drawing_area();
    let panels = root.split_evenly((rows, COLUMNS));
    for (area, lines) in panels.iter().zip(lines.chunks(COLORS.len())) {
        panel(area, lines)?;
    }
    root.present().map_err(failed)
}

fn lines(measured: &[Measured]) -> Vec<Line<'static>> {
    let names = measured.first().map_or(&[][..], |it| &it.reads).iter().map(|it| it.operation);
    let line = |(position, name): (usize, &'static str)| {
        let point = |it: &Measured| ((it.posts as f64).log10(), it.reads[position].processor.together());
        (name.trim_start_matches("GET "), measured.iter().map(point).collect())
    };
    names.enumerate().map(line).collect()
}

fn panel(area: &Area<'_>, lines: &[Line<'_>]) -> Result<()> {
    let points = || lines.iter().flat_map(|(_, points)| points);
    let most = points().map(|(_, taken)| *taken).fold(1.0, f64::max);
    let (from, to) = points().fold((f64::MAX, 0.0), |(low, high), (x, _)| (x.min(low), x.max(high)));
    let text = |size: i32| ("sans-serif", size).into_font().color(&GREY);
    let mut chart = ChartBuilder::on(area)
        .margin(6)
        .margin_right(24)
        .x_label_area_size(18)
        .y_label_area_size(30)
        // Room for the names of the lines.
        .build_cartesian_2d(from..to.max(from + 1.0), 0.0..most * (1.15 + 0.16 * lines.len() as f64))
        .map_err(failed)?;
    chart
        .configure_mesh()
        .disable_mesh()
        .axis_style(GREY)
        .label_style(text(11))
        .x_labels(4)
        .y_labels(4)
        .x_label_formatter(&power)
        .y_label_formatter(&|it| format!("{it:.1}"))
        .draw()
        .map_err(failed)?;
    for ((name, points), color) in lines.iter().zip(COLORS.iter().cycle()) {
        let drawn = LineSeries::new(points.iter().copied(), color.stroke_width(2)).point_size(3);
        let drawn = chart.draw_series(drawn).map_err(failed)?;
        let key = move |(x, y)| PathElement::new(vec![(x, y), (x + 12, y)], color.stroke_width(2));
        drawn.label(*name).legend(key);
    }
    let labels =
        chart.configure_series_labels().position(SeriesLabelPosition::UpperLeft).label_font(text(11)).draw();
    labels.map_err(failed)
}

/// Between powers of ten stands nothing.
fn power(exponent: &f64) -> String {
    match exponent.fract() == 0.0 {
        true => format!("{:.0}", 10_f64.powf(*exponent)),
        false => String::new(),
    }
}

fn failed(cause: impl std::fmt::Display) -> anyhow::Error {
    anyhow!("the plot: {cause}")
}
