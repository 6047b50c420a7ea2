//! Removes all elements from WebM files, except the elements that a player needs for picture and sound. Void elements
//! replace the removed elements.

use std::{collections::BTreeSet, ops::Range};

use super::{
    codecs::{self, Change},
    element::{CLUSTER, Element, Id, SEGMENT, track_of_block, void},
};

/// An ID that represents the file itself. No element has this ID.
const FILE: Id = 0;
const EBML: Id = 0x1A45_DFA3;
const INFO: Id = 0x1549_A966;
const MUXING_APP: Id = 0x4D80;
const WRITING_APP: Id = 0x5741;
const TRACKS: Id = 0x1654_AE6B;
const TRACK: Id = 0xAE;
const TRACK_NUMBER: Id = 0xD7;
const TRACK_TYPE: Id = 0x83;
const CODEC: Id = 0x86;
const CODEC_SETTINGS: Id = 0x63A2;
const VIDEO: Id = 0xE0;
const AUDIO: Id = 0xE1;
const SIMPLE_BLOCK: Id = 0xA3;
const BLOCK_GROUP: Id = 0xA0;
const BLOCK: Id = 0xA1;
/// Types of the tracks that stay: video and audio. Subtitles and metadata can name a place.
const SHOWN: [u64; 2] = [1, 2];
/// Maximum number of elements in a file. A higher number indicates an attack.
const ELEMENTS_MAX: usize = 4_000_000;
/// The elements that stay, by parent. Tags, attachments, chapters, titles, names and dates are removed. Checksums that
/// cover removed elements are also removed.
const ALLOWED: [(Id, &[Id]); 10] = [
    (FILE, &[EBML, SEGMENT]),
    // Versions and lengths, and the type of the file.
    (EBML, &[0x4286, 0x42F7, 0x42F2, 0x42F3, 0x4282, 0x4287, 0x4285]),
    // A cluster of unknown length ends at the next cluster. Its content is therefore read as children of the segment.
    (
        SEGMENT,
        &[0x114D_9B74, INFO, TRACKS, CLUSTER, 0x1C53_BB6B, 0xE7, 0xA7, 0xAB, SIMPLE_BLOCK, BLOCK_GROUP],
    ),
    // Time unit, duration, and the names of the programs that wrote the file. The file must have these names, but they
    // can be empty.
    (INFO, &[0x2A_D7B1, 0x4489, MUXING_APP, WRITING_APP]),
    (TRACKS, &[TRACK]),
    // Number, UID, type, flags, durations, language, codec, and settings of video and audio.
    (
        TRACK,
        &[
            TRACK_NUMBER,
            0x73C5,
            TRACK_TYPE,
            0xB9,
            0x88,
            0x55AA,
            0x9C,
            0x6DE7,
            0x6DF8,
            0x23_E383,
            0x23_4E7A,
            0x23_314F,
            0x55EE,
            0x41E4,
            0x22_B59C,
            0x22_B59D,
            CODEC,
            CODEC_SETTINGS,
            0x56AA,
            0x56BB,
            VIDEO,
            AUDIO,
            0x6D80,
        ],
    ),
    // Interlacing, stereo and alpha mode, sizes of the picture, colors, and projection.
    (
        VIDEO,
        &[
            0x9A, 0x9D, 0x53B8, 0x53C0, 0xB0, 0xBA, 0x54AA, 0x54BB, 0x54CC, 0x54DD, 0x54B0, 0x54BA, 0x54B2,
            0x54B3, 0x55B0, 0x7670,
        ],
    ),
    // Sampling frequencies, channels, and bits per sample.
    (AUDIO, &[0xB5, 0x78B5, 0x9F, 0x6264]),
    // Block, duration, referenced blocks, priority, and padding. Additions to a block can contain text.
    (BLOCK_GROUP, &[BLOCK, 0x9B, 0xFB, 0xFA, 0x75A2]),
    // Time, position, size of the previous cluster, and blocks.
    (CLUSTER, &[0xE7, 0xA7, 0xAB, SIMPLE_BLOCK, BLOCK_GROUP]),
];

