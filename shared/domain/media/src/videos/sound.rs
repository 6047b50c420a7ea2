//! Descriptions of sound samples in QuickTime files.
//!
//! Source: Apple's QuickTime File Format, "Sound sample descriptions".

use super::atom::{Atom, Kind, half, number};

/// Offset of the first entry in a list of descriptions.
const ENTRIES_AT: usize = 8;
const NUMBER_OF_ENTRIES_AT: usize = 4;
// Offsets of numbers in a description.
const VERSION_AT: usize = 8;
const CHANNELS_AT: usize = 16;
const BITS_AT: usize = 18;
const SAMPLES_PER_PACKET_AT: usize = 28;
const BYTES_PER_FRAME_AT: usize = 36;
const BYTES_PER_PACKET_AT: usize = 56;
const FRAMES_PER_PACKET_AT: usize = 60;

/// Formats that store each number of a sample, with its bits.
const PLAIN: [Kind; 4] = [*b"raw ", *b"twos", *b"sowt", *b"NONE"];
/// Formats that store each number of a sample in one byte.
const LOGARITHMIC: [Kind; 2] = [*b"ulaw", *b"alaw"];

/// A group of samples that are stored together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Packet {
    pub(super) samples: usize,
    pub(super) bytes: usize,
}

/// Returns the size of a track's sound packets. Returns `None` if the track has several descriptions, or a description
/// that does not contain the size.
pub(super) fn packet(file: &[u8], tables: Atom) -> Option<Packet> {
    let list = file.get(tables.child(file, *b"stsd")?.range())?;
    if number(list, NUMBER_OF_ENTRIES_AT)? != 1 {
        return None;
    }
    let entry = Atom::at(list, ENTRIES_AT..list.len())?;
    let description = list.get(entry.range())?;
    let packet = match half(description, VERSION_AT)? {
        0 => Packet { samples: 1, bytes: bytes_of_sample(entry.kind, description)? },
        1 => Packet {
            samples: number(description, SAMPLES_PER_PACKET_AT)?,
            bytes: number(description, BYTES_PER_FRAME_AT)?,
        },
        2 => Packet {
            samples: number(description, FRAMES_PER_PACKET_AT)?,
            bytes: number(description, BYTES_PER_PACKET_AT)?,
        },
        _ => return None,
    };
    (packet.samples > 0 && packet.bytes > 0).then_some(packet)
}

/// Returns the length of a sample in a description of version 0.
fn bytes_of_sample(kind: Kind, description: &[u8]) -> Option<usize> {
    let (channels, bits) = (half(description, CHANNELS_AT)?, half(description, BITS_AT)?);
    match kind {
        kind if PLAIN.contains(&kind) => Some(channels * bits.div_ceil(8)),
        kind if LOGARITHMIC.contains(&kind) => Some(channels),
        _ => None,
    }
}
