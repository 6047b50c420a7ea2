//! Removes all chunks from PNG and WebP files, except the chunks that determine the picture.

const PNG_SIGNATURE_BYTES: usize = 8;
/// Bytes of a PNG chunk around its content: length, kind and checksum.
const PNG_CHUNK_OVERHEAD_BYTES: usize = 12;
const PNG_KEPT: [&[u8; 4]; 12] = [
    b"IHDR", b"PLTE", b"tRNS", b"gAMA", b"cHRM", b"sRGB", b"iCCP", b"cICP", b"acTL", b"fcTL", b"IDAT",
    b"fdAT",
];
const PNG_END: &[u8] = b"\0\0\0\0IEND\xaeB`\x82";
/// `RIFF`, the length, and `WEBP`.
const WEBP_HEADER_BYTES: usize = 12;
const WEBP_KEPT: [&[u8; 4]; 4] = [b"VP8X", b"ICCP", b"ANIM", b"ANMF"];
const WEBP_KEPT_IN_FRAME: [&[u8; 4]; 3] = [b"ALPH", b"VP8 ", b"VP8L"];
/// Bytes before the content of a WebP frame: position, size, duration and flags.
const WEBP_FRAME_HEADER_BYTES: usize = 16;
/// Header flags of a WebP file that contains EXIF or XMP data.
const WEBP_METADATA_FLAGS: u8 = 0b1100;

/// Returns a PNG without metadata. Ignores data after its end. Returns `None` if a chunk is truncated.
pub(super) fn png_without_metadata(file: &[u8]) -> Option<Vec<u8>> {
    let (signature, mut rest) = file.split_at_checked(PNG_SIGNATURE_BYTES)?;
    let mut kept = signature.to_vec();
    loop {
        let (length, kind) = (u32::from_be_bytes(*rest.first_chunk()?), rest.get(4..8)?);
        if kind == b"IEND" {
            kept.extend(PNG_END);
            return Some(kept);
        }
        let (chunk, after) =
            rest.split_at_checked(PNG_CHUNK_OVERHEAD_BYTES + usize::try_from(length).ok()?)?;
        if PNG_KEPT.iter().any(|kept| *kept == kind) {
            kept.extend(chunk);
        }
        rest = after;
    }
}

/// Returns a WebP animation without metadata. Ignores data after its end. Returns `None` if a chunk is truncated.
pub(super) fn webp_without_metadata(file: &[u8]) -> Option<Vec<u8>> {
    let (header, rest) = file.split_at_checked(WEBP_HEADER_BYTES)?;
    let length = usize::try_from(u32::from_le_bytes(*header.get(4..)?.first_chunk()?)).ok()?;
    let mut kept = b"RIFF\0\0\0\0WEBP".to_vec();
    for (kind, mut content) in webp_chunks(rest.get(..length.checked_sub(4)?)?, &WEBP_KEPT)? {
        match kind {
            b"VP8X" => *content.first_mut()? &= !WEBP_METADATA_FLAGS,
            b"ANMF" => content = frame_without_metadata(&content)?,
            _ => (),
        }
        push_webp_chunk(&mut kept, kind, &content)?;
    }
    let length = u32::try_from(kept.len() - 8).ok()?;
    kept[4..8].copy_from_slice(&length.to_le_bytes());
    Some(kept)
}

fn frame_without_metadata(frame: &[u8]) -> Option<Vec<u8>> {
    let (header, rest) = frame.split_at_checked(WEBP_FRAME_HEADER_BYTES)?;
    let mut kept = header.to_vec();
    for (kind, content) in webp_chunks(rest, &WEBP_KEPT_IN_FRAME)? {
        push_webp_chunk(&mut kept, kind, &content)?;
    }
    Some(kept)
}

/// Returns the kind and content of each chunk whose kind is in `kinds`. Returns `None` if a chunk is truncated.
fn webp_chunks<'a>(mut rest: &[u8], kinds: &[&'a [u8; 4]]) -> Option<Vec<(&'a [u8; 4], Vec<u8>)>> {
    let mut chunks = Vec::new();
    while !rest.is_empty() {
        let length = usize::try_from(u32::from_le_bytes(*rest.get(4..)?.first_chunk()?)).ok()?;
        let (kind, content) = (rest.get(..4)?, rest.get(8..8 + length)?);
        chunks.extend(kinds.iter().find(|kept| **kept == kind).map(|kept| (*kept, content.to_vec())));
        // Some files lack the padding of the last chunk.
        rest = rest.get(8 + length.next_multiple_of(2)..).unwrap_or_default();
    }
    Some(chunks)
}

fn push_webp_chunk(file: &mut Vec<u8>, kind: &[u8], content: &[u8]) -> Option<()> {
    file.extend(kind);
    file.extend(u32::try_from(content.len()).ok()?.to_le_bytes());
    file.extend(content);
    file.extend(std::iter::repeat_n(0, content.len() % 2));
    Some(())
}
