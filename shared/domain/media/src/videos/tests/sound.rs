use super::{
    iso_media::{numbers, track_of},
    *,
};

#[test]
fn quicktime_sound_has_the_length_of_its_description() {
    let start = brand().len() + 8;
    let fields =
        |version: u16| [&[0; 4], &version.to_be_bytes()[..], &[0; 6], &[0, 2, 0, 16], &[0; 8]].concat();
    let list = |kind: &[u8; 4], description: &[u8]| {
        atom(b"stsd", &[&numbers(&[0, 1])[..], &atom(kind, &[&[0; 4], description].concat())].concat())
    };
    let one = [fields(1), numbers(&[2, 4, 8, 2])].concat();
    let two = [fields(2), numbers(&[72, 0, 0, 2, 0x7F00_0000, 16, 12, 8, 2])].concat();
    let video = |description: &[u8], location: &[u8]| {
        let offsets = atom(b"stco", &numbers(&[0, 1, start as u32]));
        let runs = atom(b"stsc", &numbers(&[0, 1, 1, 4, 1]));
        let tables = [description, &offsets, &runs, &atom(b"stsz", &numbers(&[0, 1, 4]))].concat();
        let media = atom(b"mdat", &[b"sixteen bytes..!", location].concat());
        [brand(), media, atom(b"moov", &track_of(b"soun", &tables))].concat()
    };
    for description in [list(b"sowt", &fields(0)), list(b"ima4", &one), list(b"lpcm", &two)] {
        let clean = stripped(&video(&description, LOCATION), Container::IsoMedia);
        assert_eq!(clean, video(&description, &vec![0; LOCATION.len()]), "{description:?}");
    }
    let clean = stripped(&video(&list(b"ulaw", &fields(0)), b""), Container::IsoMedia);
    assert!(contains(&clean, b"sixteen \0"), "two channels of one byte");
    for unknown in [list(b"MAC6", &fields(0)), list(b"sowt", &fields(3)), list(b"sowt", b"")] {
        let same = video(&unknown, LOCATION);
        assert_eq!(stripped(&same, Container::IsoMedia), same, "{unknown:?}");
    }
}
