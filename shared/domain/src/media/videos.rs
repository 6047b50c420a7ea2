//! What a video is, by its first bytes. Nothing here decodes it: that is the video provider's work.

use super::uploads::{Container, Reason};

/// The bytes of a file that tell its container.
pub(super) const HEAD_BYTES: usize = 64;
/// Brands of images that lie in the same container as MP4.
const IMAGE_BRANDS: [&[u8]; 5] = [b"heic", b"heix", b"mif1", b"avif", b"avis"];
/// What a QuickTime file of before there were brands begins with.
const QUICKTIME_ATOMS: [&[u8]; 3] = [b"moov", b"mdat", b"wide"];
const EBML: &[u8] = &[0x1a, 0x45, 0xdf, 0xa3];

/// Checks that a file begins as one of this container does.
///
/// # Errors
/// The reason why the file is refused.
pub(super) fn check(head: &[u8], container: Container) -> Result<(), Reason> {
    let is_so = match container {
        Container::IsoMedia => is_iso_media(head),
        Container::WebM => head.starts_with(EBML) && head.windows(4).any(|it| it == b"webm"),
    };
    is_so.then_some(()).ok_or(Reason::OtherType)
}

fn is_iso_media(head: &[u8]) -> bool {
    match (head.get(4..8), head.get(8..12)) {
        (Some(b"ftyp"), Some(brand)) => !IMAGE_BRANDS.contains(&brand),
        (Some(atom), _) => QUICKTIME_ATOMS.contains(&atom),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_container_is_known_by_its_first_bytes() {
        let mp4 = b"\0\0\0\x20ftypisom\0\0\x02\0isomiso2mp41";
        let mov = b"\0\0\0\x14ftypqt  \0\0\0\0qt  ";
        let old = b"\0\0\0\x08wide\0\0\0\0mdat";
        let heic = b"\0\0\0\x18ftypheic\0\0\0\0mif1heic";
        let webm = b"\x1a\x45\xdf\xa3\x9f\x42\x86\x81\x01\x42\x82\x84webm";
        let mkv = b"\x1a\x45\xdf\xa3\x9f\x42\x86\x81\x01\x42\x82\x88matroska";
        for iso in [&mp4[..], mov, old] {
            assert_eq!(check(iso, Container::IsoMedia), Ok(()));
            assert_eq!(check(iso, Container::WebM), Err(Reason::OtherType));
        }
        assert_eq!(check(webm, Container::WebM), Ok(()));
        for (file, container) in [
            (&heic[..], Container::IsoMedia),
            (webm, Container::IsoMedia),
            (mkv, Container::WebM),
            (b"", Container::IsoMedia),
            (b"\0\0\0\x08", Container::IsoMedia),
        ] {
            assert_eq!(check(file, container), Err(Reason::OtherType));
        }
    }
}
