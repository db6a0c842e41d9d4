import { isConflict } from '../errors.ts'
import { later, MINUTE } from '../instants.ts'
import type { Ports, Transaction } from '../ports.ts'
import { sum, type Tallies, type Tally } from './tally.ts'
import type { UsageLog } from './usage-log.ts'

type Needed = Pick<Ports, 'storage' | 'now' | 'newId'>

/** Periods in one transaction. */
const AT_ONCE = 100
/** So often a portion is tried whose periods others keep making first. */
const TRIES = 20

/**
 * Adds what was counted to the database. Calls of an hour that subscribers were told of already are counted for the present one. What
 * cannot be added is counted again for the next time. @throws Error when the database does not work
 */
export async function saveUsage(ports: Needed, counted: Tallies): Promise<void> {
  if (await saveOnce(ports, counted)) await saveOnce(ports, counted)
}

/** Whether some calls came too late for their hour, and are counted anew. */
async function saveOnce(ports: Needed, counted: Tallies): Promise<boolean> {
  const taken = counted.take()
  let saved = 0
  let late = false
  try {
    for (; saved < taken.length; saved += AT_ONCE) {
      const tooLate = await added(ports, taken.slice(saved, saved + AT_ONCE))
      for (const tally of tooLate) counted.add(callerOf(tally), ports.now(), tally.requests)
      late ||= tooLate.length > 0
    }
    return late
  } finally {
    for (const tally of taken.slice(saved)) counted.add(callerOf(tally), tally.period_start, tally.requests)
  }
}

/** Gives those whose hour is told already. */
async function added(ports: Needed, tallies: readonly Tally[]): Promise<readonly Tally[]> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await ports.storage.transact((tx) => addedIn(tx, ports, tallies))
    } catch (error) {
      // Another process made a period first.
      if (!isConflict(error) || tries === TRIES) throw error
    }
  }
}

async function addedIn({ usage_logs }: Transaction, { now, newId }: Needed, tallies: readonly Tally[]): Promise<readonly Tally[]> {
  const at = now()
  const found = await usage_logs.find([{ field: 'period', oneOf: tallies.map(({ period }) => period) }])
  const ids = new Map(found.map(({ period, id }) => [period, id]))
  const late: Tally[] = []
  const made: UsageLog[] = []
  // One after another, in the order that all processes keep: none waits for another in a circle.
  for (const tally of tallies) {
    const id = ids.get(tally.period)
    const log = id === undefined ? undefined : await usage_logs.getForUpdate(id)
    if (!log) made.push({ ...tally, id: newId(), due_at: later(tally.period_end, MINUTE), created_at: at, updated_at: at })
    else if (log.due_at === null) late.push(tally)
    else await usage_logs.update({ ...log, requests: sum(log.requests, tally.requests), updated_at: at }, log)
  }
  await usage_logs.insertMany(made)
  return late
}

function callerOf({ workspace_id, client_id }: Tally) {
  return { workspaceId: workspace_id, clientId: client_id }
}
