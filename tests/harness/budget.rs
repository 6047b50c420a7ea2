//! Checks the AWS costs of requests and jobs against the budgets in `shared/keys.toml`.

use local::keys::{Budget, KEYS};

use wire::Cost;

use crate::world::World;

impl World {
    /// Runs `work`, checks its cost against the budget `name`, and returns its result.
    pub async fn budget<T>(&self, name: &str, work: impl Future<Output = T>) -> T {
        let (done, cost) = self.cost_of(work).await;
        check_cost(name, &cost);
        done
    }
}

/// Checks a cost against the budget with this name.
///
/// # Panics
/// Panics if the cost differs from the budget. If the budget is a maximum, panics if the cost exceeds it.
#[track_caller]
pub fn check_cost(name: &str, cost: &Cost) {
    let counts = [cost.calls, cost.sends, cost.messages, cost.announcements].map(f64::from);
    let ([calls, sends, messages, announcements], rru, wru) = (counts, cost.rru, cost.wru);
    check(name, &Budget { calls, rru, wru, sends, messages, announcements, at_most: false });
}

/// Checks average costs against the budget with this name.
///
/// # Panics
/// Panics if the costs differ from the budget. If the budget is a maximum, panics if the costs exceed it.
#[track_caller]
pub fn check(name: &str, took: &Budget) {
    let budget = KEYS.budget(name).unwrap_or_else(|| panic!("keys.toml has no budget {name:?}"));
    let mut pairs = figures(took).into_iter().zip(figures(budget));
    let holds = pairs.all(|(took, limit)| took == limit || (budget.at_most && took < limit));
    assert!(holds, "{name} may take {budget:?}, but took {took:?}");
}

fn figures(budget: &Budget) -> [f64; 6] {
    let Budget { calls, rru, wru, sends, messages, announcements, .. } = *budget;
    [calls, rru, wru, sends, messages, announcements]
}
