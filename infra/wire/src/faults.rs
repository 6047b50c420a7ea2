//! Plans the faults to inject into AWS calls.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use rand::{RngExt, SeedableRng, rngs::StdRng, seq::IndexedRandom};
use tokio::sync::Notify;

/// A fault to inject into a call to AWS.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    /// The call conflicts with another writer of the row and has no effect.
    Conflict,
    /// The call exceeds a limit of the table or account and has no effect.
    Throttle,
    /// The service returns half of a batch as unprocessed.
    Unprocessed,
    /// The service returns all items of a batch except one as unprocessed.
    BarelyProcessed,
    /// The call succeeds, but the response is lost.
    LostAnswer,
    /// The call succeeds, but the connection fails in the middle of the response.
    BrokenAnswer,
    /// The call has no effect and never completes.
    NoAnswer,
    /// The call fails with a permanent error and has no effect.
    Refused,
    /// The second half of a batch of messages or events fails. A batch with only one item fails completely.
    HalfRefused,
    /// All messages of a batch fail permanently.
    NeverTaken,
    /// The service accepts the messages and loses them.
    Swallowed,
    /// The call waits until the test releases the call, and then succeeds.
    Held,
    /// The function crashes before the call.
    Crash,
    /// The function crashes after the call succeeded.
    CrashAfter,
}

/// Faults that a test has planned. Clones share the plan.
#[derive(Clone, Debug, Default)]
pub struct Faults(Arc<Mutex<Plans>>, Arc<Gate>);

/// Lets a test wait until a call is held, and then release it.
#[derive(Debug, Default)]
struct Gate {
    arrived: Notify,
    released: Notify,
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
    /// Injects `fault` into the next call of an operation, such as `UpdateItem` or `SendMessage`.
    pub fn next(&self, operation: &str, fault: Fault) {
        self.plan(operation, fault, 0, 1);
    }

    /// Lets the next `pass` calls of an operation succeed. Then injects `fault` into `times` calls. Retries count as calls.
    pub fn plan(&self, operation: &str, fault: Fault, pass: u32, times: u32) {
        self.lock().planned.push(Plan { operation: operation.to_owned(), fault, pass, times });
    }

    /// Injects one of `faults` into `percent` of all calls, until [`Faults::calm`]. Skips faults that an operation cannot
    /// have.
    pub fn storm(&self, seed: u64, percent: u32, faults: &[Fault]) {
        self.storm_per_mille(seed, 10 * percent, faults);
    }

    /// Works like [`Faults::storm`], but takes the number of failing calls per 1,000 calls.
    pub fn storm_per_mille(&self, seed: u64, per_mille: u32, faults: &[Fault]) {
        let random = StdRng::seed_from_u64(seed);
        self.lock().storm = Some(Storm { random, per_mille, faults: faults.to_vec() });
    }

    /// Removes all planned faults. Returns the number of injected faults since the last `calm`.
    pub fn calm(&self) -> u32 {
        std::mem::take(&mut *self.lock()).struck
    }

    /// Runs `holding` until its next call of `operation`. Then runs `meanwhile`, and then the rest of `holding`. Returns
    /// both results.
    pub async fn while_held<A, B>(
        &self,
        operation: &str,
        holding: impl Future<Output = A>,
        meanwhile: impl Future<Output = B>,
    ) -> (A, B) {
        self.next(operation, Fault::Held);
        let meanwhile = async {
            self.1.arrived.notified().await;
            let done = meanwhile.await;
            self.1.released.notify_one();
            done
        };
        tokio::join!(holding, meanwhile)
    }

    /// Waits until [`Faults::while_held`] releases the call.
    pub(super) async fn held(&self) {
        self.1.arrived.notify_one();
        self.1.released.notified().await;
    }

    /// Returns whether a fault was injected since the last [`Faults::calm`].
    pub fn have_struck(&self) -> bool {
        self.lock().struck > 0
    }

    /// Returns the fault to inject into this call, or `None`.
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
        let plan = self.planned.iter_mut().find(|plan| plan.operation == operation && plan.times > 0)?;
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
        let fitting: Vec<_> = self.faults.iter().copied().filter(|fault| fault.fits(operation)).collect();
        fitting.choose(&mut self.random).copied().filter(|_| hit)
    }
}

impl Fault {
    /// Returns whether a storm can inject this fault into calls of the operation.
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
            // Only planned faults hold calls, because a storm never releases them.
            Self::Held => false,
            Self::LostAnswer | Self::BrokenAnswer | Self::NoAnswer | Self::Crash | Self::CrashAfter => true,
        }
    }
}
