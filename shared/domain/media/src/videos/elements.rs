//! Removes all elements from WebM files, except the elements that a player needs. Removed elements become void
//! elements.

use std::ops::Range;

/// Encoded ID of an element.
type Id = u64;

/// An ID that represents the file itself. No element has this ID.
const FILE: Id = 0;
const SEGMENT: Id = 0x1853_8067;
const INFO: Id = 0x1549_A966;
const CLUSTER: Id = 0x1F43_B675;
/// Maximum number of elements in a file. A higher number indicates an attack.
const ELEMENTS_MAX: usize = 4_000_000;
const VOID: u8 = 0xEC;
/// Maximum width of an encoded length, in bytes.
const LENGTH_MAX_BYTES: usize = 8;
/// The elements that stay, by parent. Tags, attachments, chapters, titles and dates are removed. Checksums that cover
/// removed elements are also removed.
const ALLOWED: [(Id, &[Id]); 3] = [
    (FILE, &[0x1A45_DFA3, SEGMENT]),
    (
        SEGMENT,
        &[
            0x114D_9B74,
            INFO,
            0x1654_AE6B,
            CLUSTER,
            0x1C53_BB6B,
            // Content of clusters. A cluster of unknown length ends at the next cluster. The content of such a cluster
            // is therefore read as children of the segment.
            0xE7,
            0xA3,
            0xA0,
            0xAB,
            0xA7,
        ],
    ),
    // Time unit, duration, and the names of the programs that wrote the file. These names are mandatory.
    (INFO, &[0x2A_D7B1, 0x4489, 0x4D80, 0x5741]),
];

/// An element in a file, as the offsets of its start, its content and its end.
struct Element {
    id: Id,
    start: usize,
    content: usize,
    end: usize,
}

/// Overwrites all elements that a player does not need. Returns `None` if the elements are inconsistent. In this case,
/// the file is not changed.
pub(super) fn strip(file: &mut [u8]) -> Option<()> {
    let mut count = 0;
    let mut voids = Vec::new();
    walk(file, (FILE, 0..file.len()), &mut count, &mut voids)?;
    for range in voids {
        void(file.get_mut(range)?)?;
    }
    Some(())
}

fn walk(
    file: &[u8],
    (parent, mut rest): (Id, Range<usize>),
    count: &mut usize,
    voids: &mut Vec<Range<usize>>,
) -> Option<()> {
    while !rest.is_empty() {
        let element = Element::at(file, rest.clone())?;
        *count += 1;
        if *count > ELEMENTS_MAX {
            return None;
        }
        rest.start = element.end;
        match element.id {
            id if !allowed_in(parent).is_some_and(|ids| ids.contains(&id)) => {
                voids.push(element.start..element.end);
            }
            id if allowed_in(id).is_some() => walk(file, (id, element.content..element.end), count, voids)?,
            _ => {}
        }
    }
    Some(())
}

fn allowed_in(id: Id) -> Option<&'static [Id]> {
    ALLOWED.iter().find(|(parent, _)| *parent == id).map(|(_, ids)| *ids)
}

/// Overwrites an element with a void element of the same size. Returns `None` if `element` has no bytes.
fn void(element: &mut [u8]) -> Option<()> {
    let (id, rest) = element.split_first_mut()?;
    let width = rest.len().min(LENGTH_MAX_BYTES);
    let (length, content) = rest.split_at_mut(width);
    let written = (u64::try_from(content.len()).ok()? | marker(width)).to_be_bytes();
    *id = VOID;
    length.copy_from_slice(written.get(LENGTH_MAX_BYTES - width..)?);
    content.fill(0);
    Some(())
}

impl Element {
    /// Returns the element at the start of a range, or `None` if it exceeds the range. Only a segment and a cluster can
    /// have an unknown length. A segment of unknown length extends to the end of the range. A cluster of unknown length
    /// is returned without content.
    fn at(file: &[u8], range: Range<usize>) -> Option<Self> {
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
