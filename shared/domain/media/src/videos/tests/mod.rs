//! Tests with videos as phones record them, and with malicious videos.

mod iso_media;
mod sound;
mod webm;

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
    let movie = |head: &[u8]| [head, &movie(b"vide")].concat();
    let segment = |head: &[u8]| [head, &webm::segment(&[&webm::tracks(&[&webm::track(1, 1, b"")])])].concat();
    for iso in [&mp4[..], mov, old] {
        assert_eq!(strip(&mut movie(iso), Container::IsoMedia), Ok(()));
        refused(&movie(iso), Container::WebM);
    }
    assert_eq!(strip(&mut segment(webm), Container::WebM), Ok(()));
    for (file, container) in [
        (&movie(heic)[..], Container::IsoMedia),
        (&segment(webm), Container::IsoMedia),
        (&segment(mkv), Container::WebM),
        (b"", Container::IsoMedia),
        (b"\0\0\0\x08", Container::IsoMedia),
    ] {
        refused(file, container);
    }
}

#[test]
fn a_video_without_picture_and_sound_is_refused() {
    let text = [brand(), movie(b"text")].concat();
    for video in
        [brand(), [brand(), atom(b"mdat", MEDIA)].concat(), [brand(), atom(b"moov", b"")].concat(), text]
    {
        refused(&video, Container::IsoMedia);
    }
    let subtitles = webm::segment(&[&webm::tracks(&[&webm::track(1, 17, b"")])]);
    for video in [webm(), [webm(), webm::segment(&[])].concat(), [webm(), subtitles].concat()] {
        refused(&video, Container::WebM);
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
        let video = [head, parts.concat(), movie(b"vide")].concat();
        let result = stripped_or_refused(video.clone(), container);
        // The tracks in the fragments have no header.
        let can_be_refused = container == Container::WebM || contains(&video, b"traf");
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

/// Returns a movie with one track and no samples.
fn movie(handler: &[u8; 4]) -> Vec<u8> {
    atom(b"moov", &iso_media::track_of(handler, b""))
}

fn brand() -> Vec<u8> {
    atom(b"ftyp", b"isom\0\0\x02\0isom")
}

fn atom(kind: &[u8; 4], content: &[u8]) -> Vec<u8> {
    [&(content.len() as u32 + 8).to_be_bytes()[..], kind, content].concat()
}

fn webm() -> Vec<u8> {
    element(&[0x1a, 0x45, 0xdf, 0xa3], b"\x42\x82\x84webm")
}

fn element(id: &[u8], content: &[u8]) -> Vec<u8> {
    [id, &(1 << 56 | content.len() as u64).to_be_bytes(), content].concat()
}
