use super::*;

#[test]
fn locations_in_any_box_are_overwritten_in_place() {
    let location = atom(b"udta", LOCATION);
    let video = |locations: [&[u8]; 3]| {
        let media = atom(b"mdia", &[&handler(b"vide")[..], &atom(b"minf", &atom(b"stbl", b""))].concat());
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
    let fragment = atom(b"moof", b"");
    let with_fragment = |location| video(location, &known(&[7]), &fragment);
    assert_eq!(stripped(&with_fragment(location), Container::IsoMedia), with_fragment(zeros));
    let unknown = [known(&[7]), track_of(b"soun", b"")].concat();
    for tracks in [known(&[1]), unknown] {
        let same = video(location, &tracks, b"");
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
    let start = [brand(), movie(b"vide")].concat();
    let moov = |content: &[u8]| [&start[..], &atom(b"moov", content)].concat();
    let wrong_table = track(b"meta", &[1], &[(0, 1)], &[4, 1]);
    let too_much = track(b"meta", &[0; 9], &[(1, u32::MAX)], &[u32::MAX, 1]);
    for video in [
        [&start[..], b"\0\0\0\x09mdat"].concat(),
        [&start[..], b"\0\0\0\x07mdat"].concat(),
        [&start[..], b"\0\0\0\x01mdat\xff\xff\xff\xff\xff\xff\xff\xff"].concat(),
        [&start[..], b"\0\0\0\x01mdat"].concat(),
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
fn compact_lengths_of_samples_are_read() {
    let start = brand().len() + 8;
    let video = |lengths: &[u8], location: &[u8]| {
        let offsets = atom(b"stco", &numbers(&[0, 1, start as u32]));
        let runs = atom(b"stsc", &numbers(&[0, 1, 1, 2, 1]));
        let tables = [offsets, runs, atom(b"stz2", &[&[0; 7], lengths].concat())].concat();
        let media = atom(b"mdat", &[b"picture", location].concat());
        [brand(), media, atom(b"moov", &track_of(b"vide", &tables))].concat()
    };
    let tables = [&b"\x04\0\0\0\x02\x34"[..], b"\x08\0\0\0\x02\x03\x04", b"\x10\0\0\0\x02\0\x03\0\x04"];
    for lengths in tables {
        let clean = stripped(&video(lengths, b"48.85"), Container::IsoMedia);
        assert_eq!(clean, video(lengths, &[0; 5]), "{lengths:?}");
    }
    for lengths in [&b"\x05\0\0\0\x01\xff"[..], b"\x08\0\0\0\x02\x03", b"\x10", b"\x04\xff\xff\xff\xff"] {
        refused(&video(lengths, b""), Container::IsoMedia);
    }
}

#[test]
fn names_in_the_descriptions_of_tracks_are_removed() {
    let list = |entry: &[u8]| [&numbers(&[0, 1])[..], entry].concat();
    let video = |[handler, program, file]: [&[u8]; 3], location: &[u8]| {
        let handler = atom(b"hdlr", &[&[0; 8], &b"vide"[..], &[0; 12], handler].concat());
        let boxes = [&atom(b"avcC", b"settings")[..], location].concat();
        let description = atom(b"avc1", &[&[7; 42][..], program, &[9; 4], &boxes].concat());
        let files = atom(b"dref", &list(&atom(b"alis", &[&[0, 0, 0, 1], file].concat())));
        let descriptions = atom(b"stbl", &atom(b"stsd", &list(&description)));
        let parts = [atom(b"dinf", &files), descriptions].concat();
        let track = atom(b"trak", &atom(b"mdia", &[handler, atom(b"minf", &parts)].concat()));
        [brand(), atom(b"moov", &track)].concat()
    };
    let names = [&b"Camera of Ann\0"[..], b"\x1eCompressed by Ann at +48.8584 \0", b"Macintosh HD:Ann"];
    let zeros = names.map(|name| vec![0; name.len()]);
    let zeros = [&zeros[0][..], &zeros[1], &zeros[2]];
    let clean = stripped(&video(names, &atom(b"udta", LOCATION)), Container::IsoMedia);
    assert_eq!(clean, video(zeros, &atom(b"free", &vec![0; LOCATION.len()])));
    let short = atom(b"stsd", &list(&atom(b"avc1", b"x")));
    let short = [brand(), atom(b"moov", &track_of(b"vide", &short))].concat();
    assert_eq!(stripped(&short, Container::IsoMedia), short);
}

#[test]
fn bytes_between_the_samples_of_fragments_are_removed() {
    let media = |[before, between, note]: [&[u8]; 3]| {
        atom(b"mdat", &[before, b"picture", between, b"sounds!", note].concat())
    };
    let fragment = |note: &dyn Fn(u32) -> Vec<u8>| {
        let with_media_at = |at: u32| {
            let picture = part(1, (0x2_0000, &[]), (0x201, &[2, at + 13, 3, 4]));
            let sound = part(2, (0x2_0010, &[7]), (0x1, &[1, at + 13 + 7 + 1]));
            atom(b"moof", &[picture, sound, note(at + 13 + 7 + 1 + 7)].concat())
        };
        with_media_at(with_media_at(0).len() as u32 + 8)
    };
    let note = |at: u32| part(3, (0x2_0000, &[]), (0x1, &[1, at]));
    let no_note = |at: u32| atom(b"free", &vec![0; note(at).len() - 8]);
    let track = fragmented_track(3, b"meta");
    let no_track = atom(b"free", &vec![0; track.len() - 8]);
    let location = [&b"freeGPS 48.85"[..], b" ", b"48.85N"];
    let video = [brand(), fragmented(&track), fragment(&note), media(location)].concat();
    let zeros = [&[0; 13][..], &[0], &[0; 6]];
    let clean = [brand(), fragmented(&no_track), fragment(&no_note), media(zeros)].concat();
    assert_eq!(stripped(&video, Container::IsoMedia), clean);
}

#[test]
fn samples_of_fragments_can_follow_each_other() {
    let movie = fragmented(b"");
    let video = |location: &[u8]| {
        let with_media_at = |at: u32| {
            let picture = part(1, (0x1, &[0, at]), (0x200, &[2, 3, 4]));
            let sound = part(2, (0x10, &[3]), (0x0, &[1]));
            let more = atom(b"trun", &numbers(&[0xF00, 1, 9, 4, 9, 9]));
            let sound = atom(b"traf", &[&sound[8..], &more].concat());
            atom(b"moof", &[picture, sound].concat())
        };
        let at = brand().len() + movie.len() + with_media_at(0).len() + 8 + location.len();
        let media = atom(b"mdat", &[location, b"picturesounds!", location].concat());
        [brand(), movie.clone(), with_media_at(at as u32), media].concat()
    };
    assert_eq!(stripped(&video(b"48.85"), Container::IsoMedia), video(&[0; 5]));
}

#[test]
fn inconsistent_fragments_are_refused() {
    let video = |parts: &[u8]| [brand(), fragmented(b""), atom(b"moof", parts)].concat();
    for parts in [
        atom(b"traf", b""),
        atom(b"traf", &atom(b"tfhd", b"\0\0\0")),
        part(1, (0x1, &[0]), (0, &[1])),
        part(1, (0x10, &[7]), (0, &[u32::MAX])),
        part(3, (0x10, &[u32::MAX]), (0, &[u32::MAX])),
        part(1, (0, &[]), (0x200, &[2, 3])),
        part(1, (0, &[]), (0x1, &[1])),
        part(1, (0x2_0000, &[]), (0x1, &[1, i32::MIN as u32])),
    ] {
        refused(&video(&parts), Container::IsoMedia);
    }
}

/// Returns a movie with fragments: a video track, a sound track and `track`. Samples of track 3 have 6 bytes by default.
fn fragmented(track: &[u8]) -> Vec<u8> {
    let defaults = |(track, length)| atom(b"trex", &numbers(&[0, track, 1, 0, length, 0]));
    let defaults = [(1, 0), (2, 0), (3, 6)].map(defaults).concat();
    let tracks = [&fragmented_track(1, b"vide")[..], &fragmented_track(2, b"soun"), track].concat();
    atom(b"moov", &[tracks, atom(b"mvex", &defaults)].concat())
}

fn fragmented_track(id: u32, kind: &[u8; 4]) -> Vec<u8> {
    let track = track(kind, &[], &[], &[0]);
    atom(b"trak", &[&atom(b"tkhd", &numbers(&[0, 0, 0, id])), &track[8..]].concat())
}

/// Returns the part of a track in a fragment. The header and the run of samples each have flags and further numbers.
fn part(track: u32, (flags, fields): (u32, &[u32]), (run_flags, run): (u32, &[u32])) -> Vec<u8> {
    let header = atom(b"tfhd", &numbers(&[&[flags, track], fields].concat()));
    atom(b"traf", &[header, atom(b"trun", &numbers(&[&[run_flags], run].concat()))].concat())
}

pub(super) fn numbers(numbers: &[u32]) -> Vec<u8> {
    numbers.iter().flat_map(|number| number.to_be_bytes()).collect()
}

fn handler(kind: &[u8; 4]) -> Vec<u8> {
    atom(b"hdlr", &[&[0; 8], &kind[..], &[0; 12]].concat())
}

pub(super) fn track_of(kind: &[u8; 4], tables: &[u8]) -> Vec<u8> {
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
