use super::*;

#[test]
fn webm_tags_and_titles_are_overwritten_in_place() {
    let kept = element(&[0x2a, 0xd7, 0xb1], b"unit");
    let title = element(&[0x7b, 0xa9], b"+48.8584, at home");
    let tags = element(&[0x12, 0x54, 0xc3, 0x67], LOCATION);
    let small = b"\x44\x61\x80";
    let video = |infos: &[&[u8]], tags: &[u8]| {
        let info = element(&[0x15, 0x49, 0xa9, 0x66], &infos.concat());
        [webm(), segment(&[&info, &tracks(&[&track(1, 1, b"")]), &cluster(&[block(1)]), tags])].concat()
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
        let tracks = tracks(&[&track(1, 1, name), &track(2, 2, b""), subtitles]);
        let shown = [block(1), group(2)].concat();
        // The clusters are before the tracks.
        [webm(), segment(&[&cluster(&[shown, blocks.to_vec()]), &info, &tracks])].concat()
    };
    let subtitles = track(3, 0x11, b"");
    let clean =
        stripped(&video(b"Phone of Ann", &name, &subtitles, &[block(3), group(3)].concat()), Container::WebM);
    assert_eq!(clean, video(&[0; 12], &void(name.len()), &void(subtitles.len()), &hidden));
    for wrong in [
        tracks(&[&element(&[0xae], b"")]),
        cluster(&[element(&[0xa3], b"")]),
        cluster(&[element(&[0xa0], b"")]),
    ] {
        refused(&[webm(), segment(&[&tracks(&[&track(1, 1, b"")]), &wrong])].concat(), Container::WebM);
    }
}

#[test]
fn webm_elements_of_unknown_length_are_parsed() {
    let tracks = tracks(&[&track(1, 1, b"")]);
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

#[test]
fn additions_to_webm_blocks_are_removed() {
    let additions = element(&[0x75, 0xa1], &element(&[0xa6], LOCATION));
    let video = |additions: &[u8]| {
        let block = element(&[0xa1], &[&[0x81, 0, 0, 0], MEDIA].concat());
        let group = element(&[0xa0], &[&block[..], &element(&[0x9b], b"\x05"), additions].concat());
        [webm(), segment(&[&tracks(&[&track(1, 1, b"")]), &cluster(&[group])])].concat()
    };
    assert_eq!(stripped(&video(&additions), Container::WebM), video(&void(additions.len())));
}

#[test]
fn texts_in_the_settings_of_webm_tracks_are_removed() {
    let video = |codec: &[u8], settings: &[u8], picture: &[u8]| {
        let parts = [element(&[0x86], codec), settings.to_vec(), element(&[0xe0], picture)].concat();
        [webm(), segment(&[&tracks(&[&track(1, 1, &parts)])])].concat()
    };
    let settings = |bytes: &[u8]| element(&[0x63, 0xa2], bytes);
    let vorbis = |comment: &[u8]| {
        let [first, setup] = [&[b'i'; 300][..], b"\x05vorbis and the setup"];
        settings(&[&[2, 255, 45, comment.len() as u8], first, comment, setup].concat())
    };
    let comment = [b"\x03vorbis", &b"\x03\0\0\0Ann\x01\0\0\0\x0c\0\0\0NOTE=at home\x01"[..]].concat();
    let empty = [b"\x03vorbis", &b"\x13\0\0\0"[..], &[b' '; 19], b"\0\0\0\0\x01"].concat();
    assert_eq!(comment.len(), empty.len());
    let clean = stripped(&video(b"A_VORBIS", &vorbis(&comment), b""), Container::WebM);
    assert_eq!(clean, video(b"A_VORBIS", &vorbis(&empty), b""));
    for (codec, bytes) in
        [(&b"V_VP8"[..], LOCATION), (b"V_OTHER", LOCATION), (b"V_VP9", LOCATION), (b"V_VP8\0\0", b"x")]
    {
        let found = settings(bytes);
        assert_eq!(
            stripped(&video(codec, &found, b""), Container::WebM),
            video(codec, &void(found.len()), b"")
        );
    }
    let opus = b"OpusHead\x01\x02\x38\x01\x80\xbb\0\0\0\0\0";
    let surround = b"OpusHead\x01\x03\x38\x01\x80\xbb\0\0\0\0\x01\x02\x01\0\x01\x02";
    for (codec, bytes) in [
        (&b"A_OPUS"[..], &opus[..]),
        (b"A_OPUS", surround),
        (b"V_VP9", b"\x01\x01\x02"),
        (b"V_AV1", b"\x81\0\x0c\0"),
    ] {
        let same = video(codec, &settings(bytes), b"");
        assert_eq!(stripped(&same, Container::WebM), same);
    }
    for head in [&opus[..], surround] {
        let [found, clean] = [LOCATION, &[0; LOCATION.len()]].map(|rest| settings(&[head, rest].concat()));
        assert_eq!(stripped(&video(b"A_OPUS", &found, b""), Container::WebM), video(b"A_OPUS", &clean, b""));
    }
    let name = element(&[0x53, 0x6e], LOCATION);
    let clean = stripped(&video(b"V_VP9", b"", &name), Container::WebM);
    assert_eq!(clean, video(b"V_VP9", b"", &void(name.len())));
    for (codec, bytes) in
        [(&b"A_OPUS"[..], LOCATION), (b"A_OPUS", b"OpusHead"), (b"A_VORBIS", LOCATION), (b"A_VORBIS", b"")]
    {
        refused(&video(codec, &settings(bytes), b""), Container::WebM);
    }
}

fn void(bytes: usize) -> Vec<u8> {
    element(&[0xec], &vec![0; bytes - 9])
}

pub(super) fn segment(elements: &[&[u8]]) -> Vec<u8> {
    element(&[0x18, 0x53, 0x80, 0x67], &elements.concat())
}

pub(super) fn tracks(tracks: &[&[u8]]) -> Vec<u8> {
    element(&[0x16, 0x54, 0xae, 0x6b], &tracks.concat())
}

/// Returns a track with a number and a type. Type 1 is video, type 2 is audio, and type 17 is subtitles.
pub(super) fn track(number: u8, kind: u8, rest: &[u8]) -> Vec<u8> {
    element(&[0xae], &[&element(&[0xd7], &[number])[..], &element(&[0x83], &[kind]), rest].concat())
}

fn cluster(blocks: &[Vec<u8>]) -> Vec<u8> {
    element(&[0x1f, 0x43, 0xb6, 0x75], &blocks.concat())
}

fn block(track: u8) -> Vec<u8> {
    element(&[0xa3], &[&[0x80 | track, 0, 0, 0], MEDIA].concat())
}
