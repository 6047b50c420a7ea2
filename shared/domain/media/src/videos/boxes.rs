//! Removes all boxes from MP4 and QuickTime files, except the boxes that a player needs. Removed boxes become free
//! space.

use std::ops::Range;

use super::{
    atom::{ATOMS_MAX, Atom, Kind},
    samples,
};

/// A box type that represents the file itself. No allowed box has this type.
const FILE: Kind = *b"\0\0\0\0";
/// The boxes that stay, by parent. All other boxes are removed, because cameras write locations to `udta`, `meta`,
/// `uuid` and many other boxes.
const ALLOWED: [(Kind, &[&Kind]); 6] = [
    (FILE, &[b"ftyp", b"styp", b"moov", b"mdat", b"moof", b"mfra", b"sidx", b"ssix", b"pdin"]),
    (*b"moov", &[b"mvhd", b"iods", b"trak", b"mvex", b"pssh", b"ctab", b"clip"]),
    (*b"trak", &[b"tkhd", b"tapt", b"edts", b"tref", b"trgr", b"load", b"imap", b"clip", b"matt", b"mdia"]),
    (*b"mdia", &[b"mdhd", b"hdlr", b"elng", b"minf"]),
    (*b"moof", &[b"mfhd", b"traf", b"pssh"]),
    (*b"traf", &[b"tfhd", b"tfdt", b"trun", b"sbgp", b"sgpd", b"subs", b"saiz", b"saio", b"senc"]),
];
/// Boxes that start with creation and modification times.
const DATED: [Kind; 3] = [*b"mvhd", *b"tkhd", *b"mdhd"];
/// Handlers of the tracks that stay: video and audio. Cameras and drones write locations to other kinds of tracks,
/// including captions.
const SHOWN: [Kind; 2] = [*b"vide", *b"soun"];

/// The parts of the file that will be overwritten, and the parts that stay.
#[derive(Default)]
struct Plan {
    boxes: usize,
    blank: Vec<Range<usize>>,
    free: Vec<usize>,
    has_fragments: bool,
    removes_tracks: bool,
    /// Contents of the boxes with samples, in the order of the file.
    media: Vec<Range<usize>>,
    /// Chunks of the tracks that stay.
    kept: Vec<Range<usize>>,
    has_unknown_chunks: bool,
}

/// Overwrites all boxes and tracks that a player does not need. Returns `None` if the boxes are inconsistent, or if the
/// file has both fragments and a track to remove. In these cases, the file is not changed.
///
/// Some cameras write locations between the samples. Bytes that no remaining track refers to are therefore overwritten,
/// except in files with fragments, or with a track of unknown chunks.
pub(super) fn strip(file: &mut [u8]) -> Option<()> {
    let mut plan = Plan::default();
    plan.walk(file, FILE, 0..file.len())?;
    // The samples of a removed track would stay in the fragments. Hardly any video has both fragments and a track to
    // remove.
    if plan.has_fragments && plan.removes_tracks {
        return None;
    }
    if !plan.has_fragments && !plan.has_unknown_chunks {
        plan.blank.extend(gaps(&plan.media, plan.kept));
    }
    for range in plan.blank {
        file.get_mut(range)?.fill(0);
    }
    for start in plan.free {
        file.get_mut(start..)?.get_mut(4..8)?.copy_from_slice(b"free");
    }
    Some(())
}

impl Plan {
    fn walk(&mut self, file: &[u8], parent: Kind, range: Range<usize>) -> Option<()> {
        let mut rest = range;
        while rest.len() >= Atom::HEADER {
            let atom = Atom::at(file, rest.clone())?;
            self.boxes += 1;
            if self.boxes > ATOMS_MAX {
                return None;
            }
            self.take(file, parent, atom)?;
            rest.start = atom.end;
        }
        // The remaining bytes are too short for a box. QuickTime ends lists of boxes with four zeros.
        self.blank.push(rest);
        Some(())
    }

    fn take(&mut self, file: &[u8], parent: Kind, atom: Atom) -> Option<()> {
        self.has_fragments |= (parent, atom.kind) == (FILE, *b"moof");
        match atom.kind {
            kind if !allowed_in(parent).is_some_and(|kinds| kinds.contains(&&kind)) => self.free(atom),
            kind if DATED.contains(&kind) => self.clear_dates(file, atom)?,
            kind if kind == *b"trak" && !is_shown(file, atom) => {
                self.blank.extend(samples::of_track(file, atom)?.unwrap_or_default());
                self.free(atom);
                self.removes_tracks = true;
            }
            kind if kind == *b"trak" => {
                match samples::of_track(file, atom)? {
                    Some(chunks) => self.kept.extend(chunks),
                    None => self.has_unknown_chunks = true,
                }
                self.walk(file, kind, atom.range())?;
            }
            kind if kind == *b"mdat" => self.media.push(atom.range()),
            kind if allowed_in(kind).is_some() => self.walk(file, kind, atom.range())?,
            _ => {}
        }
        (self.kept.len() + self.blank.len() <= ATOMS_MAX).then_some(())
    }

    fn free(&mut self, atom: Atom) {
        self.free.push(atom.start);
        self.blank.push(atom.range());
    }

    /// Plans to clear the creation and modification times. Each time has 4 or 8 bytes. Returns `None` if the box is too
    /// short for the times.
    fn clear_dates(&mut self, file: &[u8], atom: Atom) -> Option<()> {
        let bytes = if file.get(atom.range())?.first()? == &1 { 16 } else { 8 };
        let start = atom.content + 4;
        let end = start + bytes;
        (end <= atom.end).then(|| self.blank.push(start..end))
    }
}

/// Returns the parts of `media` that `kept` does not cover. The ranges in `media` are sorted and do not overlap.
fn gaps(media: &[Range<usize>], mut kept: Vec<Range<usize>>) -> Vec<Range<usize>> {
    kept.sort_unstable_by_key(|range| range.start);
    let mut kept = kept.into_iter().peekable();
    let mut gaps = Vec::new();
    for part in media {
        let mut at = part.start;
        while let Some(range) = kept.next_if(|range| range.end <= part.end) {
            if range.start > at {
                gaps.push(at..range.start);
            }
            at = at.max(range.end);
        }
        let end = kept.peek().map_or(part.end, |range| range.start.min(part.end));
        gaps.push(at..end.max(at));
    }
    gaps
}

fn allowed_in(kind: Kind) -> Option<&'static [&'static Kind]> {
    ALLOWED.iter().find(|(parent, _)| *parent == kind).map(|(_, kinds)| *kinds)
}

fn is_shown(file: &[u8], track: Atom) -> bool {
    let handler = track.child(file, *b"mdia").and_then(|media| media.child(file, *b"hdlr"));
    let name = handler.and_then(|handler| file.get(handler.range())?.get(8..12));
    name.is_some_and(|name| SHOWN.iter().any(|shown| shown == name))
}
