//! Texts of each kind, in the spellings that people use.

use super::*;

#[test]
fn slurs_incitement_and_advertising_are_hidden() {
    let short = "nigger | n1gger | faggot | f@ggot | you nigger | kike | tranny | bắc kỳ chó | bac ky cho | \
        lũ ba que | thằng mọi | kys | KYS | k y s | k.y.s | kyssss | kill yourself | k1ll yourself | \
        kill urself | k i l l y o u r s e l f | go die | hang yourself | you should kill yourself | \
        tự tử đi | tu tu di | t ự t ử đ i | nhảy lầu đi | nhay lau di | đi chết đi | mày nên tự tử | \
        treo cổ đi";
    let long = [
        "Free airdrop! Connect your wallet at https://airdrop.example",
        "Double your bitcoin, join our telegram https://t.me/example",
        "Crypto signals, guaranteed profit, whatsapp +1 555 010 9999",
        "Buy cheap followers now https://followers.example",
        "Kiếm tiền online 500k/ngày, zalo 0912 345 678",
        "vay tien nhanh lh 0912.345.678",
        "Nhà cái uy tín, đăng ký nhận 100k tại win88.club",
    ];
    for text in short.split(" | ").chain(long) {
        assert!(confidence(text) >= UNAMBIGUOUS, "{text}: {}", confidence(text));
    }
}

#[test]
fn short_insults_are_found_in_all_spellings() {
    let insults = "idiot | 1d10t | i d i o t | i.d.i.o.t | idiottttt | you idiot | moron | m0r0n | m o r o n | \
        dumbass | b!tch | b1tch | bitch | a$$hole | stfu | fuck you | f u c k y o u | fuk u | \
        you are pathetic | loser | l0ser | ngu | n g u | nguuuuu | ngu vl | đồ ngu | do ngu | \
        đ ồ n g u | th4ng ngu | thằng ngu | óc chó | oc cho | ó c c h ó | occho | thằngngu | \
        mất dạy | mat day | con đĩ | đồ chó | câm mồm | cam mom | cút mẹ mày đi | thằng điên";
    for text in insults.split(" | ") {
        assert!(confidence(text) >= 0.5, "{text}: {}", confidence(text));
    }
}

#[test]
fn advertising_with_a_contact_is_found() {
    for text in [
        "Make $500 a day from home, dm me",
        "Free iPhone, click here http://prize.example",
        "Cheap watches, order on whatsapp +86 138 0000 0000",
        "Get 10k followers for $9, dm us",
        "Weight loss pills 50% off, order now https://pills.example",
        "Join my forex group on telegram",
        "Casino bonus 200%, sign up at spins.example",
        "Payday loans approved today, apply now",
        "sub4sub",
        "Giảm cân cấp tốc, inbox mình nhé",
        "Sale 50% toàn shop, đặt ngay https://shop.example",
        "Tuyển ctv làm tại nhà, lương 10tr, ib",
        "tang like gia re ib zalo 0912345678",
        "Soi kèo miễn phí, vào nhóm telegram",
        "Bán acc giá rẻ, zalo 0912 345 678",
        "v a y t i ề n nhanh, lh 0912345678",
        "Đất nền giá gốc, hotline 0909 999 999",
    ] {
        assert!(confidence(text) >= 0.5, "{text}: {}", confidence(text));
    }
}

#[test]
fn friendly_and_ordinary_texts_stay_harmless() {
    for text in [
        "giết thời gian bằng phim",
        "chó nhà mình dễ thương quá",
        "chó sủa suốt đêm ngủ không được",
        "sáng sủa hẳn ra",
        "óc chó mỹ giá bao nhiêu một ký",
        "hạt óc chó tốt cho bà bầu",
        "trận này đá hay quá",
        "nóng muốn chết",
        "đẹp chết mất",
        "hoa chết hết rồi",
        "mày ơi mai đi học không",
        "tụi mày ăn cơm chưa",
        "thằng bé giỏi quá",
        "đồ ăn ngon lắm",
        "mình ngu toán lắm",
        "bán lại bàn học cũ 300k ai lấy ib mình",
        "shop ơi giá bao nhiêu",
        "số điện thoại của em là 0912345678",
        "đọc thêm tại https://vnexpress.net",
        "đừng tự tử nha bạn ơi",
        "cảnh báo lừa đảo vay tiền online",
        "killing time at the airport",
        "this workout is killing me",
        "you killed it last night",
        "i'm dying of laughter",
        "this cake is to die for",
        "dumb question but how do i reset this",
        "i am such an idiot, i forgot my keys",
        "great shot",
        "my battery is dead",
        "hang out with us",
        "please don't kill yourself, you matter",
        "bitcoin fell 5% today",
        "call me when you land",
        "thanks for 10k followers",
        "be careful, this airdrop is a scam",
        "Maine coon kittens",
    ] {
        assert!(confidence(text) < 0.5, "{text}: {}", confidence(text));
    }
}

#[test]
fn incitement_and_advertising_get_a_label_and_a_flag() {
    assert_eq!(label("kill yourself"), Label::SelfHarm);
    assert_eq!(label("Free airdrop, connect your wallet at https://airdrop.example"), Label::Spam);
    assert_eq!(grade("k y s").flags, [crate::Flag::Hate]);
    assert_eq!(grade("vay tien nhanh lh 0912.345.678").flags, [crate::Flag::Spam]);
}

#[test]
fn every_text_gets_a_confidence() {
    let confidences = (0..=u32::from(char::MAX)).step_by(997).filter_map(char::from_u32).map(|char| {
        let text = format!("{char}{char}{char}1{char} ngu{char}!b {char} {char}.{char}com 0{char}9");
        confidence(&text) + confidence(&text.repeat(3))
    });
    assert!(confidences.into_iter().all(|sum| (0.0..=2.0).contains(&sum)));
    for text in
        ["a ".repeat(5000), "n g u ".repeat(500), "0".repeat(5000), "!".repeat(5000), "ngu".repeat(900)]
    {
        assert!((0.0..=1.0).contains(&confidence(&text)));
    }
}
