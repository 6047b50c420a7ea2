//! Tests with videos as phones record them, and with malicious videos.

use proptest::prelude::*;

use super::*;

/// A location as a phone writes it: 48.8584° north, 2.2945° east.
const LOCATION: &[u8] = b"\xa9xyz\0\x12\x15\xc7+48.8584+002.2945/";
const IDENTITY: [u8; 16] = *b"\xbe\x7a\xcf\xcb\x97\xa9\x42\xe8\x9c\x71\x99\x94\x91\xe3\xaf\xac";
const MEDIA: &[u8] = b"pictures and sounds";

#[test]
fn the_first_bytes_identify_the_container() {
    let mp4 = b"\0\0\0\x1cftypisom\0\0\x02\0isomiso2mp41";
    let mov = b"\0\0\0\x14ftypqt  \0\0\0\0qt  ";
    let old = b"\0\0\0\x08wide\0\0\0\x08mdat";
    let heic = b"\0\0\0\x18ftypheic\0\0\0\0mif1heic";
    let webm = b"\x1a\x45\xdf\xa3\x87\x42\x82\x84webm";
    let mkv = b"\x1a\x45\xdf\xa3\x8b\x42\x82\x88matroska";
    for iso in [&mp4[..], mov, old] {
        assert_eq!(strip(&mut iso.to_vec(), Container::IsoMedia), Ok(()));
        refused(iso, Container::WebM);
    }
    assert_eq!(strip(&mut webm.to_vec(), Container::WebM), Ok(()));
    for (file, container) in [
        (&heic[..], Container::IsoMedia),
        (webm, Container::IsoMedia),
        (mkv, Container::WebM),
        (b"", Container::IsoMedia),
        (b"\0\0\0\x08", Container::IsoMedia),
    ] {
        refused(file, container);
    }
}

#[test]
fn locations_in_any_box_are_overwritten_in_place() {
    let location = atom(b"udta", LOCATION);
    let video = |locations: [&[u8]; 3]| {
        let media = atom(b"mdia", &[&handler(b"vide")[..], &atom(b"minf", MEDIA)].concat());
        let track = atom(b"trak", &[&media, locations[2]].concat());
        let movie = atom(b"moov", &[locations[1], &track, locations[1]].concat());
        [&brand()[..], locations[0], &movie, &atom(b"mdat", MEDIA), locations[0]].concat()
    };
    let identity = [&IDENTITY[..], LOCATION].concat();
    for kind in [b"udta", b"meta", b"uuid", b"free", b"gps ", b"\xa9xyz"] {
        let found = atom(kind, &identity);
        let free = atom(b"free", &vec![0; identity.len()]);
        for at in 0..3 {
            let mut locations = [&[][..]; 3];
            locations[at] = &found;
            let mut expected = locations;
            expected[at] = &free;
            assert_eq!(stripped(&video(locations), Container::IsoMedia), video(expected), "{kind:?} at {at}");
        }
    }
    assert!(!contains(&stripped(&video([&location; 3]), Container::IsoMedia), b"+48"));
}

#[test]
fn recording_times_are_removed() {
    let header = |version: u8, time: &[u8]| [&[version, 0, 0, 0][..], time, time, b"the rest"].concat();
    let video = |old: &[u8], new: &[u8]| {
        let media = atom(b"mdia", &[atom(b"mdhd", &header(1, new)), handler(b"vide")].concat());
        let track = atom(b"trak", &[atom(b"tkhd", &header(0, old)), media].concat());
        [brand(), atom(b"moov", &[atom(b"mvhd", &header(0, old)), track].concat())].concat()
    };
    assert_eq!(stripped(&video(b"2026", b"20261123"), Container::IsoMedia), video(&[0; 4], &[0; 8]));
}

#[test]
fn samples_of_metadata_tracks_are_removed() {
    let [begin, middle] = [b"picture", b"sounds!"];
    let mdat = |words: [&[u8]; 2]| atom(b"mdat", &[&begin[..], words[0], middle, words[1]].concat());
    let (first, second) = (brand().len() + 8 + 7, brand().len() + 8 + 7 + 4 + 7);
    for lengths in [vec![0, 3, 1, 2, 3], vec![2, 4]] {
        let last = if lengths[0] == 0 { 5 } else { 4 };
        let words = [&b"4820"[..], &b"N2E21"[..last]];
        let video = |handler: &[u8; 4]| {
            let track = track(handler, &[first, second], &[(1, 2), (2, last as u32 / 2)], &lengths);
            let kept = track_of(b"soun", &[]);
            [brand(), mdat(words), atom(b"moov", &[track, kept].concat())].concat()
        };
        let meta = video(b"meta");
        let clean = stripped(&meta, Container::IsoMedia);
        let zeros = [&[0; 4][..], &[0; 5][..last]];
        assert!(clean.starts_with(&[brand(), mdat(zeros)].concat()), "{clean:?}");
        assert!(contains(&clean, b"soun") && !contains(&clean, b"stco"));
        assert_eq!(stripped(&video(b"vide"), Container::IsoMedia), video(b"vide"));
    }
}

