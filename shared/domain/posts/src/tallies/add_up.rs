//! Adding up the tallies of a post that very many like at once. See [`super`].

use std::time::Duration;

use base::ids::{PostId, UserId};
use futures::future::try_join_all;
use platform::{
    App, Result,
    table::{Key, Row, Write},
    time::Time,
};
use rand::RngExt;
use serde::{Deserialize, Serialize};
use strum::VariantArray;

use super::tally::{Tallied, Tally, TallyId};
use crate::{Counter, key, notices, settle_alone::settle_alone};

/// So many at most are counted on the post again: one transaction settles as many likes.
const FEW: i64 = 97;
/// How long tallies are open at least, while a post has some.
const PAUSE_MILLIS: i64 = 250;

/// The part of a post's row that says what is to be added up.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
struct TalliedPost {
    id: PostId,
    author: UserId,
    likes_seq: i64,
    is_deleted: bool,
    #[serde(default)]
    tallied: Option<Tallied>,
}

/// Has the post's counts include what lies in tallies up to the settlement with this number, and the author hear of it. Returns
/// whether that was left to do. Costs 1 call and 1 RRU; where it was, 30 calls more, 1 RRU, 28 WRU, and what the post and its
/// notifications cost in a transaction.
///
/// # Errors
/// [`platform::Error::LimitReached`] when others keep changing the post's likes.
pub(crate) async fn add_up(app: &App, post: PostId, seq: i64) -> Result<bool> {
    settle_alone(async || try_add_up(app, post, seq).await).await
}

/// Does the same in one attempt.
///
/// # Errors
/// [`platform::Error::Stale`] when somebody else changed the post's likes meanwhile.
pub(crate) async fn try_add_up(app: &App, post: PostId, seq: i64) -> Result<bool> {
    let Some((_, tallied)) = due(app, post, seq).await? else { return Ok(false) };
    pause_after(app, tallied.at).await;
    if let Some((post, tallied)) = due(app, post, tallied.seq()).await? {
        add_up_now(app, &post, tallied).await?;
    }
    Ok(true)
}

/// Adds up all that lies in a post's tallies by now, though no message says so. Costs 1 call and 1 RRU more, and has
/// the same errors.
pub async fn add_up_all(app: &App, post: PostId) -> Result<bool> {
    match due(app, post, i64::MAX).await? {
        Some((_, tallied)) => add_up(app, post, tallied.seq()).await,
        None => Ok(false),
    }
}

/// Returns the post where it has tallies that the settlement with this number adds up, or one before it.
async fn due(app: &App, post: PostId, seq: i64) -> Result<Option<(TalliedPost, Tallied)>> {
    let post = app.table.get::<TalliedPost>(&key(post)).await?;
    Ok(post.and_then(|post| post.tallied.filter(|it| it.after < seq).map(|it| (post, it))))
}

/// Lets others add to the tallies for a moment after they were added up: closing them refuses whoever is about to. Not all
/// who wait wake up together: the first one adds up for all.
async fn pause_after(app: &App, at: Time) {
    let open_until = at.millis() + PAUSE_MILLIS + rand::rng().random_range(0..PAUSE_MILLIS);
    let left = (open_until - app.now().millis()).clamp(0, 2 * PAUSE_MILLIS);
    tokio::time::sleep(Duration::from_millis(left.unsigned_abs())).await;
}

async fn add_up_now(app: &App, post: &TalliedPost, tallied: Tallied) -> Result<()> {
    let tallies = try_join_all(TallyId::all(post.id, tallied.seq()).map(|it| it.close(app))).await?;
    let heard = Counter::VARIANTS.iter().filter_map(|it| heard_write(app, post, *it, &tallies));
    app.table.transact([sum_write(app, post, &tallies)].into_iter().chain(heard).collect()).await
}

fn sum_write(app: &App, post: &TalliedPost, tallies: &[Tally]) -> Write {
    let seq = post.likes_seq + 1;
    let settled: i64 = tallies.iter().map(|it| it.settled).sum();
    let next = (settled > FEW && !post.is_deleted).then_some(Tallied { after: seq, at: app.now() });
    let write = Write::update(post.key()).set("likesSeq", seq).set_or_remove("tallied", next);
    let changes = changes(tallies).into_iter().filter(|(_, change)| *change != 0);
    let write = changes.fold(write, |write, (counter, change)| write.add(counter.attribute(), change));
    write.equals("likesSeq", post.likes_seq)
}

fn changes(tallies: &[Tally]) -> Vec<(Counter, i64)> {
    Counter::VARIANTS.iter().map(|it| (*it, of(tallies, *it).map(|it| it.change).sum())).collect()
}

fn of(tallies: &[Tally], counter: Counter) -> impl Iterator<Item = &Tally> {
    tallies.iter().filter(move |it| it.id.counter == counter)
}

/// Returns the write that counts what the author hears of, of one kind; none where the author left.
fn heard_write(app: &App, post: &TalliedPost, counter: Counter, tallies: &[Tally]) -> Option<Write> {
    let author = Some(post.author).filter(|it| *it != UserId::NOBODY)?;
    let first = of(tallies, counter).filter_map(|it| it.since).min()?;
    let newest = of(tallies, counter).max_by_key(|it| it.updated_at)?;
    let did = (newest.last_actor_id?, first, newest.updated_at?);
    let people = of(tallies, counter).map(|it| it.heard).sum();
    notices::counted(counter, author, post.id, did).count_rows_write(app, people)
}

/// `POST#id / POST`, a part of the post's row
impl Row for TalliedPost {
    const PART: Option<&'static str> = Some("id, author, likesSeq, isDeleted, tallied");

    fn key(&self) -> Key {
        key(self.id)
    }
}
