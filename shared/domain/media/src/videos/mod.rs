//! Removes metadata from videos, and keeps only picture and sound.
//!
//! This module only processes bytes in memory. The video provider decodes video and audio. Removed parts are
//! overwritten in place as free space, so all offsets in the file stay valid.
//!
//! The service publishes the cleaned original, and not only the rendition of the video provider. A deployment can have no
//! provider, and the provider's event need not have a playback URL. The event also does not say whether the provider
//! removed the metadata. Crates such as `mp4-atom` parse boxes, but do not find the bytes that no track uses.

mod atom;
mod boxes;
mod codecs;
mod descriptions;
mod element;
mod elements;
mod fragments;
mod samples;
mod sound;
#[cfg(test)]
mod tests;

use uploads::{Container, Reason};

/// Number of bytes at the start of a file that identify the container.
const HEAD_BYTES: usize = 64;
/// Brands of image files that use the same container as MP4.
const IMAGE_BRANDS: [&[u8]; 5] = [b"heic", b"heix", b"mif1", b"avif", b"avis"];
/// Types of the first box in QuickTime files without a brand.
const QUICKTIME_ATOMS: [&[u8]; 3] = [b"moov", b"mdat", b"wide"];
const EBML: &[u8] = &[0x1a, 0x45, 0xdf, 0xa3];

/// Removes all data except picture and sound from a video. The removed data includes the time and place of the
/// recording. The length of the file does not change. Fails with [`Reason::OtherType`] if the file has a different type
/// or is inconsistent. The file may then be partly changed.
pub(super) fn strip(file: &mut [u8], container: Container) -> Result<(), Reason> {
    let head = file.get(..HEAD_BYTES).unwrap_or(file);
    let stripped = is_container(head, container).then(|| match container {
        Container::IsoMedia => boxes::strip(file),
        Container::WebM => elements::strip(file),
    });
    stripped.flatten().ok_or(Reason::OtherType)
}

/// Returns whether `head` is the start of a file with this container.
fn is_container(head: &[u8], container: Container) -> bool {
    match container {
        Container::IsoMedia => is_iso_media(head),
        Container::WebM => head.starts_with(EBML) && head.windows(4).any(|part| part == b"webm"),
    }
}

fn is_iso_media(head: &[u8]) -> bool {
    match (head.get(4..8), head.get(8..12)) {
        (Some(b"ftyp"), Some(brand)) => !IMAGE_BRANDS.contains(&brand),
        (Some(atom), _) => QUICKTIME_ATOMS.contains(&atom),
        _ => false,
    }
}
