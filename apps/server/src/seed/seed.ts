import { CrmError, entityCode, notFound } from '@sales-crm/core'
import type { Ports, RecordBase, RecordStore, Records, Transaction, WorkspaceStores } from '@sales-crm/core/ports'
import { dice } from './dice.ts'
import { labelsOrFirst } from './labels.ts'
import { makeCompany, makeDeal, makePerson, makeTask, marketOfPhones } from './make.ts'
import { makeActivity } from './make-activity.ts'
import type { Making, Place } from './making.ts'
import { stagesOrFirst } from './pipelines.ts'
import { productsOrFirst } from './products.ts'

const SEEDED = ['companies', 'people', 'deals', 'tasks', 'activities'] as const
export type Seeded = (typeof SEEDED)[number]
export type Counts = Readonly<Record<Seeded, number>>

export interface SeedOptions {
  /** Slug. */
  readonly workspace: string
  readonly counts: Counts
  readonly onProgress?: (kind: Seeded, done: number, count: number) => void
}

type SeedPorts = Pick<Ports, 'storage' | 'newId' | 'random' | 'now'>

/** How many records share a transaction, so that nobody else waits long for theirs. */
const BATCH = 1000
/** How many records of a kind others link to. */
const LINKED = 10_000

/**
 * Adds realistic records, straight to the store: no rule is asked and nothing is announced. Equal workspaces get equal records
 * but for ids and codes, and a workspace that was seeded before gets others. Tags, lists, custom fields, products and, for deals,
 * pipelines are made where a workspace has none of the kind.
 * @throws CrmError `not_found`
 */
export async function seed(ports: SeedPorts, { workspace, counts, onProgress }: SeedOptions): Promise<void> {
  const { storage } = ports
  const { id, before, types, unlabelled } = await storage.read((tx) => lookedUp(ports, tx, workspace))
  const making: Making = { ...unlabelled, labels: await labelsOrFirst(ports, id) }
  await productsOrFirst(ports, id)

  /** Gives records to link to: those made, or those there when none are to be made. */
  async function add<C extends Seeded>(kind: C, make: (place: Place) => Records[C]): Promise<readonly Records[C][]> {
    const count = counts[kind]
    if (count === 0) return storage.read((tx) => newest(storeOf(tx.workspace(id), kind)))
    const linked: Records[C][] = []
    for (let done = 0; done < count; ) {
      const size = Math.min(BATCH, count - done)
      const batch = Array.from({ length: size }, (_, at) => make({ index: done + at, count, before: before[kind] }))
      await insert(ports, id, kind, batch)
      linked.push(...batch.slice(0, LINKED - linked.length))
      done += size
      onProgress?.(kind, done, count)
    }
    return linked
  }

  const companies = await add('companies', (place) => makeCompany(making, place))
  const people = await add('people', (place) => makePerson(making, place, companies))
  const stages = counts.deals > 0 ? await stagesOrFirst(ports, id) : []
  const known = { companies: Map.groupBy(companies, marketOfPhones), people: Map.groupBy(people, ({ company_id }) => company_id) }
  const deals = await add('deals', (place) => makeDeal(making, place, stages, known))
  const peopleById = new Map(people.map((person) => [person.id, person]))
  await add('tasks', (place) => {
    const deal = making.dice.chance(0.6) ? making.dice.pick(deals) : undefined
    const person = deal ? peopleById.get(deal.person_id ?? '') : making.dice.pick(people)
    return makeTask(making, place, types, { deal, person })
  })
  await add('activities', (place) => makeActivity(making, place, { companies, people, deals, peopleById }))
}

async function lookedUp({ newId, random, now }: SeedPorts, tx: Transaction, slug: string) {
  const [workspace] = await tx.workspaces.find([{ field: 'slug', is: slug.toLowerCase() }])
  if (!workspace) throw notFound('Workspace')
  const stores = tx.workspace(workspace.id)
  const members = await stores.members.find([{ field: 'removed_at', is: null }])
  const types = await stores.task_types.find([])
  const before = {
    companies: await countOf(stores.companies),
    people: await countOf(stores.people),
    deals: await countOf(stores.deals),
    tasks: await countOf(stores.tasks),
    activities: await countOf(stores.activities),
  }
  const there = SEEDED.reduce((sum, kind) => sum + before[kind], 0)
  const unlabelled: Omit<Making, 'labels'> = {
    dice: dice(there),
    newId,
    code: (letter) => entityCode(letter, random),
    now: Date.parse(now()),
    owners: members.map(({ id }) => id),
  }
  return { id: workspace.id, before, types, unlabelled }
}

async function countOf<R extends RecordBase>(store: RecordStore<R>): Promise<number> {
  const { total } = await store.list({ page: 1, per_page: 1, order_by: 'created_at', order: 'asc', where: [] })
  return total
}

async function newest<R extends RecordBase>(store: RecordStore<R>): Promise<readonly R[]> {
  const { rows } = await store.list({ page: 1, per_page: LINKED, order_by: 'created_at', order: 'desc', where: [] })
  return rows
}

/** A code that is taken already is the one conflict there can be: then the whole batch gets others. */
async function insert<C extends Seeded>(ports: SeedPorts, workspaceId: string, kind: C, batch: readonly Records[C][]) {
  try {
    await ports.storage.transact((tx) => storeOf(tx.workspace(workspaceId), kind).insertMany(batch))
  } catch (error) {
    if (!(error instanceof CrmError) || error.code !== 'conflict') throw error
    const recoded = batch.map((record) =>
      'entity_id' in record ? { ...record, entity_id: entityCode(record.entity_id[0]!, ports.random) } : record,
    )
    await insert(ports, workspaceId, kind, recoded)
  }
}

function storeOf<C extends Seeded>(stores: WorkspaceStores, kind: C): RecordStore<Records[C]> {
  return stores[kind]
}
