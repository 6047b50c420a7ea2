//! What becomes public of a video: its pictures and sounds, where they were, without what else the file says.
//!
//! Works on bytes alone, and decodes nothing: that is the video provider's work. What goes is overwritten where it lies, as
//! room that is free. So nothing moves, and every offset in the file holds.

mod atom;
mod boxes;
mod elements;
mod samples;
#[cfg(test)]
mod tests;

use uploads::{Container, Reason};

/// The bytes of a file that tell its container.
const HEAD_BYTES: usize = 64;
/// Brands of images that lie in the same container as MP4.
const IMAGE_BRANDS: [&[u8]; 5] = [b"heic", b"heix", b"mif1", b"avif", b"avis"];
/// What a QuickTime file of before there were brands begins with.
const QUICKTIME_ATOMS: [&[u8]; 3] = [b"moov", b"mdat", b"wide"];
const EBML: &[u8] = &[0x1a, 0x45, 0xdf, 0xa3];

/// Takes from a video what it says besides its pictures and sounds, such as where and when it was taken. Its length stays.
/// Takes 0.1 seconds of a processor for the largest.
///
/// # Errors
/// The reason why the file is refused: it is of another type, or its parts do not add up. It may be changed by then.
pub(super) fn strip(file: &mut [u8], container: Container) -> Result<(), Reason> {
    let head = file.get(..HEAD_BYTES).unwrap_or(file);
    let stripped = is_of(head, container).then(|| match container {
        Container::IsoMedia => boxes::strip(file),
        Container::WebM => elements::strip(file),
    });
    stripped.flatten().ok_or(Reason::OtherType)
}

/// Whether a file begins as one of this container does.
fn is_of(head: &[u8], container: Container) -> bool {
    match container {
        Container::IsoMedia => is_iso_media(head),
        Container::WebM => head.starts_with(EBML) && head.windows(4).any(|it| it == b"webm"),
    }
}

fn is_iso_media(head: &[u8]) -> bool {
    match (head.get(4..8), head.get(8..12)) {
        (Some(b"ftyp"), Some(brand)) => !IMAGE_BRANDS.contains(&brand),
        (Some(atom), _) => QUICKTIME_ATOMS.contains(&atom),
        _ => false,
    }
}