/// The parts of the file that will be overwritten.
#[derive(Default)]
struct Plan {
    elements: usize,
    voids: Vec<Range<usize>>,
    blank: Vec<Range<usize>>,
    /// Positions of comments, and the bytes that replace them.
    comments: Vec<(usize, Vec<u8>)>,
    shown_tracks: BTreeSet<u64>,
    /// Each block, with the number of its track.
    blocks: Vec<(u64, Range<usize>)>,
}

/// Overwrites all elements that a player does not need. Returns `None` if the elements are inconsistent, or if no track
/// remains. In these cases, the file is not changed.
pub(super) fn strip(file: &mut [u8]) -> Option<()> {
    let mut plan = Plan::default();
    plan.walk(file, FILE, 0..file.len())?;
    if plan.shown_tracks.is_empty() {
        return None;
    }
    let hidden = plan.blocks.into_iter().filter(|(track, _)| !plan.shown_tracks.contains(track));
    for range in plan.voids.into_iter().chain(hidden.map(|(_, range)| range)) {
        void(file.get_mut(range)?)?;
    }
    for range in plan.blank {
        file.get_mut(range)?.fill(0);
    }
    for (at, comment) in plan.comments {
        file.get_mut(at..at + comment.len())?.copy_from_slice(&comment);
    }
    Some(())
}

impl Plan {
    fn walk(&mut self, file: &[u8], parent: Id, mut rest: Range<usize>) -> Option<()> {
        while !rest.is_empty() {
            let element = Element::at(file, rest.clone())?;
            self.elements += 1;
            if self.elements > ELEMENTS_MAX {
                return None;
            }
            rest.start = element.range().end;
            self.take(file, parent, &element)?;
        }
        Some(())
    }

    fn take(&mut self, file: &[u8], parent: Id, element: &Element) -> Option<()> {
        match element.id {
            id if !allowed_in(parent).is_some_and(|ids| ids.contains(&id)) => {
                self.voids.push(element.range())
            }
            MUXING_APP | WRITING_APP => self.blank.push(element.content()),
            TRACK => self.take_track(file, element)?,
            SIMPLE_BLOCK => self.take_block(file, element, element)?,
            BLOCK_GROUP => {
                self.take_block(file, element, &element.child(file, BLOCK)?)?;
                self.walk(file, BLOCK_GROUP, element.content())?;
            }
            id if allowed_in(id).is_some() => self.walk(file, id, element.content())?,
            _ => {}
        }
        Some(())
    }

    fn take_track(&mut self, file: &[u8], track: &Element) -> Option<()> {
        let integer = |id| track.child(file, id)?.integer(file);
        if !SHOWN.contains(&integer(TRACK_TYPE)?) {
            self.voids.push(track.range());
            return Some(());
        }
        self.shown_tracks.insert(integer(TRACK_NUMBER)?);
        self.take_settings(file, track)?;
        self.walk(file, TRACK, track.content())
    }

    /// Plans to remove the text from the settings of a track's codec.
    fn take_settings(&mut self, file: &[u8], track: &Element) -> Option<()> {
        let Some(settings) = track.child(file, CODEC_SETTINGS) else { return Some(()) };
        let codec = track.child(file, CODEC).and_then(|codec| file.get(codec.content())).unwrap_or_default();
        // Some programs pad the name of the codec with zeros.
        let codec = codec.split(|byte| *byte == 0).next().unwrap_or_default();
        match codecs::change(codec, file.get(settings.content())?)? {
            Change::Keep => {}
            Change::Remove => self.voids.push(settings.range()),
            Change::Replace(range, comment) => {
                self.comments.push((settings.content().start + range.start, comment))
            }
        }
        Some(())
    }

    fn take_block(&mut self, file: &[u8], element: &Element, block: &Element) -> Option<()> {
        let track = track_of_block(file.get(block.content())?)?;
        self.blocks.push((track, element.range()));
        Some(())
    }
}

fn allowed_in(id: Id) -> Option<&'static [Id]> {
    ALLOWED.iter().find(|(parent, _)| *parent == id).map(|(_, ids)| *ids)
}
