/** Relative times, by the service's clock. */

import { timesIn } from "../shared/time.js";
import { now } from "../src/clock.js";

export const time = timesIn("en", now, "now");
