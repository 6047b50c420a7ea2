//! Processing of videos: metadata such as the location is removed.

use serde_json::json;
use tests::World;

use super::{
    images::{contains, seen, uploads},
    put, puts, status_of,
};

const LOCATION: &[u8] = b"\xa9xyz\0\x12\x15\xc7+48.8584+002.2945/";
const MEDIA: &[u8] = b"pictures and sounds";

#[tokio::test]
async fn a_video_is_shown_without_its_location() {
    let (world, [ann]) = World::with(["ann"]).await;
    for (kind, video) in [("video/mp4", mp4()), ("video/quicktime", mp4()), ("video/webm", webm())] {
        assert!(contains(&video, b"+48.8584"), "the video has a location");
        let upload = uploads(&world, &ann, kind, video.clone()).await;
        assert_eq!(upload["status"], "PROCESSING", "{upload}");
        let shown = reqwest::get(upload["url"].as_str().unwrap()).await.unwrap();
        assert_eq!(shown.headers()["content-type"], kind);
        let shown = shown.bytes().await.unwrap();
        assert!(!contains(&shown, b"+48.8584") && !contains(&shown, b"xyz"), "{kind} has a location");
        assert!(contains(&shown, MEDIA) && shown.len() == video.len(), "{kind} is complete");
    }
}

#[tokio::test]
async fn a_truncated_video_is_refused_and_removed() {
    let (world, [ann]) = World::with(["ann"]).await;
    for (kind, mut video) in [("video/mp4", mp4()), ("video/webm", webm())] {
        video.pop();
        let ticket = puts(&ann, kind, &video).await;
        world.settle().await;
        let upload = seen(&ann, &ticket).await;
        let reason = "the file does not match its content type";
        assert_eq!(json!([upload["status"], upload["reason"]]), json!(["REFUSED", reason]));
        assert_eq!(status_of(&ticket["url"]).await, 404);
        assert_eq!(put(&ticket, kind, video).await, 200, "the refused file was removed");
    }
}

/// Returns a video as phones record it, with the location in the movie and in a track.
pub(super) fn mp4() -> Vec<u8> {
    with_metadata(&atom(b"meta", LOCATION), &atom(b"udta", LOCATION))
}

/// Returns a video without metadata.
pub(super) fn mp4_without_metadata() -> Vec<u8> {
    with_metadata(b"", b"")
}

fn with_metadata(of_track: &[u8], of_movie: &[u8]) -> Vec<u8> {
    let handler = atom(b"hdlr", b"\0\0\0\0\0\0\0\0vide\0\0\0\0\0\0\0\0\0\0\0\0\0");
    let track = atom(b"trak", &[&atom(b"mdia", &handler)[..], of_track].concat());
    let movie = atom(b"moov", &[&track[..], of_movie].concat());
    [atom(b"ftyp", b"qt  \0\0\0\0qt  "), atom(b"mdat", MEDIA), movie].concat()
}

fn webm() -> Vec<u8> {
    // A track with the number 1 and the type video, and a block of this track.
    let tracks = element(0x1654_AE6B, b"\xae\x86\xd7\x81\x01\x83\x81\x01");
    let block = [&[0xA3, 0x84 + MEDIA.len() as u8, 0x81, 0, 0, 0], MEDIA].concat();
    let [cluster, tags] = [element(0x1F43_B675, &block), element(0x1254_C367, LOCATION)];
    let head = element(0x1A45_DFA3, b"\x42\x82\x84webm");
    [head, element(0x1853_8067, &[tracks, cluster, tags].concat())].concat()
}

fn atom(kind: &[u8; 4], content: &[u8]) -> Vec<u8> {
    [&(content.len() as u32 + 8).to_be_bytes()[..], kind, content].concat()
}

fn element(id: u32, content: &[u8]) -> Vec<u8> {
    [&id.to_be_bytes()[..], &[0x80 | content.len() as u8], content].concat()
}
