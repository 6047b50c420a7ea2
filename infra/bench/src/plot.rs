//! Plots the processor time of reads by network size. The colors are readable on light and dark pages.

use std::path::Path;

use anyhow::{Context, Result, anyhow};
use plotters::prelude::*;

use crate::growth::Measured;

const SIZE: (u32, u32) = (900, 500);
const GRAY: RGBColor = RGBColor(128, 128, 128);
const BLUE: RGBColor = RGBColor(31, 130, 220);
/// A line is labeled if it grows at least by this factor.
const LABELED_FROM: f64 = 1.5;

/// Draws the plot into `file`.
pub(crate) fn draw(measured: &[Measured], file: &Path) -> Result<()> {
    let (first, last) = measured.first().zip(measured.last()).context("nothing was measured")?;
    let cpu_time = |at: &Measured, read: usize| at.reads[read].processor.total().max(0.01);
    let factor = |at: &Measured, read: usize| cpu_time(at, read) / cpu_time(first, read);
    let factor_max = (0..first.reads.len()).map(|read| factor(last, read)).fold(2.0, f64::max);
    let size = |at: &Measured| (at.posts as f64).log10();
    let text = |size: i32| ("sans-serif", size).into_font().color(&GRAY);

    let root = SVGBackend::new(file, SIZE).into_drawing_area();
    let mut chart = ChartBuilder::on(&root)
        .caption("Processor time by number of posts, relative to the smallest network", text(14))
        .margin(8)
        .x_label_area_size(18)
        .y_label_area_size(30)
        .build_cartesian_2d(size(first)..size(last) + 1.0, 0.0..factor_max * 1.1)
        .map_err(failed)?;
    let mut mesh = chart.configure_mesh();
    let mesh = mesh.disable_mesh().axis_style(GRAY).label_style(text(11)).x_labels(4);
    mesh.x_label_formatter(&|exponent| format!("{:.0}", 10_f64.powf(*exponent))).draw().map_err(failed)?;
    for (read, name) in first.reads.iter().map(|read| read.operation).enumerate() {
        let points = measured.iter().map(|at| (size(at), factor(at, read)));
        chart.draw_series(LineSeries::new(points, BLUE.mix(0.6).stroke_width(2))).map_err(failed)?;
        if factor(last, read) >= LABELED_FROM {
            let name = Text::new(name, (size(last), factor(last, read)), text(11));
            chart.draw_series([name]).map_err(failed)?;
        }
    }
    root.present().map_err(failed)
}

fn failed(cause: impl std::fmt::Display) -> anyhow::Error {
    anyhow!("failed to draw the plot: {cause}")
}
