//! Videos as phones make them, and as nobody should.

use proptest::prelude::*;

use super::*;

/// What a phone writes: 48 degrees, 51 minutes north.
const PLACE: &[u8] = b"\xa9xyz\0\x12\x15\xc7+48.8584+002.2945/";
const IDENTITY: [u8; 16] = *b"\xbe\x7a\xcf\xcb\x97\xa9\x42\xe8\x9c\x71\x99\x94\x91\xe3\xaf\xac";
const SOUNDS: &[u8] = b"pictures and sounds";

#[test]
fn a_container_is_known_by_its_first_bytes() {
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
fn a_place_goes_from_wherever_cameras_write_it_and_nothing_moves() {
    let place = atom(b"udta", PLACE);
    let film = |places: [&[u8]; 3]| {
        let media = atom(b"mdia", &[&handler(b"vide")[..], &atom(b"minf", SOUNDS)].concat());
        let track = atom(b"trak", &[&media, places[2]].concat());
        let movie = atom(b"moov", &[places[1], &track, places[1]].concat());
        [&brand()[..], places[0], &movie, &atom(b"mdat", SOUNDS), places[0]].concat()
    };
    let identity = [&IDENTITY[..], PLACE].concat();
    for kind in [b"udta", b"meta", b"uuid", b"free", b"gps ", b"\xa9xyz"] {
        let found = atom(kind, &identity);
        let free = atom(b"free", &vec![0; identity.len()]);
        for at in 0..3 {
            let mut places = [&[][..]; 3];
            places[at] = &found;
            let mut expected = places;
            expected[at] = &free;
            assert_eq!(stripped(&film(places), Container::IsoMedia), film(expected), "{kind:?} at {at}");
        }
    }
    assert!(!says(&stripped(&film([&place; 3]), Container::IsoMedia), b"+48"));
}

#[test]
fn when_a_video_was_taken_goes() {
    let header = |version: u8, time: &[u8]| [&[version, 0, 0, 0][..], time, time, b"the rest"].concat();
    let film = |old: &[u8], new: &[u8]| {
        let media = atom(b"mdia", &[atom(b"mdhd", &header(1, new)), handler(b"vide")].concat());
        let track = atom(b"trak", &[atom(b"tkhd", &header(0, old)), media].concat());
        [brand(), atom(b"moov", &[atom(b"mvhd", &header(0, old)), track].concat())].concat()
    };
    assert_eq!(stripped(&film(b"2026", b"20261123"), Container::IsoMedia), film(&[0; 4], &[0; 8]));
}

#[test]
fn what_a_camera_writes_along_with_each_picture_goes() {
    let [begin, middle] = [b"picture", b"sounds!"];
    let mdat = |words: [&[u8]; 2]| atom(b"mdat", &[&begin[..], words[0], middle, words[1]].concat());
    let (first, second) = (brand().len() + 8 + 7, brand().len() + 8 + 7 + 4 + 7);
    for lengths in [vec![0, 3, 1, 2, 3], vec![2, 4]] {
        let last = if lengths[0] == 0 { 5 } else { 4 };
        let words = [&b"4820"[..], &b"N2E21"[..last]];
        let film = |handler: &[u8; 4]| {
            let track = track(handler, &[first, second], &[(1, 2), (2, last as u32 / 2)], &lengths);
            let kept = track_of(b"soun", &[]);
            [brand(), mdat(words), atom(b"moov", &[track, kept].concat())].concat()
        };
        let meta = film(b"meta");
        let clean = stripped(&meta, Container::IsoMedia);
        let zeros = [&[0; 4][..], &[0; 5][..last]];
        assert!(clean.starts_with(&[brand(), mdat(zeros)].concat()), "{clean:?}");
        assert!(says(&clean, b"soun") && !says(&clean, b"stco"));
        assert_eq!(stripped(&film(b"vide"), Container::IsoMedia), film(b"vide"));
    }
}

#[test]
fn a_box_may_have_a_long_length_or_none() {
    let long = |kind: &[u8]| [&[0, 0, 0, 1], kind, &[0, 0, 0, 0, 0, 0, 0, 20], b"here"].concat();
    let none = |kind: &[u8], content: &[u8]| [&[0; 4], kind, content].concat();
    let film = [brand(), long(b"udta"), long(b"mdat"), none(b"meta", PLACE)].concat();
    let clean = stripped(&film, Container::IsoMedia);
    assert!(!says(&clean, PLACE) && !says(&clean, b"udta") && says(&clean, &long(b"mdat")));
    let film = [brand(), none(b"mdat", SOUNDS)].concat();
    assert_eq!(stripped(&film, Container::IsoMedia), film);
}

#[test]
fn boxes_that_do_not_add_up_are_no_video() {
    let moov = |content: &[u8]| [brand(), atom(b"moov", content)].concat();
    let wrong_table = track(b"meta", &[1], &[(0, 1)], &[4, 1]);
    let too_much = track(b"meta", &[0; 9], &[(1, u32::MAX)], &[u32::MAX, 1]);
    for film in [
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
        refused(&film, Container::IsoMedia);
    }
}

#[test]
fn a_film_in_fragments_has_pictures_and_sounds_alone() {
    let film = |kind| {
        let moov = atom(b"moov", &[track_of(b"vide", b""), track(kind, &[], &[], &[0])].concat());
        [brand(), moov, atom(b"moof", &atom(b"traf", b"")), atom(b"mdat", SOUNDS)].concat()
    };
    assert_eq!(stripped(&film(b"soun"), Container::IsoMedia), film(b"soun"));
    refused(&film(b"meta"), Container::IsoMedia);
}

#[test]
fn tags_and_titles_go_from_webm_and_nothing_moves() {
    let kept = element(&[0x2a, 0xd7, 0xb1], b"unit");
    let title = element(&[0x7b, 0xa9], b"+48.8584, at home");
    let tags = element(&[0x12, 0x54, 0xc3, 0x67], PLACE);
    let small = b"\x44\x61\x80";
    let film = |infos: &[&[u8]], tags: &[u8]| {
        let info = element(&[0x15, 0x49, 0xa9, 0x66], &infos.concat());
        let cluster = element(&[0x1f, 0x43, 0xb6, 0x75], SOUNDS);
        [webm(), element(&[0x18, 0x53, 0x80, 0x67], &[&info, &cluster[..], tags].concat())].concat()
    };
    let clean = stripped(&film(&[&title, &kept, small], &tags), Container::WebM);
    assert_eq!(clean, film(&[&void(title.len()), &kept, b"\xec\x40\0"], &void(tags.len())));
}

#[test]
fn a_recording_of_a_browser_may_say_no_lengths() {
    let block = element(&[0xa3], SOUNDS);
    let film = |tags: &[u8]| {
        let unknown = b"\x18\x53\x80\x67\x01\xff\xff\xff\xff\xff\xff\xff";
        let cluster = [b"\x1f\x43\xb6\x75\xff", &block[..]].concat();
        [&webm()[..], unknown, &cluster, &cluster, tags].concat()
    };
    let tags = element(&[0x12, 0x54, 0xc3, 0x67], PLACE);
    assert_eq!(stripped(&film(&tags), Container::WebM), film(&void(tags.len())));
    for wrong in [&b"\x12\x54\xc3\x67\xff"[..], b"\x12\x54\xc3\x67\x85tags", b"\x12\x54", b"\0\0", b"\xec"] {
        refused(&film(wrong), Container::WebM);
    }
}

proptest! {
    #[test]
    fn no_file_breaks_it(
        container in prop_oneof![Just(Container::IsoMedia), Just(Container::WebM)],
        parts in prop::collection::vec(part(3), 0..8),
        cuts in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 0..4),
    ) {
        let head = if container == Container::WebM { webm() } else { brand() };
        let film = [head, parts.concat()].concat();
        let whole = stripped_or_refused(film.clone(), container);
        let may_be_refused = container == Container::WebM || (says(&film, b"moof") && says(&film, b"trak"));
        prop_assert!(whole.map_or(may_be_refused, |it| container == Container::WebM || !says(&it, PLACE)));
        let mut broken = film;
        for (at, byte) in cuts {
            let at = at.index(broken.len());
            broken[at] = byte;
        }
        stripped_or_refused(broken, container);
    }
}

/// A box of any kind that may have others in it, and places in those that are not shown.
fn part(deep: u32) -> impl Strategy<Value = Vec<u8>> {
    let kind = prop::sample::select(&[b"udta", b"meta", b"uuid", b"free", b"abcd"][..]);
    let leaf = kind.prop_map(|kind| atom(kind, PLACE));
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

fn says(file: &[u8], word: &[u8]) -> bool {
    file.windows(word.len()).any(|it| it == word)
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

/// A track with chunks at these places, in runs of first chunk and samples, and the table of lengths as it is written.
fn track(kind: &[u8; 4], places: &[usize], runs: &[(u32, u32)], lengths: &[u32]) -> Vec<u8> {
    let places: Vec<_> = places.iter().map(|it| *it as u32).collect();
    let runs: Vec<_> = runs.iter().flat_map(|(first, samples)| [*first, *samples, 1]).collect();
    let counted = |count: usize, rest: &[u32]| numbers(&[&[0, count as u32], rest].concat());
    let tables = [
        atom(b"stco", &counted(places.len(), &places)),
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
