//! Texts in the descriptions of samples of MP4 and QuickTime files.

use std::ops::Range;

use super::atom::{Atom, Kind};

/// Offset of the first entry in a list of descriptions or of files.
const ENTRIES_AT: usize = 8;
/// Offsets of the name of the program that compressed the video, and of its end, in a description.
const NAME: Range<usize> = 42..74;
/// Offset of the boxes in a description of video samples.
const BOXES_AT: usize = 78;
/// Flags of a file in a list of files.
const FLAGS_BYTES: usize = 4;
/// The boxes that stay in a description of video samples: settings of codecs, colors, and the shape of the picture.
const ALLOWED: [Kind; 27] = [
    *b"avcC", *b"hvcC", *b"lhvC", *b"vvcC", *b"vpcC", *b"av1C", *b"dvcC", *b"dvvC", *b"dvwC", *b"mvcC",
    *b"esds", *b"d263", *b"glbl", *b"pasp", *b"clap", *b"fiel", *b"colr", *b"gama", *b"chrm", *b"clli",
    *b"mdcv", *b"btrt", *b"st3d", *b"sv3d", *b"vexu", *b"amve", *b"sinf",
];

/// The parts of a list of descriptions to remove.
pub(super) struct Texts {
    /// Names of programs.
    pub(super) names: Vec<Range<usize>>,
    /// Boxes that a player does not need.
    pub(super) others: Vec<Atom>,
}

/// Returns the texts in the descriptions of video samples.
pub(super) fn of_video(file: &[u8], list: Atom) -> Texts {
    let entries = || Atom::all(file, after(list, ENTRIES_AT));
    let name = |entry: Atom| {
        let [start, end] = [NAME.start, NAME.end].map(|at| (entry.content + at).min(entry.end));
        start..end
    };
    let boxes = |entry: Atom| Atom::all(file, after(entry, BOXES_AT));
    Texts {
        names: entries().map(name).collect(),
        others: entries().flat_map(boxes).filter(|atom| !ALLOWED.contains(&atom.kind)).collect(),
    }
}

/// Returns the addresses of files in a list of files that contain samples. The samples are in the file itself.
pub(super) fn addresses(file: &[u8], list: Atom) -> Vec<Range<usize>> {
    Atom::all(file, after(list, ENTRIES_AT)).map(|entry| after(entry, FLAGS_BYTES)).collect()
}

/// Returns the content of a box after an offset.
fn after(atom: Atom, offset: usize) -> Range<usize> {
    (atom.content + offset).min(atom.end)..atom.end
}
