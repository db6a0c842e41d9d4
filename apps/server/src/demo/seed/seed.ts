import { CrmError, generateEntityCode, notFound } from '@sales-crm/core'
import type {
  Ports,
  RecordBase,
  RecordStore,
  Records,
  Transaction,
  WorkspaceStores,
} from '@sales-crm/core/ports'
import { makeActivity } from './make-activity.ts'
import { makeCompany, makeDeal, makePerson, makeTask, marketOfPhones } from './make-records.ts'
import { makeStageMoves, withRecentCreation } from './make-stage-moves.ts'
import { createRandomSource } from './random-source.ts'
import type { BatchPosition, SeedContext } from './seed-context.ts'
import { ensureLabels } from './seed-labels.ts'
import { ensureStages } from './seed-pipelines.ts'
import { ensureProducts } from './seed-products.ts'

const SEED_ENTITIES = ['companies', 'people', 'deals', 'tasks', 'activities'] as const
export type SeedEntity = (typeof SEED_ENTITIES)[number]
export type SeedCounts = Readonly<Record<SeedEntity, number>>

export interface SeedOptions {
  /** Slug. */
  readonly workspace: string
  readonly counts: SeedCounts
  /** Adds the moves of deals through the stages. */
  readonly hasMoves?: boolean
  readonly onProgress?: (kind: SeedEntity, done: number, count: number) => void
}

type SeedPorts = Pick<Ports, 'storage' | 'newId' | 'random' | 'now'>

/** Records per transaction: few enough that other writers do not wait long. */
const BATCH_SIZE = 1000
/** Maximum number of records per type that others refer to. */
const MAX_REFERENCED = 10_000

/**
 * Adds realistic records directly to the store, without validation and without events. Equal workspaces get
 * equal records except for ids and codes; a workspace that was seeded before gets different ones. Tags,
 * lists, custom fields, products and, for deals, pipelines are created if the workspace has none of the type.
 * @throws CrmError `not_found`
 */
export async function seed(
  ports: SeedPorts,
  { workspace, counts, hasMoves = false, onProgress }: SeedOptions,
): Promise<void> {
  const { storage } = ports
  const { id, existingCounts, types, baseContext } = await storage.read((tx) =>
    loadWorkspace(ports, tx, workspace),
  )
  const context: SeedContext = { ...baseContext, labels: await ensureLabels(ports, id) }
  await ensureProducts(ports, id)

  /** Returns records that others refer to: the new ones, or existing ones if none are requested. */
  async function add<C extends SeedEntity>(
    kind: C,
    make: (position: BatchPosition) => Records[C],
  ): Promise<readonly Records[C][]> {
    const count = counts[kind]
    if (count === 0) return storage.read((tx) => listNewest(storeOf(tx.workspace(id), kind)))
    const referencedRecords: Records[C][] = []
    for (let insertedCount = 0; insertedCount < count; ) {
      const size = Math.min(BATCH_SIZE, count - insertedCount)
      const batch = Array.from({ length: size }, (_, offset) =>
        make({ index: insertedCount + offset, count, existingCount: existingCounts[kind] }),
      )
      await insert(ports, id, kind, batch)
      referencedRecords.push(...batch.slice(0, MAX_REFERENCED - referencedRecords.length))
      insertedCount += size
      onProgress?.(kind, insertedCount, count)
    }
    return referencedRecords
  }

  const companies = await add('companies', (position) => makeCompany(context, position))
  const people = await add('people', (position) => makePerson(context, position, companies))
  const stages = counts.deals > 0 ? await ensureStages(ports, id) : []
  const contacts = {
    companies: Map.groupBy(companies, marketOfPhones),
    people: Map.groupBy(people, ({ company_id }) => company_id),
  }
  const deals = await add('deals', (position) => {
    const deal = makeDeal(context, position, stages, contacts)
    return hasMoves ? withRecentCreation(context, deal) : deal
  })
  if (hasMoves) {
    const moves = deals.flatMap((deal) => makeStageMoves(context, deal, stages))
    await storage.transact((tx) => tx.workspace(id).stage_moves.insertMany(moves))
  }
  const peopleById = new Map(people.map((person) => [person.id, person]))
  await add('tasks', (position) => {
    const deal = context.random.chance(0.6) ? context.random.pick(deals) : undefined
    const person = deal ? peopleById.get(deal.person_id ?? '') : context.random.pick(people)
    return makeTask(context, position, types, { deal, person })
  })
  await add('activities', (position) =>
    makeActivity(context, position, { companies, people, deals, peopleById }),
  )
}

async function loadWorkspace({ newId, random, now }: SeedPorts, tx: Transaction, slug: string) {
  const [workspace] = await tx.workspaces.find([{ field: 'slug', is: slug.toLowerCase() }])
  if (!workspace) throw notFound('Workspace')
  const stores = tx.workspace(workspace.id)
  const members = await stores.members.find([{ field: 'removed_at', is: null }])
  const types = await stores.task_types.find([])
  const existingCounts = {
    companies: await countRecords(stores.companies),
    people: await countRecords(stores.people),
    deals: await countRecords(stores.deals),
    tasks: await countRecords(stores.tasks),
    activities: await countRecords(stores.activities),
  }
  const totalCount = SEED_ENTITIES.reduce((sum, kind) => sum + existingCounts[kind], 0)
  const baseContext: Omit<SeedContext, 'labels'> = {
    random: createRandomSource(totalCount),
    newId,
    code: (letter) => generateEntityCode(letter, random),
    now: Date.parse(now()),
    timeZone: workspace.time_zone,
    owners: members.map(({ id }) => id),
  }
  return { id: workspace.id, existingCounts, types, baseContext }
}

async function countRecords<R extends RecordBase>(store: RecordStore<R>): Promise<number> {
  const { total } = await store.list({
    page: 1,
    per_page: 1,
    order_by: 'created_at',
    order: 'asc',
    where: [],
  })
  return total
}

async function listNewest<R extends RecordBase>(store: RecordStore<R>): Promise<readonly R[]> {
  const { rows } = await store.list({
    page: 1,
    per_page: MAX_REFERENCED,
    order_by: 'created_at',
    order: 'desc',
    where: [],
  })
  return rows
}

/** Inserts a batch, and retries it with new codes after a conflict, which only an existing code can cause. */
async function insert<C extends SeedEntity>(
  ports: SeedPorts,
  workspaceId: string,
  kind: C,
  batch: readonly Records[C][],
) {
  try {
    await ports.storage.transact((tx) => storeOf(tx.workspace(workspaceId), kind).insertMany(batch))
  } catch (error) {
    if (!(error instanceof CrmError) || error.code !== 'conflict') throw error
    const withNewCodes = batch.map((record) =>
      'entity_id' in record
        ? { ...record, entity_id: generateEntityCode(record.entity_id[0]!, ports.random) }
        : record,
    )
    await insert(ports, workspaceId, kind, withNewCodes)
  }
}

function storeOf<C extends SeedEntity>(stores: WorkspaceStores, kind: C): RecordStore<Records[C]> {
  return stores[kind]
}