#[test]
fn boxes_with_a_64_bit_or_missing_length_are_parsed() {
    let long = |kind: &[u8]| [&[0, 0, 0, 1], kind, &[0, 0, 0, 0, 0, 0, 0, 20], b"here"].concat();
    let none = |kind: &[u8], content: &[u8]| [&[0; 4], kind, content].concat();
    let video = [brand(), long(b"udta"), long(b"mdat"), none(b"meta", LOCATION)].concat();
    let clean = stripped(&video, Container::IsoMedia);
    assert!(!contains(&clean, LOCATION) && !contains(&clean, b"udta") && contains(&clean, &long(b"mdat")));
    let video = [brand(), none(b"mdat", MEDIA)].concat();
    assert_eq!(stripped(&video, Container::IsoMedia), video);
}

#[test]
fn inconsistent_boxes_are_refused() {
    let moov = |content: &[u8]| [brand(), atom(b"moov", content)].concat();
    let wrong_table = track(b"meta", &[1], &[(0, 1)], &[4, 1]);
    let too_much = track(b"meta", &[0; 9], &[(1, u32::MAX)], &[u32::MAX, 1]);
    for video in [
        [brand(), b"\0\0\0\x09mdat".to_vec()].concat(),
        [brand(), b"\0\0\0\x07mdat".to_vec()].concat(),
        [brand(), b"\0\0\0\x01mdat\xff\xff\xff\xff\xff\xff\xff\xff".to_vec()].concat(),
        [brand(), b"\0\0\0\x01mdat".to_vec()].concat(),
        moov(b"\0\0\0\x10udta"),
        moov(&[&track_of(b"vide", b"")[..], b"\0\0\0\xffmeta"].concat()),
        moov(&atom(b"mvhd", b"\0\0\0")),
        moov(&atom(b"mvhd", b"")),
        moov(&wrong_table),
        moov(&too_much),
    ] {
        refused(&video, Container::IsoMedia);
    }
}

#[test]
fn a_fragmented_video_with_a_metadata_track_is_refused() {
    let video = |kind| {
        let moov = atom(b"moov", &[track_of(b"vide", b""), track(kind, &[], &[], &[0])].concat());
        [brand(), moov, atom(b"moof", &atom(b"traf", b"")), atom(b"mdat", MEDIA)].concat()
    };
    assert_eq!(stripped(&video(b"soun"), Container::IsoMedia), video(b"soun"));
    refused(&video(b"meta"), Container::IsoMedia);
}

#[test]
fn webm_tags_and_titles_are_overwritten_in_place() {
    let kept = element(&[0x2a, 0xd7, 0xb1], b"unit");
    let title = element(&[0x7b, 0xa9], b"+48.8584, at home");
    let tags = element(&[0x12, 0x54, 0xc3, 0x67], LOCATION);
    let small = b"\x44\x61\x80";
    let video = |infos: &[&[u8]], tags: &[u8]| {
        let info = element(&[0x15, 0x49, 0xa9, 0x66], &infos.concat());
        let cluster = element(&[0x1f, 0x43, 0xb6, 0x75], MEDIA);
        [webm(), element(&[0x18, 0x53, 0x80, 0x67], &[&info, &cluster[..], tags].concat())].concat()
    };
    let clean = stripped(&video(&[&title, &kept, small], &tags), Container::WebM);
    assert_eq!(clean, video(&[&void(title.len()), &kept, b"\xec\x40\0"], &void(tags.len())));
}

#[test]
fn webm_elements_of_unknown_length_are_parsed() {
    let block = element(&[0xa3], MEDIA);
    let video = |tags: &[u8]| {
        let unknown = b"\x18\x53\x80\x67\x01\xff\xff\xff\xff\xff\xff\xff";
        let cluster = [b"\x1f\x43\xb6\x75\xff", &block[..]].concat();
        [&webm()[..], unknown, &cluster, &cluster, tags].concat()
    };
    let tags = element(&[0x12, 0x54, 0xc3, 0x67], LOCATION);
    assert_eq!(stripped(&video(&tags), Container::WebM), video(&void(tags.len())));
    for wrong in [&b"\x12\x54\xc3\x67\xff"[..], b"\x12\x54\xc3\x67\x85tags", b"\x12\x54", b"\0\0", b"\xec"] {
        refused(&video(wrong), Container::WebM);
    }
}

