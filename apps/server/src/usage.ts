import type { UsageApi } from '@sales-crm/core'
import type { Logger } from 'pino'
import { failureOf } from './errors.ts'
import { everySo } from './every-so.ts'

const SAVE_MS = 10_000
const ANNOUNCE_MS = 60_000

/** Adds what was counted to the database every ten seconds. @returns what ends it, once the last of it is added */
export function startCounting(usage: Pick<UsageApi, 'save'>, log: Pick<Logger, 'info' | 'error'>): () => Promise<void> {
  let failing = false

  async function save(): Promise<void> {
    try {
      await usage.save()
      if (failing) log.info('Counted calls are saved again.')
      failing = false
    } catch (error) {
      // Said once: it is tried again every ten seconds.
      if (!failing) log.error({ err: failureOf(error) }, 'Saving counted calls failed. It is tried again until it works.')
      failing = true
    }
  }

  const stop = everySo(SAVE_MS, save)
  return async () => {
    await stop()
    await save()
  }
}

/** Tells subscribers of the hours that are over, at once and every minute. @returns what ends it, once a round under way is over */
export function startAnnouncing(usage: Pick<UsageApi, 'announce'>, log: Pick<Logger, 'error'>): () => Promise<void> {
  let stopped = false

  async function announce(): Promise<void> {
    try {
      while (!stopped && (await usage.announce()) > 0);
    } catch (error) {
      log.error({ err: failureOf(error) }, 'Telling of counted calls failed. It is tried again in a minute.')
    }
  }

  const stop = everySo(ANNOUNCE_MS, announce, true)
  return () => {
    stopped = true
    return stop()
  }
}
