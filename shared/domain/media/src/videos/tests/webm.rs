use super::*;

#[test]
fn webm_tags_and_titles_are_overwritten_in_place() {
    let kept = element(&[0x2a, 0xd7, 0xb1], b"unit");
    let title = element(&[0x7b, 0xa9], b"+48.8584, at home");
    let tags = element(&[0x12, 0x54, 0xc3, 0x67], LOCATION);
    let small = b"\x44\x61\x80";
    let video = |infos: &[&[u8]], tags: &[u8]| {
        let info = element(&[0x15, 0x49, 0xa9, 0x66], &infos.concat());
        [webm(), segment(&[&info, &tracks(&[&webm_track(1, 1, b"")]), &cluster(&[block(1)]), tags])].concat()
    };
    let clean = stripped(&video(&[&title, &kept, small], &tags), Container::WebM);
    assert_eq!(clean, video(&[&void(title.len()), &kept, b"\xec\x40\0"], &void(tags.len())));
}

#[test]
fn webm_names_and_subtitles_are_removed() {
    let name = element(&[0x53, 0x6e], b"Camera of Ann, 48.8584");
    let group = |track: u8| element(&[0xa0], &element(&[0xa1], &[&[0x80 | track, 0, 0, 0], MEDIA].concat()));
    let hidden = [&block(3)[..], &group(3)].map(|bytes| void(bytes.len())).concat();
    let video = |app: &[u8], name: &[u8], subtitles: &[u8], blocks: &[u8]| {
        let info = element(&[0x15, 0x49, 0xa9, 0x66], &element(&[0x57, 0x41], app));
        let tracks = tracks(&[&webm_track(1, 1, name), &webm_track(2, 2, b""), subtitles]);
        let shown = [block(1), group(2)].concat();
        // The clusters are before the tracks.
        [webm(), segment(&[&cluster(&[shown, blocks.to_vec()]), &info, &tracks])].concat()
    };
    let subtitles = webm_track(3, 0x11, b"");
    let clean =
        stripped(&video(b"Phone of Ann", &name, &subtitles, &[block(3), group(3)].concat()), Container::WebM);
    assert_eq!(clean, video(&[0; 12], &void(name.len()), &void(subtitles.len()), &hidden));
    for wrong in [
        tracks(&[&element(&[0xae], b"")]),
        cluster(&[element(&[0xa3], b"")]),
        cluster(&[element(&[0xa0], b"")]),
    ] {
        refused(&[webm(), segment(&[&wrong])].concat(), Container::WebM);
    }
}

#[test]
fn webm_elements_of_unknown_length_are_parsed() {
    let tracks = tracks(&[&webm_track(1, 1, b"")]);
    let video = |tags: &[u8]| {
        let unknown = b"\x18\x53\x80\x67\x01\xff\xff\xff\xff\xff\xff\xff";
        let cluster = [b"\x1f\x43\xb6\x75\xff", &block(1)[..]].concat();
        [&webm()[..], unknown, &tracks, &cluster, &cluster, tags].concat()
    };
    let tags = element(&[0x12, 0x54, 0xc3, 0x67], LOCATION);
    assert_eq!(stripped(&video(&tags), Container::WebM), video(&void(tags.len())));
    for wrong in [&b"\x12\x54\xc3\x67\xff"[..], b"\x12\x54\xc3\x67\x85tags", b"\x12\x54", b"\0\0", b"\xec"] {
        refused(&video(wrong), Container::WebM);
    }
}

fn void(bytes: usize) -> Vec<u8> {
    element(&[0xec], &vec![0; bytes - 9])
}

fn segment(elements: &[&[u8]]) -> Vec<u8> {
    element(&[0x18, 0x53, 0x80, 0x67], &elements.concat())
}

fn tracks(tracks: &[&[u8]]) -> Vec<u8> {
    element(&[0x16, 0x54, 0xae, 0x6b], &tracks.concat())
}

/// Returns a track with a number and a type. Type 1 is video, type 2 is audio, and type 17 is subtitles.
fn webm_track(number: u8, kind: u8, rest: &[u8]) -> Vec<u8> {
    element(&[0xae], &[&element(&[0xd7], &[number])[..], &element(&[0x83], &[kind]), rest].concat())
}

fn cluster(blocks: &[Vec<u8>]) -> Vec<u8> {
    element(&[0x1f, 0x43, 0xb6, 0x75], &blocks.concat())
}

fn block(track: u8) -> Vec<u8> {
    element(&[0xa3], &[&[0x80 | track, 0, 0, 0], MEDIA].concat())
}