proptest! {
    #[test]
    fn any_file_is_stripped_or_refused(
        container in prop_oneof![Just(Container::IsoMedia), Just(Container::WebM)],
        parts in prop::collection::vec(part(3), 0..8),
        cuts in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 0..4),
    ) {
        let head = if container == Container::WebM { webm() } else { brand() };
        let video = [head, parts.concat()].concat();
        let result = stripped_or_refused(video.clone(), container);
        let can_be_refused = container == Container::WebM || (contains(&video, b"moof") && contains(&video, b"trak"));
        prop_assert!(result.map_or(can_be_refused, |file| container == Container::WebM || !contains(&file, LOCATION)));
        let mut broken = video;
        for (at, byte) in cuts {
            let at = at.index(broken.len());
            broken[at] = byte;
        }
        stripped_or_refused(broken, container);
    }
}

/// Generates boxes, which may be nested. Boxes that must be removed contain locations.
fn part(deep: u32) -> impl Strategy<Value = Vec<u8>> {
    let kind = prop::sample::select(&[b"udta", b"meta", b"uuid", b"free", b"abcd"][..]);
    let leaf = kind.prop_map(|kind| atom(kind, LOCATION));
    leaf.prop_recursive(deep, 64, 6, |inner| {
        let outer = prop::sample::select(&[b"moov", b"trak", b"mdia", b"moof", b"traf", b"udta"][..]);
        (outer, prop::collection::vec(inner, 0..6)).prop_map(|(kind, parts)| atom(kind, &parts.concat()))
    })
}

fn stripped_or_refused(mut file: Vec<u8>, container: Container) -> Option<Vec<u8>> {
    let length = file.len();
    let done = strip(&mut file, container);
    assert_eq!(file.len(), length);
    done.is_ok().then_some(file)
}

fn stripped(file: &[u8], container: Container) -> Vec<u8> {
    stripped_or_refused(file.to_vec(), container).unwrap()
}

#[track_caller]
fn refused(file: &[u8], container: Container) {
    assert_eq!(strip(&mut file.to_vec(), container), Err(Reason::OtherType), "{file:?}");
}

fn contains(file: &[u8], word: &[u8]) -> bool {
    file.windows(word.len()).any(|part| part == word)
}

fn brand() -> Vec<u8> {
    atom(b"ftyp", b"isom\0\0\x02\0isom")
}

fn atom(kind: &[u8; 4], content: &[u8]) -> Vec<u8> {
    [&numbers(&[content.len() as u32 + 8])[..], kind, content].concat()
}

fn numbers(numbers: &[u32]) -> Vec<u8> {
    numbers.iter().flat_map(|it| it.to_be_bytes()).collect()
}

fn handler(kind: &[u8; 4]) -> Vec<u8> {
    atom(b"hdlr", &[&[0; 8], &kind[..], &[0; 12]].concat())
}

fn track_of(kind: &[u8; 4], tables: &[u8]) -> Vec<u8> {
    let tables = atom(b"minf", &atom(b"stbl", tables));
    atom(b"trak", &atom(b"mdia", &[handler(kind), tables].concat()))
}

/// Returns a track with chunks at these offsets. A run consists of its first chunk and the number of samples per chunk.
/// `lengths` is an encoded table.
fn track(kind: &[u8; 4], offsets: &[usize], runs: &[(u32, u32)], lengths: &[u32]) -> Vec<u8> {
    let offsets: Vec<_> = offsets.iter().map(|offset| *offset as u32).collect();
    let runs: Vec<_> = runs.iter().flat_map(|(first, samples)| [*first, *samples, 1]).collect();
    let counted = |count: usize, rest: &[u32]| numbers(&[&[0, count as u32], rest].concat());
    let tables = [
        atom(b"stco", &counted(offsets.len(), &offsets)),
        atom(b"stsc", &counted(runs.len() / 3, &runs)),
        atom(b"stsz", &numbers(&[&[0, lengths[0], lengths.len() as u32 - 1], &lengths[1..]].concat())),
    ];
    track_of(kind, &tables.concat())
}

fn webm() -> Vec<u8> {
    element(&[0x1a, 0x45, 0xdf, 0xa3], b"\x42\x82\x84webm")
}

fn element(id: &[u8], content: &[u8]) -> Vec<u8> {
    [id, &[0x01, 0, 0, 0, 0, 0, 0, content.len() as u8], content].concat()
}

fn void(bytes: usize) -> Vec<u8> {
    element(&[0xec], &vec![0; bytes - 9])
}
