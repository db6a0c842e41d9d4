import type { Records, Storage } from '@sales-crm/core/ports'
import { expectDeliveredEvents } from './delivered-events.ts'
import type { FaultEnvironment } from './environment.ts'
import { expectIntegrity } from './integrity.ts'
import { expectStoredDeals } from './stored-deals.ts'
import { expectStoredTasks } from './stored-tasks.ts'
import type { AcknowledgedWrites } from './writers.ts'

const FIRST_PAGE = { page: 1, per_page: 1, order_by: 'created_at', order: 'asc', where: [] } as const

/** All records that the writers may have created. */
export interface StoredRecords {
  readonly tasks: readonly Records['tasks'][]
  readonly deals: readonly Records['deals'][]
  readonly people: readonly Records['people'][]
  readonly stages: readonly Records['stages'][]
  readonly moves: readonly Records['stage_moves'][]
  readonly webhooks: readonly Records['webhooks'][]
  readonly deliveries: readonly Records['deliveries'][]
  readonly snapshots: readonly Records['snapshots'][]
  /** Number of responses stored under an idempotency key. */
  readonly storedResponses: number
  /** The totals of the list pages. */
  readonly totals: { readonly tasks: number; readonly deals: number; readonly people: number }
}

/**
 * Compares the database with what its callers know: every acknowledged write is stored completely, nothing
 * else is stored, each idempotency key has one record, each webhook has exactly the events of the stored
 * changes, and the database passes its integrity checks.
 * @throws Error describing the first difference
 */
export async function expectStored(
  environment: FaultEnvironment,
  writes: AcknowledgedWrites,
): Promise<{ readonly tasks: number; readonly events: number }> {
  const stored = await loadStored(environment)
  expectStoredTasks(stored, writes)
  expectStoredDeals(stored, writes)
  expectDeliveredEvents(stored, writes)
  expectTotals(stored)
  await expectIntegrity(environment)
  return { tasks: stored.tasks.length, events: stored.deliveries.length }
}

/** Loads all records that the writers may have created. */
export function loadStored({ withCore, workspaceId }: FaultEnvironment): Promise<StoredRecords> {
  return withCore(({ storage }) => storage.read((tx) => readStored(tx, workspaceId)))
}

async function readStored(
  tx: Parameters<Parameters<Storage['read']>[0]>[0],
  workspaceId: string,
): Promise<StoredRecords> {
  const stores = tx.workspace(workspaceId)
  return {
    tasks: await stores.tasks.find([]),
    deals: await stores.deals.find([]),
    people: await stores.people.find([]),
    stages: await stores.stages.find([]),
    moves: await stores.stage_moves.find([]),
    webhooks: await stores.webhooks.find([]),
    deliveries: await stores.deliveries.find([]),
    snapshots: await stores.snapshots.find([]),
    storedResponses: (await tx.idempotency_keys.find([])).length,
    totals: {
      tasks: (await stores.tasks.list(FIRST_PAGE)).total,
      deals: (await stores.deals.list(FIRST_PAGE)).total,
      people: (await stores.people.list(FIRST_PAGE)).total,
    },
  }
}

/** @throws Error if the total of a list differs from the number of its records */
export function expectTotals(stored: StoredRecords): void {
  for (const kind of ['tasks', 'deals', 'people'] as const) {
    const [storedCount, total] = [stored[kind].length, stored.totals[kind]]
    if (storedCount !== total)
      throw new Error(`${storedCount} ${kind} are stored, and the list total is ${total}.`)
  }
}
