//! Test animations: a red, a green and a blue frame, with metadata and with data after the end.

use std::io::Cursor;

use image::{
    AnimationDecoder, Frames, ImageFormat, Rgb, RgbImage,
    codecs::{gif::GifDecoder, png::PngDecoder, webp::WebPDecoder},
};

/// A text in each kind of metadata, which processing must remove.
pub(crate) const SECRET: &str = "4 Elm Street";

const COLORS: [[u8; 3]; 3] = [[255, 0, 0], [0, 255, 0], [0, 0, 255]];
const EXIF: &[u8] = b"II*\0\x08\0\0\0\0\0 4 Elm Street";

/// Returns an animation in each format, with its content type.
pub(crate) fn animations(width: u16, height: u16, frames: usize) -> [(&'static str, Vec<u8>); 3] {
    [
        ("image/gif", gif(width, height, frames)),
        ("image/png", apng(width, height, frames)),
        ("image/webp", webp(width, height, frames)),
    ]
}

/// Returns the color of the first pixel and the delay in milliseconds of each frame.
pub(crate) fn frames_of(file: &[u8]) -> Vec<([u8; 3], u32)> {
    let read = Cursor::new(file.to_vec());
    let frames: Frames<'_> = match image::guess_format(file).unwrap() {
        ImageFormat::Gif => GifDecoder::new(read).unwrap().into_frames(),
        ImageFormat::Png => PngDecoder::new(read).unwrap().apng().unwrap().into_frames(),
        ImageFormat::WebP => WebPDecoder::new(read).unwrap().into_frames(),
        format => panic!("{format:?}"),
    };
    let frame = |frame: image::Frame| {
        let [red, green, blue, _] = frame.buffer().get_pixel(0, 0).0;
        let (milliseconds, of) = frame.delay().numer_denom_ms();
        // The WebP decoder returns rounded colors.
        ([red, green, blue].map(|color| if color > 250 { 255 } else { color }), milliseconds / of)
    };
    frames.map(|read| frame(read.unwrap())).collect()
}

/// Returns the expected result of [`frames_of`].
pub(crate) fn expected(frames: usize) -> Vec<([u8; 3], u32)> {
    (0..frames).map(|index| (COLORS[index % 3], delay(index))).collect()
}

fn delay(frame: usize) -> u32 {
    [100, 200, 300][frame % 3]
}

fn gif(width: u16, height: u16, frames: usize) -> Vec<u8> {
    let mut encoder = gif::Encoder::new(Vec::new(), width, height, &COLORS.concat()).unwrap();
    encoder.set_repeat(gif::Repeat::Infinite).unwrap();
    let metadata = |name: u8, blocks: &[&[u8]]| (gif::AnyExtension(name), blocks.concat());
    for (name, block) in
        [metadata(0xfe, &[SECRET.as_bytes()]), metadata(0x01, &[&[0; 12], SECRET.as_bytes()])]
    {
        encoder.write_raw_extension(name, &[&block]).unwrap();
    }
    let xmp = [&b"XMP DataXMP"[..], SECRET.as_bytes()];
    encoder.write_raw_extension(gif::AnyExtension(0xff), &xmp).unwrap();
    for index in 0..frames {
        let pixels = vec![(index % 3) as u8; usize::from(width) * usize::from(height)];
        let mut frame = gif::Frame::from_indexed_pixels(width, height, pixels, None);
        frame.delay = u16::try_from(delay(index) / 10).unwrap();
        encoder.write_frame(&frame).unwrap();
    }
    [&encoder.into_inner().unwrap(), SECRET.as_bytes()].concat()
}

fn apng(width: u16, height: u16, frames: usize) -> Vec<u8> {
    let mut file = Vec::new();
    let mut encoder = png::Encoder::new(&mut file, width.into(), height.into());
    encoder.set_color(png::ColorType::Rgb);
    encoder.set_animated(u32::try_from(frames).unwrap(), 0).unwrap();
    encoder.add_text_chunk("Comment".to_owned(), SECRET.to_owned()).unwrap();
    encoder.add_itxt_chunk("XML:com.adobe.xmp".to_owned(), SECRET.to_owned()).unwrap();
    let mut writer = encoder.write_header().unwrap();
    writer.write_chunk(png::chunk::eXIf, EXIF).unwrap();
    for index in 0..frames {
        writer.set_frame_delay(u16::try_from(delay(index)).unwrap(), 1000).unwrap();
        let pixels = COLORS[index % 3].repeat(usize::from(width) * usize::from(height));
        writer.write_image_data(&pixels).unwrap();
    }
    writer.finish().unwrap();
    [&file, SECRET.as_bytes()].concat()
}

fn webp(width: u16, height: u16, frames: usize) -> Vec<u8> {
    let [wide, high] = [width, height].map(|side| u32::from(side - 1).to_le_bytes());
    let size = [&wide[..3], &high[..3]].concat();
    let mut content = b"WEBP".to_vec();
    // Flags of a WebP file: it has an animation, EXIF data and XMP data.
    chunk(&mut content, b"VP8X", &[&[0b1110, 0, 0, 0][..], &size].concat());
    chunk(&mut content, b"ANIM", &[0; 6]);
    for index in 0..frames {
        let header = [&[0; 6][..], &size, &delay(index).to_le_bytes()[..3], &[0]].concat();
        let mut frame = [header, still(width, height, index)].concat();
        chunk(&mut frame, b"note", SECRET.as_bytes());
        chunk(&mut content, b"ANMF", &frame);
    }
    for kind in [b"EXIF", b"XMP "] {
        chunk(&mut content, kind, EXIF);
    }
    let mut file = Vec::new();
    chunk(&mut file, b"RIFF", &content);
    [&file, SECRET.as_bytes()].concat()
}

/// Returns the image chunk of a WebP file of one color.
fn still(width: u16, height: u16, frame: usize) -> Vec<u8> {
    let mut file = Cursor::new(Vec::new());
    let image = RgbImage::from_pixel(width.into(), height.into(), Rgb(COLORS[frame % 3]));
    image.write_to(&mut file, ImageFormat::WebP).unwrap();
    file.into_inner()[12..].to_vec()
}

/// Adds a chunk of a WebP file.
pub(crate) fn chunk(file: &mut Vec<u8>, kind: &[u8; 4], content: &[u8]) {
    file.extend(kind);
    file.extend(u32::try_from(content.len()).unwrap().to_le_bytes());
    file.extend(content);
    file.extend(std::iter::repeat_n(0, content.len() % 2));
}
