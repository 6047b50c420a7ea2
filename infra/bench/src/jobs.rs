//! What workers take where one message brings much: for each group that a tick flushes, each circle of an hour, each photo,
//! each person who leaves.

use std::io::Cursor;

use anyhow::{Context, Result, ensure};
use image::{DynamicImage, ImageFormat, Rgb, RgbImage};
use serde_json::json;

use crate::{
    drains::{self, ByQueue, Drained},
    people::{PASSWORD, Person, answer},
    report::Table,
    scene::{Scene, each},
    serve::Command,
};

const TICK_SECONDS: u64 = 40;
const HOUR_SECONDS: u64 = 60 * 60;
const PHOTOS: usize = 10;
/// A small backlog has one photo for so many requests.
const BACKLOG_EACH: usize = 16;
/// 12 megapixels, as phones take them.
const PHOTO: (u32, u32) = (4000, 3000);
const JPEG: &str = "image/jpeg";
const LEAVERS: usize = 10;

/// Works off one occasion after the other. The network is another one afterwards.
pub(crate) async fn measure(scene: &Scene, backlog: usize) -> Result<ByQueue> {
    scene.server.settle().await?;
    let (flushed, circles) = (flush(scene, backlog).await?, drain_circles(scene).await?);
    let (photos, [withdrawn, erased]) = (look_at_photos(scene, backlog).await?, leave(scene).await?);
    let all = [
        ("a group of notifications, flushed", flushed),
        ("a circle, drained", circles),
        ("a photo of 12 megapixels", photos),
        ("somebody who left, withdrawn", withdrawn),
        ("the same, erased", erased),
    ];
    Ok(all.map(|(what, drained)| (what.to_owned(), drained)).into())
}

pub(crate) fn table(worked: &ByQueue) -> Table {
    drains::table_of("Jobs: where a message brings much, for each of it", ["work", "of these"], worked.iter())
}

/// Likes of many posts, each of which is a group.
async fn flush(scene: &Scene, backlog: usize) -> Result<Drained> {
    drains::pile_up(scene, backlog, |it| it.name == "POST /posts/{id}/like").await?;
    scene.server.tell::<ByQueue>(&Command::Drain).await?;
    scene.server.pass(TICK_SECONDS).await?;
    let mut all: ByQueue = scene.server.tell(&Command::Drain).await?;
    // Each group is an event that the relay publishes, and their sum is one.
    let events = all.get(drains::STREAM).map_or(0.0, |it| it.asked.events);
    Ok(taken(&mut all, "notification-tick")?.of((events as usize).saturating_sub(1)))
}

async fn drain_circles(scene: &Scene) -> Result<Drained> {
    scene.server.pass(HOUR_SECONDS).await?;
    let circles = scene.circles.len() + 2 * scene.around.len();
    Ok(drained(scene, "circle-drain").await?.of(circles))
}

async fn look_at_photos(scene: &Scene, backlog: usize) -> Result<Drained> {
    let (photo, photos) = (photo()?, PHOTOS.min(backlog.div_ceil(BACKLOG_EACH)));
    each(scene.clients.iter().cycle().take(photos), |who| put(scene, who, photo.clone())).await?;
    Ok(drained(scene, "media").await?.of(photos))
}

/// Each pixel is another one, as in a photo: what is smooth is decoded faster.
fn photo() -> Result<Vec<u8>> {
    let pixel = |x: u32, y: u32| {
        let noise = (x.wrapping_mul(2_654_435_761) ^ y.wrapping_mul(40_503)) >> 27;
        Rgb([(x >> 4) as u8, (y >> 4) as u8, ((x + y) >> 5) as u8].map(|it| it.wrapping_add(noise as u8)))
    };
    let mut bytes = Cursor::new(Vec::new());
    let image = DynamicImage::ImageRgb8(RgbImage::from_fn(PHOTO.0, PHOTO.1, pixel));
    image.write_to(&mut bytes, ImageFormat::Jpeg)?;
    Ok(bytes.into_inner())
}

async fn put(scene: &Scene, who: &Person, photo: Vec<u8>) -> Result<()> {
    let file = json!({ "filename": "a.jpg", "contentType": JPEG, "size": photo.len() });
    let ticket = answer(who.post("/upload", file)).await?;
    let address = ticket["data"]["uploadUrl"].as_str().context("no address to put it")?;
    let request = scene.server.http.put(address).header("content-type", JPEG).header("if-none-match", "*");
    let status = request.body(photo).send().await?.status();
    ensure!(status.is_success(), "a photo was answered {status}");
    Ok(())
}

/// People who have written and follow each other leave, and an hour later all of them is erased.
async fn leave(scene: &Scene) -> Result<[Drained; 2]> {
    let server = &scene.server;
    let names = server.network.people.iter().rev().take(LEAVERS);
    let sign_in = |name: &String| {
        let name = name.clone();
        async move { Person::sign_in(&server.http, &server.url, &name).await }
    };
    let people = each(names, sign_in).await?;
    let leave = |who: &Person| answer(who.delete("/auth/me", json!({ "password": PASSWORD })));
    each(people.iter(), leave).await?;
    let withdrawn = drained(scene, "leaving").await?.of(LEAVERS);
    server.pass(HOUR_SECONDS).await?;
    Ok([withdrawn, drained(scene, "leaving").await?.of(LEAVERS)])
}

/// Works off every queue, and returns what one of them took.
async fn drained(scene: &Scene, queue: &str) -> Result<Drained> {
    taken(&mut scene.server.tell(&Command::Drain).await?, queue)
}

fn taken(all: &mut ByQueue, queue: &str) -> Result<Drained> {
    all.remove(queue).with_context(|| format!("nothing waited in {queue}"))
}
