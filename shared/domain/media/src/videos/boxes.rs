//! The boxes of MP4 and QuickTime: those that a player needs stay, all others become free room.

use std::ops::Range;

use super::{
    atom::{ATOMS_MAX, Atom, Kind},
    samples,
};

/// The file itself: no box has this name that may stay.
const FILE: Kind = *b"\0\0\0\0";
/// The boxes that stay, in the file and in each box that is looked into. Places are known to lie in `udta`, `meta`, `uuid`
/// and others that makers of cameras thought of: so what is not named here goes.
const STAYS: [(Kind, &[&Kind]); 6] = [
    (FILE, &[b"ftyp", b"styp", b"moov", b"mdat", b"moof", b"mfra", b"sidx", b"ssix", b"pdin"]),
    (*b"moov", &[b"mvhd", b"iods", b"trak", b"mvex", b"pssh", b"ctab", b"clip"]),
    (*b"trak", &[b"tkhd", b"tapt", b"edts", b"tref", b"trgr", b"load", b"imap", b"clip", b"matt", b"mdia"]),
    (*b"mdia", &[b"mdhd", b"hdlr", b"elng", b"minf"]),
    (*b"moof", &[b"mfhd", b"traf", b"pssh"]),
    (*b"traf", &[b"tfhd", b"tfdt", b"trun", b"sbgp", b"sgpd", b"subs", b"saiz", b"saio", b"senc"]),
];
/// The boxes that begin with when something was made.
const DATED: [Kind; 3] = [*b"mvhd", *b"tkhd", *b"mdhd"];
/// The tracks that stay: pictures and sounds. Cameras and drones write their way into others, also into captions.
const SHOWN: [Kind; 2] = [*b"vide", *b"soun"];

/// What is to be overwritten.
#[derive(Default)]
struct Plan {
    boxes: usize,
    blank: Vec<Range<usize>>,
    free: Vec<usize>,
    has_fragments: bool,
    loses_tracks: bool,
}

/// Takes from a file what is not to stay. Returns none where its boxes do not add up, or where it has fragments and a track
/// that would go; nothing is changed then.
pub(super) fn strip(file: &mut [u8]) -> Option<()> {
    let mut plan = Plan::default();
    plan.walk(file, FILE, 0..file.len())?;
    // What fragments have of a track that goes would stay, and hardly any film has both.
    if plan.has_fragments && plan.loses_tracks {
        return None;
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
    fn walk(&mut self, file: &[u8], inside: Kind, range: Range<usize>) -> Option<()> {
        let mut rest = range;
        while rest.len() >= Atom::HEADER {
            let atom = Atom::at(file, rest.clone())?;
            self.boxes += 1;
            if self.boxes > ATOMS_MAX {
                return None;
            }
            self.take(file, inside, atom)?;
            rest.start = atom.end;
        }
        // What is too short for a box: QuickTime ends lists with four zeros.
        self.blank.push(rest);
        Some(())
    }

    fn take(&mut self, file: &[u8], inside: Kind, atom: Atom) -> Option<()> {
        self.has_fragments |= (inside, atom.kind) == (FILE, *b"moof");
        match atom.kind {
            kind if !stays_in(inside).is_some_and(|it| it.contains(&&kind)) => self.free(atom),
            kind if DATED.contains(&kind) => self.undate(file, atom)?,
            kind if kind == *b"trak" && !is_shown(file, atom) => {
                self.blank.extend(samples::of_track(file, atom)?);
                self.free(atom);
                self.loses_tracks = true;
            }
            kind if stays_in(kind).is_some() => self.walk(file, kind, atom.range())?,
            _ => {}
        }
        Some(())
    }

    fn free(&mut self, atom: Atom) {
        self.free.push(atom.start);
        self.blank.push(atom.range());
    }

    /// The times of creation and change have 4 bytes each, or 8.
    fn undate(&mut self, file: &[u8], atom: Atom) -> Option<()> {
        let bytes = if file.get(atom.range())?.first()? == &1 { 16 } else { 8 };
        let begins = atom.content + 4;
        let ends = begins + bytes;
        (ends <= atom.end).then(|| self.blank.push(begins..ends))
    }
}

fn stays_in(kind: Kind) -> Option<&'static [&'static Kind]> {
    STAYS.iter().find(|(it, _)| *it == kind).map(|(_, stays)| *stays)
}

fn is_shown(file: &[u8], track: Atom) -> bool {
    let handler = track.child(file, *b"mdia").and_then(|it| it.child(file, *b"hdlr"));
    let name = handler.and_then(|it| file.get(it.range())?.get(8..12));
    name.is_some_and(|name| SHOWN.iter().any(|it| it == name))
}
