//! Boxes of MP4 and QuickTime files.

use std::{iter::from_fn, ops::Range};

/// Maximum number of boxes in a file, and of chunks in a track. A higher number indicates an attack.
pub(super) const ATOMS_MAX: usize = 4_000_000;

pub(super) type Kind = [u8; 4];

/// A box in a file, as the offsets of its start, its content and its end.
#[derive(Clone, Copy, Debug)]
pub(super) struct Atom {
    pub(super) kind: Kind,
    pub(super) start: usize,
    pub(super) content: usize,
    pub(super) end: usize,
}

impl Atom {
    /// Bytes before the content of a box.
    pub(super) const HEADER: usize = 8;
    /// Bytes before the content if the length is stored in 8 bytes.
    const LONG_HEADER: usize = 16;

    /// Returns the box at the start of a range, or `None` if it exceeds the range.
    pub(super) fn at(file: &[u8], range: Range<usize>) -> Option<Self> {
        let bytes = file.get(range.clone())?;
        let kind = *bytes.get(4..)?.first_chunk()?;
        let (header, length) = match u32::from_be_bytes(*bytes.first_chunk()?) {
            0 => (Self::HEADER, bytes.len()),
            1 => (Self::LONG_HEADER, u64::from_be_bytes(*bytes.get(8..)?.first_chunk()?).try_into().ok()?),
            length => (Self::HEADER, length.try_into().ok()?),
        };
        let fits = (header..=bytes.len()).contains(&length);
        let start = range.start;
        fits.then(|| Self { kind, start, content: start + header, end: start + length })
    }

    pub(super) fn range(&self) -> Range<usize> {
        self.content..self.end
    }

    pub(super) fn child(&self, file: &[u8], kind: Kind) -> Option<Self> {
        Self::all(file, self.range()).find(|child| child.kind == kind)
    }

    /// Returns the boxes in a range, up to the first bytes that are not a box.
    pub(super) fn all(file: &[u8], mut range: Range<usize>) -> impl Iterator<Item = Self> {
        from_fn(move || {
            let atom = Self::at(file, range.clone())?;
            range.start = atom.end;
            Some(atom)
        })
    }
}

/// Returns the number of two bytes at an offset.
pub(super) fn half(bytes: &[u8], at: usize) -> Option<usize> {
    Some(u16::from_be_bytes(*bytes.get(at..)?.first_chunk()?).into())
}

/// Returns the number of four bytes at an offset.
pub(super) fn number(bytes: &[u8], at: usize) -> Option<usize> {
    u32::from_be_bytes(*bytes.get(at..)?.first_chunk()?).try_into().ok()
}
