//! Removes metadata from animations. If an animation is damaged or too large, only its first frame is published.

use std::io::Cursor;

use gif::{Decoder, DecodingError, Encoder};
use image::{
    AnimationDecoder, ImageDecoder, ImageFormat,
    codecs::{png::PngDecoder, webp::WebPDecoder},
};

use super::chunks::{png_without_metadata, webp_without_metadata};

const FRAMES_MAX: usize = 1000;
/// Maximum number of pixels of a frame. It equals the maximum of the size `large`, because animations are not scaled down.
const FRAME_MAX_PIXELS: u64 = 2048 * 2048;
/// Maximum number of pixels of all frames.
const PIXELS_MAX: u64 = 300_000_000;
/// Maximum size of a re-encoded GIF, which is twice the maximum size of an upload. A small file can become very large,
/// because other programs compress some pictures better.
const GIF_MAX_BYTES: usize = 20 * 1024 * 1024;

/// Returns an animation without metadata. Returns `None` if the file is not an animation that can be shown. All frames
/// are decoded, so that clients get no damaged frames.
pub(super) fn without_metadata(file: &[u8], format: ImageFormat) -> Option<Vec<u8>> {
    match format {
        ImageFormat::Gif => encode_gif(file, GIF_MAX_BYTES),
        ImageFormat::Png => {
            let decoder = PngDecoder::new(Cursor::new(file)).ok()?;
            let decoder = decoder.is_apng().ok()?.then_some(decoder)?;
            check_frames(decoder.dimensions(), decoder.apng().ok()?)?;
            png_without_metadata(file)
        }
        ImageFormat::WebP => {
            let decoder = WebPDecoder::new(Cursor::new(file)).ok()?;
            check_frames(decoder.dimensions(), decoder)?;
            webp_without_metadata(file)
        }
        _ => None,
    }
}

/// Decodes a GIF, and encodes its frames with the same palettes and delays. Returns `None` if the result has more than
/// `max_bytes` bytes.
pub(super) fn encode_gif(file: &[u8], max_bytes: usize) -> Option<Vec<u8>> {
    let mut decoder = Decoder::new(file).ok()?;
    let (width, height) = (decoder.width(), decoder.height());
    let mut frames = Frames::new((width.into(), height.into()))?;
    let mut encoder =
        Encoder::new(Vec::new(), width, height, decoder.global_palette().unwrap_or_default()).ok()?;
    encoder.set_repeat(decoder.repeat()).ok()?;
    loop {
        let mut frame = match decoder.next_frame_info() {
            Ok(Some(frame)) => frame.clone(),
            // Many GIFs have no end marker.
            Ok(None) | Err(DecodingError::UnexpectedEof) => break,
            Err(_) => return None,
        };
        frames.add((frame.width.into(), frame.height.into()))?;
        let mut pixels = vec![0; decoder.buffer_size()];
        decoder.read_into_buffer(&mut pixels).ok()?;
        frame.buffer = pixels.into();
        // The decoder returns the lines of interlaced frames in order.
        frame.interlaced = false;
        encoder.write_frame(&frame).ok()?;
        if encoder.get_ref().len() > max_bytes {
            return None;
        }
    }
    let file = encoder.into_inner().ok()?;
    frames.are_several().then_some(file)
}

/// Decodes all frames. Returns `None` if a frame is damaged, or if there are too few or too many frames.
fn check_frames<'a>(size: (u32, u32), decoder: impl AnimationDecoder<'a>) -> Option<()> {
    let mut frames = Frames::new(size)?;
    for frame in decoder.into_frames() {
        frame.ok()?;
        frames.add(size)?;
    }
    frames.are_several().then_some(())
}

struct Frames {
    canvas_pixels: u64,
    frames: usize,
    pixels: u64,
}

impl Frames {
    /// Returns a counter for frames on a canvas. Returns `None` if the canvas is too large.
    fn new(canvas: (u32, u32)) -> Option<Self> {
        let canvas_pixels = area(canvas);
        (canvas_pixels <= FRAME_MAX_PIXELS).then_some(Self { canvas_pixels, frames: 0, pixels: 0 })
    }

    /// Counts a frame. Returns `None` if this frame exceeds a limit.
    fn add(&mut self, frame: (u32, u32)) -> Option<()> {
        self.frames += 1;
        // Clients draw the whole canvas for each frame.
        self.pixels += area(frame).max(self.canvas_pixels);
        (self.frames <= FRAMES_MAX && self.pixels <= PIXELS_MAX).then_some(())
    }

    fn are_several(&self) -> bool {
        self.frames > 1
    }
}

fn area((width, height): (u32, u32)) -> u64 {
    u64::from(width) * u64::from(height)
}
