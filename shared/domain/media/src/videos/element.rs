//! Elements of WebM files.

use std::ops::Range;

/// Encoded ID of an element.
pub(super) type Id = u64;

pub(super) const SEGMENT: Id = 0x1853_8067;
pub(super) const CLUSTER: Id = 0x1F43_B675;
const VOID: u8 = 0xEC;
/// Maximum width of an encoded length, in bytes.
const LENGTH_MAX_BYTES: usize = 8;

/// An element in a file, as the offsets of its start, its content and its end.
pub(super) struct Element {
    pub(super) id: Id,
    start: usize,
    content: usize,
    end: usize,
}

impl Element {
    pub(super) fn range(&self) -> Range<usize> {
        self.start..self.end
    }

    pub(super) fn content(&self) -> Range<usize> {
        self.content..self.end
    }

    /// Returns the first child with this ID.
    pub(super) fn child(&self, file: &[u8], id: Id) -> Option<Self> {
        let mut rest = self.content();
        while let Some(child) = Self::at(file, rest.clone()) {
            if child.id == id {
                return Some(child);
            }
            rest.start = child.end;
        }
        None
    }

    /// Returns the content as an unsigned integer.
    pub(super) fn integer(&self, file: &[u8]) -> Option<u64> {
        let bytes = file.get(self.content()).filter(|bytes| bytes.len() <= 8)?;
        Some(bytes.iter().fold(0, |number, byte| number << 8 | u64::from(*byte)))
    }

    /// Returns the element at the start of a range, or `None` if it exceeds the range. Only a segment and a cluster can
    /// have an unknown length. A segment of unknown length extends to the end of the range. A cluster of unknown length
    /// is returned without content.
    pub(super) fn at(file: &[u8], range: Range<usize>) -> Option<Self> {
        let (id, id_width) = number(file.get(range.clone())?)?;
        let (written, width) = number(file.get(range.start + id_width..range.end)?)?;
        let content = range.start + id_width + width;
        let end = match written ^ marker(width) {
            unknown if unknown == marker(width) - 1 => match id {
                SEGMENT => range.end,
                CLUSTER => content,
                _ => return None,
            },
            length => content.checked_add(length.try_into().ok()?)?,
        };
        (end <= range.end).then_some(Self { id, start: range.start, content, end })
    }
}

/// Returns the number of the track at the start of a block.
pub(super) fn track_of_block(block: &[u8]) -> Option<u64> {
    let (written, width) = number(block)?;
    Some(written ^ marker(width))
}

/// Returns the encoded number at the start of `bytes`, and its width in bytes. The number of leading zero bits encodes
/// the width.
fn number(bytes: &[u8]) -> Option<(u64, usize)> {
    let width = bytes.first()?.leading_zeros() as usize + 1;
    let written = bytes.get(..width)?.iter().fold(0_u64, |number, byte| number << 8 | u64::from(*byte));
    (width <= LENGTH_MAX_BYTES).then_some((written, width))
}

/// Returns the marker bit of a number with this width.
fn marker(width: usize) -> u64 {
    1 << (7 * width)
}

/// Overwrites an element with a void element of the same size. Returns `None` if `element` has no bytes.
pub(super) fn void(element: &mut [u8]) -> Option<()> {
    let (id, rest) = element.split_first_mut()?;
    let width = rest.len().min(LENGTH_MAX_BYTES);
    let (length, content) = rest.split_at_mut(width);
    let written = (u64::try_from(content.len()).ok()? | marker(width)).to_be_bytes();
    *id = VOID;
    length.copy_from_slice(written.get(LENGTH_MAX_BYTES - width..)?);
    content.fill(0);
    Some(())
}
