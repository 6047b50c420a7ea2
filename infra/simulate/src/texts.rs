//! Texts of the simulated users, grouped by the embedded judge's score.

use rand::{RngExt, rngs::StdRng, seq::IndexedRandom};

const DEEP: [&str; 4] = [
    "I used to think that my father said nothing because he felt nothing, but when we cleared his house I found \
     every letter I ever wrote. Perhaps he believed that I knew. Why do we leave so much unsaid to the people \
     we love, and how would you begin, if you could write to someone who is gone? I still remember his hands.",
    "We learned to read in a language that our grandparents did not speak, although they paid for the books. \
     I wonder what that did to us: I feel at home in stories they could never enter. Maybe that is why I write \
     to you in both. How do you decide which of your languages is the one that thinks?",
    "When I lost my work I realized how much of me had been a title. I felt ashamed, because my friends had jobs, \
     but one of them said that she had thought of me as a person all along. If you have been there, what helped \
     you? I believe that we owe each other that much honesty, even though it is hard.",
    "Tôi nhớ những buổi chiều mưa khi mẹ kể chuyện, vì lúc đó cả nhà ngồi lại với nhau. Nhưng bây giờ chúng ta \
     ít nói chuyện hơn, tuy ai cũng có điện thoại. Tôi nghĩ rằng mình nên hỏi nhau nhiều hơn, và nghe lâu hơn. \
     Các bạn cảm thấy thế nào, nếu một ngày không ai hỏi mình điều gì? Tôi đã học được rằng im lặng cũng là lời.",
];
const SOLID: [&str; 3] = [
    "I liked the second half more, because the town comes alive there and we see why she stayed for so long.",
    "Thank you for this. I think you are right about the ending, but the letter in the middle felt wrong to me.",
    "We could read something short next, if you have little time this month. How about one story each?",
];
const PLAIN: [&str; 3] =
    ["Good morning everyone here", "See you all on Sunday then", "This week was very long again"];
const EMPTY: [&str; 3] =
    ["ok", "😀😀😀😀😀😀😀😀😀😀", "https://a.example https://b.example https://c.example"];

/// Returns a random text by an author with this `skill` (0 to 1). `number` makes the text unique.
pub(crate) fn text(random: &mut StdRng, skill: f64, number: usize) -> String {
    let luck = skill + random.random_range(-0.35..0.35);
    match luck {
        luck if luck > 0.75 => numbered(random, &DEEP, number),
        luck if luck > 0.45 => numbered(random, &SOLID, number),
        luck if luck > 0.1 => numbered(random, &PLAIN, number),
        _ => EMPTY.choose(random).copied().unwrap_or_default().to_owned(),
    }
}

/// Returns a text of the best quality.
pub(crate) fn deep(random: &mut StdRng, number: usize) -> String {
    numbered(random, &DEEP, number)
}

fn numbered(random: &mut StdRng, texts: &[&str], number: usize) -> String {
    format!("{} ({number})", texts.choose(random).copied().unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;
    use domain::judge::embedded::grade;

    #[test]
    fn each_kind_of_text_gets_its_expected_score() {
        for (texts, low, high) in [(&DEEP[..], 7, 10), (&SOLID[..], 5, 6), (&PLAIN[..], 1, 4)] {
            for text in texts {
                let score = grade(&format!("{text} (1234)")).score;
                assert!((low..=high).contains(&score.whole()), "{score:?} {text}");
            }
        }
    }
}
