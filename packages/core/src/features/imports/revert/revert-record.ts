import type { WorkspaceTransaction } from '../../../engine/workspace-transaction.ts'
import type { Actor } from '../../../kernel/actor.ts'
import { CrmError, isNotFound } from '../../../kernel/errors.ts'
import type { RecordBase } from '../../../kernel/record.ts'
import type { RecordStore } from '../../../kernel/record-store.ts'
import type { Condition } from '../../../ports/index.ts'
import type { Transaction } from '../../../ports/storage.ts'
import { whereLinkedTo } from '../../../schema/link-lists.ts'
import { type KeepReason, versionOf, type WrittenRecord } from '../row-result.ts'
import type { KindWrites, WrittenKind } from '../run/kind-writes.ts'

export type RevertResult =
  | { readonly reason: KeepReason }
  | { readonly done: 'deleted' }
  | { readonly done: 'nothing' }
  | { readonly done: 'restored'; readonly version: string | null }

type LinkingKind = 'people' | 'deals' | 'tasks' | 'activities'

/** The fields by which other records refer to one of a kind. */
const LINKS: Readonly<Partial<Record<WrittenKind, readonly (readonly [LinkingKind, string])[]>>> = {
  companies: [
    ['people', 'company_id'],
    ['deals', 'company_id'],
    ['tasks', 'company_id'],
    ['activities', 'company_id'],
  ],
  people: [
    ['deals', 'person_id'],
    ['tasks', 'person_id'],
    ['activities', 'person_id'],
  ],
  deals: [
    ['tasks', 'deal_id'],
    ['activities', 'deal_id'],
  ],
}

/**
 * Deletes a record that an import has made, or restores one that it has changed, unless somebody has changed it since or
 * linked another to it. Those of the import that are linked to it are taken back before. Tags and lists go in any case.
 */
export async function revertRecord(
  written: WrittenRecord,
  writes: Readonly<Record<WrittenKind, KindWrites>>,
  actor: Actor,
  tx: Transaction,
  transaction: WorkspaceTransaction,
): Promise<RevertResult> {
  const { kind, id, version } = written
  const current = await writes[kind].store(transaction).get(id)
  if (!current) return { done: 'nothing' }
  if (!isLabel(kind) && versionOf(current) !== version) return { reason: 'changed' }
  if (written.action === 'created' && (await isLinked(kind, id, transaction))) return { reason: 'linked' }
  return forceRevert(written, writes[kind], actor, tx, transaction)
}

export function isLabel(kind: WrittenKind): boolean {
  return kind === 'tags' || kind === 'lists'
}

/** Does so whatever somebody has changed since. */
export async function forceRevert(
  { id, action, before = {} }: WrittenRecord,
  writes: KindWrites,
  actor: Actor,
  tx: Transaction,
  transaction: WorkspaceTransaction,
): Promise<RevertResult> {
  try {
    return await tx.savepoint(async (): Promise<RevertResult> => {
      if (action === 'created') {
        await writes.remove(actor, id, tx)
        return { done: 'deleted' }
      }
      await writes.restore(actor, id, before, tx)
      return { done: 'restored', version: versionOf(await writes.store(transaction).get(id)) }
    })
  } catch (error) {
    if (isNotFound(error)) return { done: 'nothing' }
    if (error instanceof CrmError) return { reason: 'forbidden' }
    throw error
  }
}

async function isLinked(kind: WrittenKind, id: string, { stores }: WorkspaceTransaction): Promise<boolean> {
  for (const [from, field] of LINKS[kind] ?? []) {
    const store = stores[from] as unknown as RecordStore<RecordBase>
    if (await store.has([whereLinkedTo(from, field, [id]) as Condition<RecordBase>])) return true
  }
  return false
}
