import type { ScannedRecord } from '../../kernel/record-queries.ts'
import type { Transaction } from '../../ports/storage.ts'
import type { User } from '../../schema/user.ts'
import { type ArchivePart, splitIntoParts } from './archive-parts.ts'
import { ARCHIVED_SHAPES, type ArchivedUser, type Row, toArchivedRecord } from './archived-collections.ts'
import { findKeptDeletions, type KeptDeletions } from './kept-deletions.ts'
import { scanPages } from './scan-pages.ts'

/** Changes a record before it is written to an archive. */
export type ChangeRecord = (collection: string, record: Row) => Row

/**
 * Reads the entries of an archive of the workspace from a transaction. Records are ordered by id, deleted ones first: no
 * index has deleted records in another order.
 */
export async function* readParts(
  tx: Transaction,
  workspaceId: string,
  change: ChangeRecord = (_, record) => record,
): AsyncGenerator<ArchivePart> {
  const kept = await findKeptDeletions(tx.workspace(workspaceId))
  for (const collection of ARCHIVED_SHAPES.keys()) {
    const records = readCollection(tx, workspaceId, collection, kept)
    yield* splitIntoParts(collection, changeRecords(collection, records, change))
  }
}

async function* readCollection(
  tx: Transaction,
  workspaceId: string,
  collection: string,
  kept: KeptDeletions,
): AsyncGenerator<ScannedRecord<Row>> {
  if (collection === 'workspaces') yield* readWorkspace(tx, workspaceId)
  else if (collection === 'users') yield* readUsers(tx, workspaceId)
  else {
    const stores = tx.workspace(workspaceId)
    for await (const page of scanPages(stores, collection, 'deleted'))
      yield* page.filter(({ record }) => kept.get(collection)?.has(record.id))
    for await (const page of scanPages(stores, collection, 'live')) yield* page
  }
}

async function* readWorkspace(tx: Transaction, id: string): AsyncGenerator<ScannedRecord<Row>> {
  const workspace = await tx.workspaces.get(id)
  if (workspace) yield { record: { ...workspace }, deleted_at: null }
}

/** The accounts of the members, former ones included: records refer to them. */
async function* readUsers(tx: Transaction, workspaceId: string): AsyncGenerator<ScannedRecord<Row>> {
  for await (const members of scanPages(tx.workspace(workspaceId), 'members', 'live')) {
    const users = await tx.users.getMany(members.map(({ record }) => record.id))
    yield* users.map((user) => ({ record: { ...toArchivedUser(user) }, deleted_at: null }))
  }
}

function toArchivedUser({ id, email, name, created_at, updated_at }: User): ArchivedUser {
  return { id, email, name, created_at, updated_at }
}

async function* changeRecords(
  collection: string,
  records: AsyncIterable<ScannedRecord<Row>>,
  change: ChangeRecord,
): AsyncGenerator<ScannedRecord<Row>> {
  // The ids of members may have changed, and with them their order. There are few.
  const isSorted = collection !== 'users' && collection !== 'members'
  const changed: ScannedRecord<Row>[] = []
  for await (const { record, deleted_at } of records) {
    const archived = toArchivedRecord(collection, record)
    if (!archived) continue
    const each = { record: change(collection, archived), deleted_at }
    if (isSorted) yield each
    else changed.push(each)
  }
  yield* changed.sort((a, b) => (a.record.id < b.record.id ? -1 : 1))
}
