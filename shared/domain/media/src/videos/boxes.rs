//! Removes all boxes from MP4 and QuickTime files, except the boxes that a player needs. Removed boxes become free
//! space.

use std::{
    collections::{BTreeMap, BTreeSet},
    mem,
    ops::Range,
};

use super::{
    atom::{ATOMS_MAX, Atom, Kind, number},
    descriptions, fragments, samples,
};

/// A box type that represents the file itself. No allowed box has this type.
const FILE: Kind = *b"\0\0\0\0";
/// The boxes that stay, by parent. All other boxes are removed, because cameras write locations to `udta`, `meta`,
/// `uuid` and many other boxes.
const ALLOWED: [(Kind, &[&Kind]); 12] = [
    (FILE, &[b"ftyp", b"styp", b"moov", b"mdat", b"moof", b"mfra", b"sidx", b"ssix", b"pdin"]),
    (*b"moov", &[b"mvhd", b"iods", b"trak", b"mvex", b"pssh", b"ctab", b"clip"]),
    (*b"trak", &[b"tkhd", b"tapt", b"edts", b"tref", b"trgr", b"load", b"imap", b"clip", b"matt", b"mdia"]),
    (*b"edts", &[b"elst"]),
    (*b"mdia", &[b"mdhd", b"hdlr", b"elng", b"minf"]),
    (*b"minf", &[b"vmhd", b"smhd", b"nmhd", b"hdlr", b"dinf", b"stbl"]),
    (*b"dinf", &[b"dref"]),
    (
        *b"stbl",
        &[
            b"stsd", b"stts", b"ctts", b"cslg", b"stsc", b"stsz", b"stz2", b"stco", b"co64", b"stss",
            b"stsh", b"padb", b"stdp", b"sdtp", b"sbgp", b"sgpd", b"subs", b"saiz", b"saio",
        ],
    ),
    (*b"mvex", &[b"mehd", b"trex", b"leva"]),
    (*b"moof", &[b"mfhd", b"traf", b"pssh"]),
    (*b"traf", &[b"tfhd", b"tfdt", b"trun", b"sbgp", b"sgpd", b"subs", b"saiz", b"saio", b"senc"]),
    (*b"mfra", &[b"tfra", b"mfro"]),
];
/// Boxes that start with creation and modification times.
const DATED: [Kind; 3] = [*b"mvhd", *b"tkhd", *b"mdhd"];
/// Handlers of the tracks that stay: video and audio. Cameras and drones write locations to other kinds of tracks,
/// including captions.
const SHOWN: [Kind; 2] = [VIDEO, *b"soun"];
const VIDEO: Kind = *b"vide";
/// Offset of the name in a handler's box. The name can contain the model of a camera.
const HANDLER_NAME_AT: usize = 24;

/// The parts of the file that will be overwritten, and the parts that stay.
#[derive(Default)]
struct Plan {
    boxes: usize,
    blank: Vec<Range<usize>>,
    free: Vec<usize>,
    fragments: Vec<Atom>,
    /// Default lengths of samples in fragments, by track.
    lengths: BTreeMap<usize, usize>,
    /// IDs of the tracks that stay.
    shown_tracks: BTreeSet<usize>,
    has_track: bool,
    /// Whether the current track is a video track.
    is_video: bool,
    /// Contents of the boxes with samples, in the order of the file.
    media: Vec<Range<usize>>,
    /// Chunks of the tracks that stay.
    kept: Vec<Range<usize>>,
    has_unknown_chunks: bool,
}

/// Overwrites all boxes and tracks that a player does not need. Returns `None` if the boxes are inconsistent, or if no
/// track remains. In these cases, the file is not changed.
///
/// Some cameras write locations between the samples. Bytes that no remaining track refers to are therefore overwritten,
/// except in files with a track of unknown chunks.
pub(super) fn strip(file: &mut [u8]) -> Option<()> {
    let mut plan = Plan::default();
    plan.walk(file, FILE, 0..file.len())?;
    plan.take_fragments(file)?;
    if !plan.has_track {
        return None;
    }
    if !plan.has_unknown_chunks {
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
        if atom.kind == *b"moof" {
            self.fragments.push(atom);
        }
        match atom.kind {
            kind if !allowed_in(parent).is_some_and(|kinds| kinds.contains(&&kind)) => self.free(atom),
            kind if DATED.contains(&kind) => self.clear_dates(file, atom)?,
            kind if kind == *b"trak" => self.take_track(file, atom)?,
            kind if kind == *b"hdlr" => {
                self.blank.push((atom.content + HANDLER_NAME_AT).min(atom.end)..atom.end);
            }
            kind if kind == *b"stsd" && self.is_video => {
                let texts = descriptions::of_video(file, atom);
                self.blank.extend(texts.names);
                texts.others.into_iter().for_each(|other| self.free(other));
            }
            kind if kind == *b"dref" => self.blank.extend(descriptions::addresses(file, atom)),
            kind if kind == *b"mdat" => self.media.push(atom.range()),
            kind if allowed_in(kind).is_some() => {
                if kind == *b"mvex" {
                    self.lengths = fragments::default_lengths(file, atom);
                }
                self.walk(file, kind, atom.range())?;
            }
            _ => {}
        }
        self.check_size()
    }

    /// Plans to keep a track of picture or sound, and to overwrite a different track with its samples.
    fn take_track(&mut self, file: &[u8], track: Atom) -> Option<()> {
        let (handler, chunks) = (handler(file, track), samples::of_track(file, track)?);
        if !handler.is_some_and(|handler| SHOWN.contains(&handler)) {
            self.blank.extend(chunks.unwrap_or_default());
            self.free(track);
            return Some(());
        }
        match chunks {
            Some(chunks) => self.kept.extend(chunks),
            None => self.has_unknown_chunks = true,
        }
        self.has_track = true;
        self.is_video = handler == Some(VIDEO);
        self.shown_tracks.extend(id(file, track));
        self.walk(file, track.kind, track.range())
    }

    /// Plans to keep the samples of the remaining tracks in fragments, and to overwrite the samples of other tracks.
    fn take_fragments(&mut self, file: &[u8]) -> Option<()> {
        let mut bytes = 0;
        for fragment in mem::take(&mut self.fragments) {
            for part in fragments::parts(file, fragment, &self.lengths)? {
                bytes += part.runs.iter().map(ExactSizeIterator::len).sum::<usize>();
                match self.shown_tracks.contains(&part.track) {
                    true => self.kept.extend(part.runs),
                    false => {
                        self.blank.extend(part.runs);
                        self.free(part.atom);
                    }
                }
            }
            self.check_size()?;
        }
        // Otherwise samples overlap, and overwriting them could take very long.
        (bytes <= file.len()).then_some(())
    }

    fn check_size(&self) -> Option<()> {
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

/// Returns the kind of a track, such as `vide`.
fn handler(file: &[u8], track: Atom) -> Option<Kind> {
    let handler = track.child(file, *b"mdia")?.child(file, *b"hdlr")?;
    file.get(handler.range())?.get(8..)?.first_chunk().copied()
}

/// Returns the ID of a track. It follows two times of 4 or 8 bytes.
fn id(file: &[u8], track: Atom) -> Option<usize> {
    let header = file.get(track.child(file, *b"tkhd")?.range())?;
    number(header, if header.first()? == &1 { 20 } else { 12 })
}
