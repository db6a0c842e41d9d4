import type { Records, Storage } from '@sales-crm/core/ports'
import { expectDeliveredEvents } from './delivered-events.ts'
import type { FaultEnvironment } from './environment.ts'
import { expectIntegrity } from './integrity.ts'
import { expectStoredDeals } from './stored-deals.ts'
import { expectStoredTasks } from './stored-tasks.ts'
import type { AcknowledgedWrites } from './writers.ts'

const FIRST = { page: 1, per_page: 1, order_by: 'created_at', order: 'asc', where: [] } as const

/** All that the writers may have left in a database. */
export interface StoredRecords {
  readonly tasks: readonly Records['tasks'][]
  readonly deals: readonly Records['deals'][]
  readonly people: readonly Records['people'][]
  readonly stages: readonly Records['stages'][]
  readonly moves: readonly Records['stage_moves'][]
  readonly webhooks: readonly Records['webhooks'][]
  readonly deliveries: readonly Records['deliveries'][]
  readonly snapshots: readonly Records['snapshots'][]
  /** Answers that are kept under a key. */
  readonly answers: number
  /** How many there are by the pages of lists. */
  readonly totals: { readonly tasks: number; readonly deals: number; readonly people: number }
}

/**
 * Compares the database with what its callers know: every acknowledged write is there, no half of one, none
 * that nobody asked for, what stood under a key once, for each webhook exactly the events of what is there,
 * and the database is sound. @throws Error that says which is missing
 */
export async function expectStored(
  place: FaultEnvironment,
  written: AcknowledgedWrites,
): Promise<{ readonly tasks: number; readonly events: number }> {
  const kept = await place.look(({ storage }) => storage.read((tx) => loadStored(tx, place.workspaceId)))
  expectStoredTasks(kept, written)
  expectStoredDeals(kept, written)
  expectDeliveredEvents(kept, written)
  expectTotals(kept)
  await expectIntegrity(place)
  return { tasks: kept.tasks.length, events: kept.deliveries.length }
}

async function loadStored(
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
    answers: (await tx.idempotency_keys.find([])).length,
    totals: {
      tasks: (await stores.tasks.list(FIRST)).total,
      deals: (await stores.deals.list(FIRST)).total,
      people: (await stores.people.list(FIRST)).total,
    },
  }
}

function expectTotals(kept: StoredRecords): void {
  for (const kind of ['tasks', 'deals', 'people'] as const) {
    const [there, counted] = [kept[kind].length, kept.totals[kind]]
    if (there !== counted) throw new Error(`${there} ${kind} are there, and ${counted} are counted.`)
  }
}
