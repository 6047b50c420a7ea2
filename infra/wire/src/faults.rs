//! What goes wrong, and when.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use rand::{RngExt, SeedableRng, rngs::StdRng, seq::IndexedRandom};
use tokio::sync::Semaphore;

/// One way for a call to AWS to go wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    /// Another writer is at the same row: the call did nothing.
    Conflict,
    /// A limit of the table or the account: the call did nothing.
    Throttle,
    /// Half of a batch comes back undone.
    Unprocessed,
    /// All of a batch but one comes back undone.
    BarelyProcessed,
    /// The call did its work; its answer never arrived.
    LostAnswer,
    /// The call did its work; its answer says that it went well, and breaks off.
    BrokenAnswer,
    /// Nothing ever answers: the call did nothing.
    NoAnswer,
    /// The service refuses, and would again: the call did nothing.
    Refused,
    /// The second half of a batch of messages or events is refused; of one message all.
    HalfRefused,
    /// The service says of all messages of a batch that it will never take them.
    NeverTaken,
    /// The service says that it has taken messages, and has lost them.
    Swallowed,
    /// The call waits until it is let go, and then goes well.
    Held,
    /// The function ends before the call.
    Crash,
    /// The function ends as soon as the call has done its work.
    CrashAfter,
}

/// Plans of what goes wrong. A clone shares them.
#[derive(Clone, Debug, Default)]
pub struct Faults(Arc<Mutex<Plans>>, Arc<Gate>);

/// Where held calls wait.
#[derive(Debug)]
struct Gate {
    arrived: Semaphore,
    released: Semaphore,
}

impl Default for Gate {
    fn default() -> Self {
        Self { arrived: Semaphore::new(0), released: Semaphore::new(0) }
    }
}

#[derive(Debug, Default)]
struct Plans {
    planned: Vec<Plan>,
    storm: Option<Storm>,
    struck: u32,
}

#[derive(Debug)]
struct Plan {
    operation: String,
    fault: Fault,
    pass: u32,
    times: u32,
}

#[derive(Debug)]
struct Storm {
    random: StdRng,
    per_mille: u32,
    faults: Vec<Fault>,
}

impl Faults {
    /// The next call of this operation (`UpdateItem`, `SendMessage`) goes wrong.
    pub fn next(&self, operation: &str, fault: Fault) {
        self.plan(operation, fault, 0, 1);
    }

    /// After `pass` calls that go well, so many `times` it goes wrong. A retry is a call too.
    pub fn plan(&self, operation: &str, fault: Fault, pass: u32, times: u32) {
        self.lock().planned.push(Plan { operation: operation.to_owned(), fault, pass, times });
    }

    /// Until [`Faults::calm`], so many of 100 calls go wrong in one of these ways, if they can.
    pub fn storm(&self, seed: u64, percent: u32, faults: &[Fault]) {
        self.storm_per_mille(seed, 10 * percent, faults);
    }

    /// The same, with so many of 1,000 calls.
    pub fn storm_per_mille(&self, seed: u64, per_mille: u32, faults: &[Fault]) {
        let random = StdRng::seed_from_u64(seed);
        self.lock().storm = Some(Storm { random, per_mille, faults: faults.to_vec() });
    }

    /// Nothing goes wrong any more. How many calls did since the last time: a test that means to
    /// show something asserts that it is not 0.
    pub fn calm(&self) -> u32 {
        std::mem::take(&mut *self.lock()).struck
    }

    /// While the next call of this operation that `holding` makes is held, `meanwhile` happens; then it goes on.
    pub async fn while_held<A, B>(
        &self,
        operation: &str,
        holding: impl Future<Output = A>,
        meanwhile: impl Future<Output = B>,
    ) -> (A, B) {
        self.next(operation, Fault::Held);
        let meanwhile = async {
            self.1.arrived.acquire().await.expect("a gate stays open").forget();
            let done = meanwhile.await;
            self.1.released.add_permits(1);
            done
        };
        tokio::join!(holding, meanwhile)
    }

    /// Waits until the call is let go.
    pub(super) async fn held(&self) {
        self.1.arrived.add_permits(1);
        self.1.released.acquire().await.expect("a gate stays open").forget();
    }

    /// Whether a call has gone wrong since the last calm.
    pub fn have_struck(&self) -> bool {
        self.lock().struck > 0
    }

    /// How this call goes wrong, if it does.
    pub(super) fn strike(&self, operation: &str) -> Option<Fault> {
        let mut plans = self.lock();
        let fault = plans.planned_for(operation).or_else(|| plans.storm.as_mut()?.fault(operation));
        plans.struck += u32::from(fault.is_some());
        fault
    }

    fn lock(&self) -> MutexGuard<'_, Plans> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Plans {
    fn planned_for(&mut self, operation: &str) -> Option<Fault> {
        let plan = self.planned.iter_mut().find(|it| it.operation == operation && it.times > 0)?;
        if plan.pass > 0 {
            plan.pass -= 1;
            return None;
        }
        plan.times -= 1;
        Some(plan.fault)
    }
}

impl Storm {
    fn fault(&mut self, operation: &str) -> Option<Fault> {
        let hit = self.random.random_range(0..1000) < self.per_mille;
        let fitting: Vec<_> = self.faults.iter().copied().filter(|it| it.fits(operation)).collect();
        fitting.choose(&mut self.random).copied().filter(|_| hit)
    }
}

impl Fault {
    /// Whether AWS could answer this operation so.
    fn fits(self, operation: &str) -> bool {
        let batch = matches!(operation, "BatchGetItem" | "BatchWriteItem");
        let table =
            batch || operation.ends_with("Item") || matches!(operation, "Query" | "TransactWriteItems");
        let writes = matches!(operation, "PutItem" | "UpdateItem" | "DeleteItem" | "TransactWriteItems");
        match self {
            Self::Conflict => writes,
            Self::Throttle => table,
            Self::Unprocessed | Self::BarelyProcessed => batch,
            Self::Refused => matches!(operation, "SendMessage" | "SendMessageBatch" | "PutEvents"),
            Self::HalfRefused => matches!(operation, "SendMessageBatch" | "PutEvents"),
            Self::NeverTaken | Self::Swallowed => operation == "SendMessageBatch",
            // Only what is planned waits: a storm lets nothing go.
            Self::Held => false,
            Self::LostAnswer | Self::BrokenAnswer | Self::NoAnswer | Self::Crash | Self::CrashAfter => true,
        }
    }
}
