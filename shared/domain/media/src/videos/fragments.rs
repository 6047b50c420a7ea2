//! Locates the samples in the fragments of an MP4 file. A fragment contains the tables of its samples.

use std::{collections::BTreeMap, ops::Range};

use super::atom::{Atom, number};

/// Flags of a track's header in a fragment, which say which fields it has.
const HAS_BASE: usize = 0x1;
const HAS_DESCRIPTION: usize = 0x2;
const HAS_DURATION: usize = 0x8;
const HAS_LENGTH: usize = 0x10;
const STARTS_AT_FRAGMENT: usize = 0x2_0000;
/// Flags of a run, which say which fields it has. The last four are fields of each sample.
const RUN_HAS_OFFSET: usize = 0x1;
const RUN_HAS_FIRST_FLAGS: usize = 0x4;
const SAMPLE_HAS_DURATION: usize = 0x100;
const SAMPLE_HAS_LENGTH: usize = 0x200;
const SAMPLE_FIELDS: [usize; 4] = [SAMPLE_HAS_DURATION, SAMPLE_HAS_LENGTH, 0x400, 0x800];
const FIELD_BYTES: usize = 4;

/// The samples of a track in a fragment.
pub(super) struct Part {
    pub(super) track: usize,
    /// The box with the tables of the samples.
    pub(super) atom: Atom,
    /// Byte ranges of the samples.
    pub(super) runs: Vec<Range<usize>>,
}

/// The header of a track in a fragment.
struct Header {
    track: usize,
    flags: usize,
    base: Option<usize>,
    /// Length of samples that do not state their length.
    length: Option<usize>,
}

/// Returns the default length of the samples of each track, from the box `mvex` of the file.
pub(super) fn default_lengths(file: &[u8], extends: Atom) -> BTreeMap<usize, usize> {
    let defaults = Atom::all(file, extends.range()).filter(|atom| atom.kind == *b"trex");
    let numbers =
        |atom: Atom| Some((number(file.get(atom.range())?, 4)?, number(file.get(atom.range())?, 16)?));
    defaults.filter_map(numbers).collect()
}

/// Returns the samples in a fragment. Returns `None` if the tables are inconsistent.
pub(super) fn parts(file: &[u8], fragment: Atom, lengths: &BTreeMap<usize, usize>) -> Option<Vec<Part>> {
    let mut parts = Vec::new();
    // The samples of a track follow the samples of the track before it, unless its header says otherwise.
    let mut at = fragment.start;
    for atom in Atom::all(file, fragment.range()).filter(|atom| atom.kind == *b"traf") {
        let header = Header::of(file, atom)?;
        let starts_at_fragment = header.flags & STARTS_AT_FRAGMENT != 0;
        let base = header.base.unwrap_or(if starts_at_fragment { fragment.start } else { at });
        let length = header.length.or_else(|| lengths.get(&header.track).copied()).unwrap_or_default();
        at = base;
        let mut runs = Vec::new();
        for run in Atom::all(file, atom.range()).filter(|atom| atom.kind == *b"trun") {
            let run = file.get(run.range())?;
            let start = run_start(run, base)?.unwrap_or(at);
            at = start.checked_add(run_length(run, length)?)?;
            if at > file.len() {
                return None;
            }
            runs.push(start..at);
        }
        parts.push(Part { track: header.track, atom, runs });
    }
    Some(parts)
}

impl Header {
    fn of(file: &[u8], part: Atom) -> Option<Self> {
        let bytes = file.get(part.child(file, *b"tfhd")?.range())?;
        let (flags, track) = (number(bytes, 0)?, number(bytes, 4)?);
        let has = |flag: usize| flags & flag != 0;
        let base = match has(HAS_BASE) {
            true => Some(u64::from_be_bytes(*bytes.get(8..)?.first_chunk()?).try_into().ok()?),
            false => None,
        };
        let before = 2 * usize::from(has(HAS_BASE))
            + usize::from(has(HAS_DESCRIPTION))
            + usize::from(has(HAS_DURATION));
        let length = if has(HAS_LENGTH) { Some(number(bytes, 8 + FIELD_BYTES * before)?) } else { None };
        Some(Self { track, flags, base, length })
    }
}

/// Returns the start of a run, or `Some(None)` if the run follows the run before it.
fn run_start(run: &[u8], base: usize) -> Option<Option<usize>> {
    if number(run, 0)? & RUN_HAS_OFFSET == 0 {
        return Some(None);
    }
    let offset = i32::from_be_bytes(*run.get(8..)?.first_chunk()?);
    base.checked_add_signed(offset.try_into().ok()?).map(Some)
}

/// Returns the number of bytes in a run. `default` is the length of samples that do not state their length.
fn run_length(run: &[u8], default: usize) -> Option<usize> {
    let (flags, samples) = (number(run, 0)?, number(run, 4)?);
    if flags & SAMPLE_HAS_LENGTH == 0 {
        return default.checked_mul(samples);
    }
    let count = |fields: &[usize]| fields.iter().filter(|field| flags & **field != 0).count();
    let first = 8 + FIELD_BYTES * count(&[RUN_HAS_OFFSET, RUN_HAS_FIRST_FLAGS]);
    let before = FIELD_BYTES * count(&[SAMPLE_HAS_DURATION]);
    let bytes = FIELD_BYTES * count(&SAMPLE_FIELDS);
    let table = run.get(first..)?.get(..samples.checked_mul(bytes)?)?;
    let mut lengths = table.chunks_exact(bytes).map(|sample| number(sample, before));
    lengths.try_fold(0, |sum: usize, length| sum.checked_add(length?))
}
