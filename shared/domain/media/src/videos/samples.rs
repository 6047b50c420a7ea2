//! Locates the samples of a track in an MP4 or QuickTime file. Chunks contain consecutive samples.

use std::ops::Range;

use super::{
    atom::{ATOMS_MAX, Atom, half, number},
    sound::{self, Packet},
};

/// Lengths of a track's samples.
enum Lengths<'a> {
    Same(Packet),
    Each(&'a [[u8; 4]]),
    /// Lengths in a table whose entries have 4, 8 or 16 bits.
    Compact {
        bits: usize,
        table: &'a [u8],
        samples: usize,
    },
}

/// Returns the byte ranges of a track's chunks, or `Some(None)` if they are unknown. Returns `None` if the tables are
/// inconsistent, or if all chunks together are longer than the file.
///
/// The chunks are unknown if a table is missing. QuickTime files store a length of one byte for sound, although the
/// samples are longer. The description of the sound then has the length, and otherwise the chunks are unknown.
pub(super) fn of_track(file: &[u8], track: Atom) -> Option<Option<Vec<Range<usize>>>> {
    let path = [*b"mdia", *b"minf", *b"stbl"];
    let tables = path.into_iter().try_fold(track, |atom, kind| atom.child(file, kind));
    let Some(tables) = tables else { return Some(None) };
    let table = |kind| tables.child(file, kind).and_then(|table| file.get(table.range()));
    let offsets = match (table(*b"stco"), table(*b"co64")) {
        (Some(offsets), _) => {
            entries(offsets, 4)?.iter().map(|bytes| u32::from_be_bytes(*bytes).into()).collect()
        }
        (None, Some(offsets)) => {
            entries(offsets, 4)?.iter().map(|bytes| u64::from_be_bytes(*bytes)).collect()
        }
        (None, None) => Vec::new(),
    };
    let Some(runs) = table(*b"stsc") else { return Some(None) };
    let lengths = match (table(*b"stsz"), table(*b"stz2")) {
        (Some(lengths), _) => Lengths::of(lengths)?,
        (None, Some(lengths)) => Lengths::of_compact(lengths)?,
        (None, None) => return Some(None),
    };
    let lengths = match lengths {
        Lengths::Same(Packet { bytes: 1, .. }) => sound::packet(file, tables).map(Lengths::Same),
        lengths => Some(lengths),
    };
    let Some(lengths) = lengths else { return Some(None) };
    chunks(file, &offsets, entries(runs, 4)?, &lengths).map(Some)
}

/// Returns the byte ranges of the chunks. Each item of `runs` describes consecutive chunks with the same number of
/// samples. It has the number of the first chunk, counted from 1, and the number of samples per chunk.
fn chunks(
    file: &[u8],
    offsets: &[u64],
    runs: &[[u8; 12]],
    lengths: &Lengths<'_>,
) -> Option<Vec<Range<usize>>> {
    if offsets.len() > ATOMS_MAX {
        return None;
    }
    let (mut chunks, mut sample, mut bytes) = (Vec::new(), 0, 0);
    let first_chunk = |run: &[u8; 12]| Some(number(run, 0)?.checked_sub(1)?.min(offsets.len()));
    for (run, next) in runs.iter().zip(runs.iter().skip(1).map(Some).chain([None])) {
        let end = next.map_or(Some(offsets.len()), first_chunk)?;
        for offset in offsets.get(first_chunk(run)?..end)? {
            let samples = number(run, 4)?;
            let length = lengths.of_samples(sample, samples)?;
            sample = sample.checked_add(samples)?;
            bytes += length;
            let start = usize::try_from(*offset).ok()?.min(file.len());
            chunks.push(start..start.checked_add(length)?.min(file.len()));
            if bytes > file.len() {
                return None;
            }
        }
    }
    Some(chunks)
}

impl<'a> Lengths<'a> {
    fn of(table: &'a [u8]) -> Option<Self> {
        Some(match number(table, 4)? {
            0 => Self::Each(entries(table, 8)?),
            bytes => Self::Same(Packet { samples: 1, bytes }),
        })
    }

    fn of_compact(table: &'a [u8]) -> Option<Self> {
        let bits = usize::from(*table.get(7)?);
        let samples = number(table, 8)?;
        let table = table.get(12..)?;
        let fits = matches!(bits, 4 | 8 | 16) && samples.checked_mul(bits)?.div_ceil(8) <= table.len();
        fits.then_some(Self::Compact { bits, table, samples })
    }

    fn of_samples(&self, first: usize, samples: usize) -> Option<usize> {
        match self {
            Self::Same(packet) => packet.bytes.checked_mul(samples.div_ceil(packet.samples)),
            Self::Each(lengths) => {
                let to = first.checked_add(samples)?.min(lengths.len());
                let lengths = lengths.get(first.min(to)..to)?;
                lengths.iter().try_fold(0, |sum: usize, length| sum.checked_add(number(length, 0)?))
            }
            Self::Compact { bits, table, samples: all } => {
                let to = first.checked_add(samples)?.min(*all);
                let lengths = (first.min(to)..to).map(|sample| compact(table, *bits, sample));
                lengths.sum()
            }
        }
    }
}

/// Returns an entry of a table whose entries have 4, 8 or 16 bits. The first of two entries of 4 bits is the upper half
/// of a byte.
fn compact(table: &[u8], bits: usize, entry: usize) -> Option<usize> {
    let byte = |at| table.get(at).copied().map(usize::from);
    match bits {
        4 if entry.is_multiple_of(2) => Some(byte(entry / 2)? >> 4),
        4 => Some(byte(entry / 2)? & 0xF),
        8 => byte(entry),
        _ => half(table, 2 * entry),
    }
}

/// Returns the entries of a table. The number of entries is stored at the offset `count_at`.
fn entries<const BYTES: usize>(table: &[u8], count_at: usize) -> Option<&[[u8; BYTES]]> {
    let bytes = number(table, count_at)?.checked_mul(BYTES)?;
    Some(table.get(count_at + 4..)?.get(..bytes)?.as_chunks().0)
}
