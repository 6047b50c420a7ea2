use super::*;

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
fn bytes_that_no_remaining_track_refers_to_are_removed() {
    let start = brand().len() + 8;
    let video = |[before, between, after]: [&[u8]; 3], tracks: &[u8], rest: &[u8]| {
        let media = atom(b"mdat", &[before, b"picture", between, b"sounds!", after].concat());
        [&brand()[..], &media, &atom(b"mdat", after), &atom(b"moov", tracks), rest].concat()
    };
    let location = [&b"freeGPS 48.85"[..], b" ", LOCATION];
    let zeros = location.map(|bytes| vec![0; bytes.len()]);
    let zeros = [&zeros[0][..], &zeros[1], &zeros[2]];
    let known = |lengths: &[u32]| {
        let picture = track(b"vide", &[start + 13], &[(1, 1)], &[0, 7]);
        [picture, track(b"soun", &[start + 13 + 7 + 1], &[(1, 7 / lengths[0].max(1))], lengths)].concat()
    };
    for lengths in [&[7][..], &[0, 7]] {
        let clean = stripped(&video(location, &known(lengths), b""), Container::IsoMedia);
        assert_eq!(clean, video(zeros, &known(lengths), b""), "{lengths:?}");
    }
    let fragment = atom(b"moof", &atom(b"traf", b""));
    let unknown = [known(&[7]), track_of(b"soun", b"")].concat();
    for (tracks, rest) in [(known(&[1]), &b""[..]), (unknown, b""), (known(&[7]), &fragment)] {
        let same = video(location, &tracks, rest);
        assert_eq!(stripped(&same, Container::IsoMedia), same);
    }
}

#[test]
fn a_chunk_may_extend_over_several_boxes() {
    let start = brand().len() + 8;
    let video = |last: &[u8]| {
        let media = [atom(b"mdat", b"picture"), atom(b"mdat", b"picture"), atom(b"mdat", last)].concat();
        [brand(), media, atom(b"moov", &track(b"vide", &[start, start + 3], &[(1, 1)], &[0, 37, 1]))].concat()
    };
    assert_eq!(stripped(&video(b"picture48.85"), Container::IsoMedia), video(b"picture\0\0\0\0\0"));
}

#[test]
fn boxes_with_a_64_bit_or_missing_length_are_parsed() {
    let long = |kind: &[u8]| [&[0, 0, 0, 1], kind, &[0, 0, 0, 0, 0, 0, 0, 20], b"here"].concat();
    let none = |kind: &[u8], content: &[u8]| [&[0; 4], kind, content].concat();
    let movie = atom(b"moov", &track_of(b"vide", b""));
    let video = [&brand()[..], &movie, &long(b"udta"), &long(b"mdat"), &none(b"meta", LOCATION)].concat();
    let clean = stripped(&video, Container::IsoMedia);
    assert!(!contains(&clean, LOCATION) && !contains(&clean, b"udta") && contains(&clean, &long(b"mdat")));
    let video = [brand(), movie, none(b"mdat", MEDIA)].concat();
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

fn numbers(numbers: &[u32]) -> Vec<u8> {
    numbers.iter().flat_map(|number| number.to_be_bytes()).collect()
}

fn handler(kind: &[u8; 4]) -> Vec<u8> {
    atom(b"hdlr", &[&[0; 8], &kind[..], &[0; 12]].concat())
}

fn track_of(kind: &[u8; 4], tables: &[u8]) -> Vec<u8> {
    let tables = atom(b"minf", &atom(b"stbl", tables));
    atom(b"trak", &atom(b"mdia", &[handler(kind), tables].concat()))
}

/// Returns a track with chunks at these offsets. Each run has the number of its first chunk, and the number of samples
/// in each of its chunks. `lengths` is an encoded table.
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
