import { isConflict } from '../../kernel/errors.ts'
import { addSeconds, MINUTE } from '../../kernel/instant.ts'
import type { Ports } from '../../ports/index.ts'
import type { Transaction } from '../../ports/storage.ts'
import type { UsageLog } from '../../schema/usage-log.ts'
import { sumRequests, type UsageCount, type UsageCounter } from './usage-counter.ts'

type RequiredPorts = Pick<Ports, 'storage' | 'now' | 'newId'>

/** Periods per transaction. */
const BATCH_SIZE = 100
/** Maximum attempts at a batch whose periods other processes create first. */
const MAX_ATTEMPTS = 20

/**
 * Adds the counted calls to the database. Calls of an hour whose event was emitted count for the current
 * hour. Counts that could not be saved return to the counter.
 * @throws Error when the database fails
 */
export async function saveUsage(ports: RequiredPorts, counter: UsageCounter): Promise<void> {
  if (await saveOnce(ports, counter)) await saveOnce(ports, counter)
}

/** Returns whether some calls were too late for their hour and were counted again. */
async function saveOnce(ports: RequiredPorts, counter: UsageCounter): Promise<boolean> {
  const drained = counter.drain()
  let saved = 0
  let hasLate = false
  try {
    for (; saved < drained.length; saved += BATCH_SIZE) {
      const lateCounts = await addCounts(ports, drained.slice(saved, saved + BATCH_SIZE))
      for (const count of lateCounts) counter.add(toCaller(count), ports.now(), count.requests)
      hasLate ||= lateCounts.length > 0
    }
    return hasLate
  } finally {
    for (const count of drained.slice(saved)) counter.add(toCaller(count), count.period_start, count.requests)
  }
}

/** Returns the counts whose hour has been announced. */
async function addCounts(
  ports: RequiredPorts,
  counts: readonly UsageCount[],
): Promise<readonly UsageCount[]> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await ports.storage.transact((tx) => addCountsIn(tx, ports, counts))
    } catch (error) {
      // Another process created a period first.
      if (!isConflict(error) || attempt === MAX_ATTEMPTS) throw error
    }
  }
}

async function addCountsIn(
  { usage_logs }: Transaction,
  { now, newId }: RequiredPorts,
  counts: readonly UsageCount[],
): Promise<readonly UsageCount[]> {
  const at = now()
  const workspaceIds = [...new Set(counts.map(({ workspace_id }) => workspace_id))]
  const existing = await usage_logs.find([
    { field: 'workspace_id', oneOf: workspaceIds },
    { field: 'period', oneOf: counts.map(({ period }) => period) },
  ])
  const ids = new Map(existing.map(({ period, id }) => [period, id]))
  const lateCounts: UsageCount[] = []
  const newLogs: UsageLog[] = []
  // Locks in the same order in all processes, which prevents deadlocks.
  for (const count of counts) {
    const id = ids.get(count.period)
    const log = id === undefined ? undefined : await usage_logs.getForUpdate(id)
    if (!log)
      newLogs.push({
        ...count,
        id: newId(),
        due_at: addSeconds(count.period_end, MINUTE),
        created_at: at,
        updated_at: at,
      })
    else if (log.due_at === null) lateCounts.push(count)
    else
      await usage_logs.update({ ...log, requests: sumRequests(log.requests, count.requests), updated_at: at })
  }
  await usage_logs.insertMany(newLogs)
  return lateCounts
}

function toCaller({ workspace_id, client_id }: UsageCount) {
  return { workspaceId: workspace_id, clientId: client_id }
}
