import { generateEntityCode, isConflict, notFound } from '@sales-crm/core'
import { RESOURCES } from '@sales-crm/core/declarations'
import type { Page, Ports, RecordBase, RecordStore, Records } from '@sales-crm/core/ports'
import { completeRecord, toInstant, YEAR_MS } from './complete-record.ts'
import type { MakeFields, SeedContext } from './make-records.ts'
import { activityMaker, companyMaker, dealMaker, personMaker, taskMaker } from './make-records.ts'
import { makeStageMoves } from './make-stage-moves.ts'
import { RandomSource } from './random-source.ts'
import { ensureSettings } from './samples.ts'

type SeedEntity = 'companies' | 'people' | 'deals' | 'tasks' | 'activities'
export type SeedCounts = Readonly<Record<SeedEntity, number>>

interface SeedOptions {
  /** Slug. */
  readonly workspace: string
  readonly counts: SeedCounts
  /** Adds the moves of deals through the stages. */
  readonly hasMoves?: boolean
  readonly onProgress?: (kind: SeedEntity, done: number, count: number) => void
}

/** Records per transaction: few enough that other writers do not wait long. */
const BATCH_SIZE = 1000
/** Maximum number of records per type that others refer to. */
const MAX_REFERENCED = 10_000

/**
 * Adds realistic records directly to the store, without validation and without events. Equal workspaces get
 * equal records except for ids and codes; a workspace that was seeded before gets different ones. Tags,
 * lists, custom fields, products and pipelines are created if the workspace has none of the type.
 * @throws CrmError `not_found`
 */
export async function seed(
  ports: Pick<Ports, 'storage' | 'newId' | 'random' | 'now'>,
  { workspace: slug, counts, hasMoves = false, onProgress }: SeedOptions,
): Promise<void> {
  const { storage, newId } = ports
  const { workspace, owners, existing } = await storage.read(async (tx) => {
    const [workspace] = await tx.workspaces.find([{ field: 'slug', is: slug.toLowerCase() }])
    if (!workspace) throw notFound('Workspace')
    const stores = tx.workspace(workspace.id)
    const members = await stores.members.find([{ field: 'removed_at', is: null }])
    const existing: { readonly [C in SeedEntity]: Page<Records[C]> } = {
      companies: await listNewest(stores.companies, counts.companies),
      people: await listNewest(stores.people, counts.people),
      deals: await listNewest(stores.deals, counts.deals),
      tasks: await listNewest(stores.tasks, 1),
      activities: await listNewest(stores.activities, 1),
    }
    return { workspace, owners: members.map(({ id }) => id), existing }
  })
  const settings = await ensureSettings(ports, workspace.id)
  const random = new RandomSource(Object.values(existing).reduce((sum, { total }) => sum + total, 0))
  const now = Date.parse(ports.now())
  const randomOwner = () => (random.next() < 0.85 ? (random.pick(owners) ?? null) : null)
  const context: SeedContext = { ...settings, random, now, timeZone: workspace.time_zone, owners }

  /** Returns records that others refer to: the new ones, or existing ones if none are requested. */
  async function add<C extends SeedEntity>(
    kind: C,
    makeFields: MakeFields<Records[C]>,
  ): Promise<readonly Records[C][]> {
    const { rows, total } = existing[kind]
    const count = counts[kind]
    const referencedRecords = count === 0 ? [...rows] : []
    for (let insertedCount = 0; insertedCount < count; ) {
      const batch: Records[C][] = []
      while (batch.length < Math.min(BATCH_SIZE, count - insertedCount)) {
        const index = insertedCount + batch.length
        // The times spread over the past year, the oldest first.
        const spreadAt = now - YEAR_MS * (1 - (index + random.next()) / count)
        const base = { owner_user_id: randomOwner(), created_at: toInstant(spreadAt) }
        batch.push(completeRecord(kind, newId, { ...base, ...makeFields(total + index, spreadAt) }))
      }
      await insert(kind, batch)
      referencedRecords.push(...batch.slice(0, MAX_REFERENCED - referencedRecords.length))
      insertedCount += batch.length
      onProgress?.(kind, insertedCount, count)
    }
    return referencedRecords
  }

  /** Inserts a batch with codes. Repeats it after a conflict, which only the code of an existing record can cause. */
  async function insert<C extends SeedEntity>(kind: C, batch: readonly Records[C][]): Promise<void> {
    const { codePrefix } = RESOURCES[kind]
    const entityCode = () => codePrefix && { entity_id: generateEntityCode(codePrefix, ports.random) }
    const records = batch.map((record) => ({ ...record, ...entityCode() }))
    try {
      await storage.transact((tx) => {
        const store: RecordStore<Records[C]> = tx.workspace(workspace.id)[kind]
        return store.insertMany(records)
      })
    } catch (error) {
      if (!isConflict(error)) throw error
      await insert(kind, batch)
    }
  }

  const companies = await add('companies', companyMaker(context))
  const people = await add('people', personMaker(context, companies))
  const deals = await add('deals', dealMaker(context, companies, people))
  if (hasMoves) {
    const moves = deals.flatMap((deal) => makeStageMoves(context, newId, deal))
    await storage.transact((tx) => tx.workspace(workspace.id).stage_moves.insertMany(moves))
  }
  await add('tasks', taskMaker(context, people, deals))
  await add('activities', activityMaker(context, { companies, people, deals }))
}

/** Reads the records that others refer to if no new ones are requested, and always their number. */
async function listNewest<R extends RecordBase>(store: RecordStore<R>, newCount: number): Promise<Page<R>> {
  const per_page = newCount === 0 ? MAX_REFERENCED : 1
  return store.list({ page: 1, per_page, order_by: 'created_at', order: 'desc', where: [] })
}
