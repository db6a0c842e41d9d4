import { deleteWithin } from '../../engine/delete-record.ts'
import type { Engine } from '../../engine/extension.ts'
import { versionOf } from '../../engine/record-version.ts'
import { inWorkspace, type WorkspaceTransaction } from '../../engine/workspace-transaction.ts'
import type { Actor } from '../../kernel/actor.ts'
import type { RecordBase } from '../../kernel/record.ts'
import type { RecordStore } from '../../kernel/record-store.ts'
import type { Condition } from '../../ports/index.ts'
import type { Transaction } from '../../ports/storage.ts'
import type { Example, ExampleKind } from '../../schema/example.ts'
import { whereLinkedTo } from '../../schema/link-lists.ts'
import { companies } from '../companies/company.ts'
import { deals } from '../deals/deal.ts'
import { people } from '../people/person.ts'
import { pipelines } from '../pipelines/pipeline.ts'
import { tasks } from '../tasks/task.ts'
import { loadParts } from './example.ts'

/** An example that stays, and is an ordinary record from then on. */
export interface KeptExample {
  readonly kind: ExampleKind
  readonly id: string
  readonly name: string
  /** `changed`: somebody changed it. `linked`: a record that stays is linked to it. */
  readonly reason: 'changed' | 'linked'
}

export interface ExampleRemoval {
  /** Number of records that were deleted. */
  readonly removed: number
  /** In the order in which they were made. */
  readonly kept: readonly KeptExample[]
}

/** The fields by which records refer to examples. */
const LINKS: readonly (readonly [
  from: 'people' | 'deals' | 'tasks' | 'activities',
  field: string,
  to: ExampleKind,
])[] = [
  ['people', 'company_id', 'companies'],
  ['deals', 'person_id', 'people'],
  ['deals', 'company_id', 'companies'],
  ['deals', 'pipeline_id', 'pipelines'],
  ['tasks', 'person_id', 'people'],
  ['tasks', 'company_id', 'companies'],
  ['tasks', 'deal_id', 'deals'],
  ['activities', 'person_id', 'people'],
  ['activities', 'company_id', 'companies'],
  ['activities', 'deal_id', 'deals'],
]

/** Each after those that refer to it. */
const DELETION_ORDER: readonly ExampleKind[] = ['tasks', 'deals', 'people', 'companies', 'pipelines']

/** Deletes the examples that nobody changed or linked, and forgets all of them. */
export async function removeExamples(engine: Engine, actor: Actor, tx: Transaction): Promise<ExampleRemoval> {
  const transaction = inWorkspace(tx, actor)
  const examples = await transaction.stores.examples.find([])
  const records = await loadRecords(examples, transaction)
  const reasons = await findReasons(examples, records, engine, transaction)
  const removed = [...records.values()].filter(({ id }) => !reasons.has(id))
  const kindOf = new Map(examples.map(({ id, kind }) => [id, kind]))
  for (const kind of DELETION_ORDER)
    for (const { id } of removed.filter((record) => kindOf.get(record.id) === kind))
      await deleteExample(kind, id, engine, actor, tx)
  for (const { id } of examples) await transaction.stores.examples.hardDelete(id)
  const kept = examples.flatMap(({ id, kind }) => {
    const [record, reason] = [records.get(id), reasons.get(id)]
    return record && reason ? [{ kind, id, name: nameOf(record), reason }] : []
  })
  return { removed: removed.length, kept }
}

/** The examples that were not deleted since, by id. */
async function loadRecords(
  examples: readonly Example[],
  { stores }: WorkspaceTransaction,
): Promise<ReadonlyMap<string, RecordBase>> {
  const records = new Map<string, RecordBase>()
  for (const { id, kind } of examples) {
    const record = await stores[kind].get(id)
    if (record) records.set(id, record)
  }
  return records
}

async function findReasons(
  examples: readonly Example[],
  records: ReadonlyMap<string, RecordBase>,
  engine: Engine,
  transaction: WorkspaceTransaction,
): Promise<ReadonlyMap<string, KeptExample['reason']>> {
  const reasons = new Map<string, KeptExample['reason']>()
  for (const { id, kind, version } of examples) {
    const record = records.get(id)
    if (record && versionOf(record, engine, await loadParts(kind, id, transaction)) !== version)
      reasons.set(id, 'changed')
  }
  const present = examples.filter(({ id }) => records.has(id))
  const links = await findLinks(present, transaction)
  // What stays keeps what it is linked to.
  for (let size = -1; size !== reasons.size; ) {
    size = reasons.size
    for (const { from, to } of links)
      if (!reasons.has(to) && (!records.has(from) || reasons.has(from))) reasons.set(to, 'linked')
  }
  return reasons
}

interface RecordLink {
  readonly from: string
  readonly to: string
}

/** The links to examples: all those between examples, and at least one from each kind of other records. */
async function findLinks(
  examples: readonly Example[],
  { stores }: WorkspaceTransaction,
): Promise<readonly RecordLink[]> {
  const links: RecordLink[] = []
  for (const [from, field, kind] of LINKS)
    for (const { id: to } of examples.filter((example) => example.kind === kind)) {
      const { rows } = await (stores[from] as unknown as RecordStore<RecordBase>).list({
        where: [whereLinkedTo(from, field, [to]) as Condition<RecordBase>],
        order_by: 'created_at',
        order: 'desc',
        page: 1,
        // More than there are examples, so that one of another record is among them.
        per_page: examples.length + 1,
      })
      links.push(...rows.map(({ id }) => ({ from: id, to })))
    }
  return links
}

async function deleteExample(
  kind: ExampleKind,
  id: string,
  engine: Engine,
  actor: Actor,
  tx: Transaction,
): Promise<void> {
  if (kind === 'tasks') return deleteWithin(tasks, engine, actor, id, tx)
  if (kind === 'deals') return deleteWithin(deals, engine, actor, id, tx)
  if (kind === 'people') return deleteWithin(people, engine, actor, id, tx)
  if (kind === 'companies') return deleteWithin(companies, engine, actor, id, tx)
  return deleteWithin(pipelines, engine, actor, id, tx)
}

function nameOf(record: object): string {
  const { full_name, name, title } = record as Readonly<
    Record<'full_name' | 'name' | 'title', string | undefined>
  >
  return full_name ?? name ?? title ?? ''
}
