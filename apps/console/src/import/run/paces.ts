import { Pace } from './pace.ts'
import { wait } from './timing.ts'

const MINUTE_MS = 60_000
const timing = { now: () => Date.now(), wait }

/** Fewer than the 200 that the service allows a member, so that the member can go on working. */
export const WRITES_PER_MINUTE = 150

/** Of all imports of this tab. */
export const writePace = new Pace(WRITES_PER_MINUTE, MINUTE_MS, timing)
export const readPace = new Pace(600, MINUTE_MS, timing)
