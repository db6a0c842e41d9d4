import type { Crm } from '@sales-crm/core'
import type { Logger } from 'pino'
import { failureOf } from './errors.ts'
import { everySo } from './every-so.ts'

const EVERY_MS = 300_000

/** Has the core forget what is past its time, every few minutes. @returns what ends it, once a round under way is over */
export function startTidying(crm: Pick<Crm, 'tidy'>, log: Pick<Logger, 'error'>): () => Promise<void> {
  let stopped = false

  async function tidy(): Promise<void> {
    try {
      // Small portions, so that nobody waits for long.
      while (!stopped && (await crm.tidy()) > 0);
    } catch (error) {
      log.error({ err: failureOf(error) }, 'Tidying the database failed. It is tried again in a few minutes.')
    }
  }

  const stop = everySo(EVERY_MS, tidy)
  return () => {
    stopped = true
    return stop()
  }
}
