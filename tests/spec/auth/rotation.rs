//! A new secret, while tokens of the old one are about.

use std::sync::Arc;

use shared::{
    App,
    access::{self, Grant},
    one_time::{self, Issued, Purpose},
    settings::Settings,
    table::Write,
    users::{Role, Status},
};
use tests::World;

const OLD: &str = "the old secret, which has 32 bytes";
const NEW: &str = "the new secret, which has 32 bytes";

fn app(world: &World, current: &str, previous: &str) -> App {
    let settings = Settings::read(|name| {
        let value = match name {
            "TABLE_NAME" => world.stack.table_name(),
            "JWT_SECRET" => current,
            "JWT_SECRET_PREVIOUS" => previous,
            _ => "",
        };
        Some(value.to_owned())
    });
    let clock = world.stack.clock().clone();
    App::new(world.clients(), settings.unwrap(), Arc::new(move || clock.now()))
}

#[tokio::test]
async fn a_mailed_token_outlives_one_rotation_of_the_secret() {
    let world = World::new().await;
    let old = app(&world, OLD, "");
    let issued = Issued::new(Purpose::Reset, old.ids.next_user(old.now()));
    old.table.write(Write::put(&issued.row(&old).unwrap())).await.unwrap();
    let rotated = app(&world, NEW, OLD);
    let (token, _) = issued.find(&rotated).await.unwrap().expect("the token");
    one_time::present(&rotated, &token, Purpose::Reset).await.unwrap();
    assert!(issued.find(&app(&world, NEW, "")).await.unwrap().is_none());
}

#[tokio::test]
async fn a_token_pair_outlives_one_rotation_of_the_secret() {
    let world = World::new().await;
    let old = app(&world, OLD, "");
    let now = old.now();
    let (user, session) = (old.ids.next_user(now), old.ids.next(now));
    let (status, roles) = (Status::Active, vec![Role::User]);
    let pair = Grant { user, session, generation: 0, at: now, status, roles }.tokens(&old).unwrap();
    let rotated = app(&world, NEW, OLD);
    assert_eq!(access::read_access(&rotated, &pair.access_token).unwrap().sub, user);
    assert_eq!(access::read_refresh(&rotated, &pair.refresh_token).unwrap().sub, user);
    let later = app(&world, NEW, "");
    assert!(access::read_access(&later, &pair.access_token).is_err());
    assert!(access::read_refresh(&later, &pair.refresh_token).is_err());
}
