import { setImmediate } from 'node:timers/promises'

/** Runs enough event loop iterations to complete all work that waits for nothing else. */
export async function runEventLoop(iterations = 20): Promise<void> {
  for (let iteration = 0; iteration < iterations; iteration++) await setImmediate()
}
