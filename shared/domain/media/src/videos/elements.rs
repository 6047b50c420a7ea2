//! The elements of WebM: those that a player needs stay, all others become void.

use std::ops::Range;

/// What an element is: its id as it is written.
type Id = u64;

/// The file itself: no element has this id.
const FILE: Id = 0;
const SEGMENT: Id = 0x1853_8067;
const INFO: Id = 0x1549_A966;
const CLUSTER: Id = 0x1F43_B675;
/// The most elements that a file is taken apart into: 200 MiB have fewer, unless somebody wants to keep a processor busy.
const ELEMENTS_MAX: usize = 4_000_000;
const VOID: u8 = 0xEC;
/// The most bytes that tell a length.
const LENGTH_MAX_BYTES: usize = 8;
/// The elements that stay, in the file and in each element that is looked into. Tags, attachments, chapters, titles and
/// dates go, and the checksums of what they were in.
const STAYS: [(Id, &[Id]); 3] = [
    (FILE, &[0x1A45_DFA3, SEGMENT]),
    (
        SEGMENT,
        &[
            0x114D_9B74,
            INFO,
            0x1654_AE6B,
            CLUSTER,
            0x1C53_BB6B,
            // What is in a cluster: one without a length ends where another begins, so its content is looked at here.
            0xE7,
            0xA3,
            0xA0,
            0xAB,
            0xA7,
        ],
    ),
    // The unit of its times, its length, and what wrote it, which every file must say.
    (INFO, &[0x2A_D7B1, 0x4489, 0x4D80, 0x5741]),
];

/// An element of a file: where it begins, where its content does, and where it ends.
struct Element {
    id: Id,
    start: usize,
    content: usize,
    end: usize,
}

/// Takes from a file what is not to stay. Returns none where its elements do not add up; nothing is changed then.
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
    (inside, mut rest): (Id, Range<usize>),
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
            id if !stays_in(inside).is_some_and(|it| it.contains(&id)) => {
                voids.push(element.start..element.end);
            }
            id if stays_in(id).is_some() => walk(file, (id, element.content..element.end), count, voids)?,
            _ => {}
        }
    }
    Some(())
}

fn stays_in(id: Id) -> Option<&'static [Id]> {
    STAYS.iter().find(|(it, _)| *it == id).map(|(_, stays)| *stays)
}

/// Makes a void of an element. The length of what is left is written with as many bytes as there may be.
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
    /// Returns the element that a range begins with; none where it does not fit in. Only a segment and a cluster may say
    /// no length: the one reaches to the end, and of the other this is what is before its content.
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

/// Returns the number that bytes begin with as it is written, and its width. The zeros before its first one tell it.
fn number(bytes: &[u8]) -> Option<(u64, usize)> {
    let width = bytes.first()?.leading_zeros() as usize + 1;
    let written = bytes.get(..width)?.iter().fold(0_u64, |number, byte| number << 8 | u64::from(*byte));
    (width <= LENGTH_MAX_BYTES).then_some((written, width))
}

/// Returns the bit before a number of a width.
fn marker(width: usize) -> u64 {
    1 << (7 * width)
}
