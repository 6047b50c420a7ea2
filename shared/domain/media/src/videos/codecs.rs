//! Settings of codecs in WebM files (`CodecPrivate`). Those of Vorbis contain a comment, which can name a person or place.

use std::ops::Range;

/// The change of a codec's settings.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Change {
    /// The settings contain no text.
    Keep,
    /// No player needs the settings.
    Remove,
    /// Replaces a comment.
    Replace(Range<usize>, Vec<u8>),
}

/// Number of headers in the settings of Vorbis: identification, comment and setup. The first byte is this number minus 1.
const VORBIS_LAST_HEADER: u8 = 2;
const VORBIS_COMMENT: &[u8] = b"\x03vorbis";
/// Bytes of a comment without any text: its start, the length of the program's name, the number of notes, and a 1.
const VORBIS_COMMENT_MIN_BYTES: usize = VORBIS_COMMENT.len() + 9;
/// Maximum length of the settings of VP9, which has at most four features of 3 bytes.
const VP9_MAX_BYTES: usize = 12;
const OPUS_HEAD: &[u8] = b"OpusHead";
/// Offset of the number of channels in the settings of Opus.
const OPUS_CHANNELS_AT: usize = 9;
/// Offset of the kind of channels in the settings of Opus. Kinds other than 0 have a table with a byte per channel.
const OPUS_KIND_AT: usize = 18;

/// Returns the change of the settings of a codec. Returns `None` if the settings are inconsistent.
pub(super) fn change(codec: &[u8], settings: &[u8]) -> Option<Change> {
    match codec {
        b"A_VORBIS" => {
            let comment = vorbis_comment(settings)?;
            let empty = empty_comment(comment.len())?;
            settings
                .get(comment.clone())?
                .starts_with(VORBIS_COMMENT)
                .then_some(Change::Replace(comment, empty))
        }
        b"A_OPUS" => {
            let rest = opus_bytes(settings)?..settings.len();
            Some(if rest.is_empty() {
                Change::Keep
            } else {
                Change::Replace(rest.clone(), vec![0; rest.len()])
            })
        }
        b"V_VP9" if settings.len() <= VP9_MAX_BYTES => Some(Change::Keep),
        b"V_AV1" => Some(Change::Keep),
        _ => Some(Change::Remove),
    }
}

/// Returns the length of the settings of Opus. Further bytes are not settings.
fn opus_bytes(settings: &[u8]) -> Option<usize> {
    let channels = usize::from(*settings.get(OPUS_CHANNELS_AT)?);
    let bytes = match settings.get(OPUS_KIND_AT)? {
        0 => OPUS_KIND_AT + 1,
        _ => OPUS_KIND_AT + 3 + channels,
    };
    (settings.starts_with(OPUS_HEAD) && bytes <= settings.len()).then_some(bytes)
}

/// Returns the position of the comment in the settings of Vorbis. The lengths of the first two headers precede the
/// headers. Each length is a sum of bytes, of which only the last is less than 255.
fn vorbis_comment(settings: &[u8]) -> Option<Range<usize>> {
    let (count, rest) = settings.split_first()?;
    let mut lengths = rest.split_inclusive(|byte| *byte < 255).map(|bytes| {
        let length = bytes.iter().map(|byte| usize::from(*byte)).sum::<usize>();
        (bytes.len(), length)
    });
    let ((first_bytes, first), (second_bytes, second)) = (lengths.next()?, lengths.next()?);
    let start = 1 + first_bytes + second_bytes + first;
    (*count == VORBIS_LAST_HEADER && start + second <= settings.len()).then_some(start..start + second)
}

/// Returns a Vorbis comment of this length. Spaces are the name of the program.
fn empty_comment(length: usize) -> Option<Vec<u8>> {
    let name = length.checked_sub(VORBIS_COMMENT_MIN_BYTES)?;
    let name_length = u32::try_from(name).ok()?.to_le_bytes();
    Some([VORBIS_COMMENT, &name_length, &vec![b' '; name], &[0; 4], &[1]].concat())
}
