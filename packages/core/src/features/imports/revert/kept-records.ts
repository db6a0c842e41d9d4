import type { Engine } from '../../../engine/extension.ts'
import { type Listing, type PageQuery, pageQuery, toPageMeta } from '../../../engine/list-query.ts'
import type { Rules } from '../../../engine/rules.ts'
import { validate } from '../../../engine/validate.ts'
import { inWorkspace, type WorkspaceTransaction } from '../../../engine/workspace-transaction.ts'
import { type Actor, requireScope } from '../../../kernel/actor.ts'
import { stateConflict, validationError } from '../../../kernel/errors.ts'
import type { RecordBase } from '../../../kernel/record.ts'
import type { RecordStore } from '../../../kernel/record-store.ts'
import type { ImportChunk } from '../../../schema/import.ts'
import { KINDS } from '../../../schema/index.ts'
import { decisionsInput } from '../import-input.ts'
import type { ImportRecord } from '../import-record.ts'
import { IMPORT_SCOPES, loadImport, requireReadScope } from '../load-import.ts'
import type { KeptRecord } from '../row-result.ts'
import { buildKindWrites } from '../run/kind-writes.ts'
import { forceRevert } from './revert-record.ts'
import { keptKey } from './revert-session.ts'

/** A record that a reversal has left. */
export interface KeptView extends Pick<KeptRecord, 'number' | 'kind' | 'id' | 'action' | 'reason'> {
  /** Null for one that was deleted since. */
  readonly name: string | null
}

/** @throws CrmError `not_found`, `validation_error` */
export async function listKept(
  actor: Actor,
  id: string,
  input: PageQuery,
  { storage }: Pick<Engine, 'storage'>,
): Promise<Listing<KeptView>> {
  requireReadScope(actor)
  const query = validate(pageQuery, input, 'parameter')
  return storage.read(async (tx) => {
    const record = await loadImport(actor, id, tx)
    const transaction = inWorkspace(tx, actor)
    const total = record.progress.reversal?.kept ?? 0
    const start = (query.page - 1) * query.per_page
    const length = Math.max(0, Math.min(query.per_page, total - start))
    const numbers = Array.from({ length }, (_, index) => start + index)
    const kept = await loadKept(record.id, numbers, transaction)
    const data = await Promise.all(kept.map(([, each]) => toView(each, transaction)))
    return { data, meta: toPageMeta(query, total) }
  })
}

async function loadKept(
  importId: string,
  numbers: readonly number[],
  { stores }: WorkspaceTransaction,
): Promise<readonly (readonly [ImportChunk, KeptRecord])[]> {
  const keys = numbers.map((number) => keptKey(importId, number))
  if (keys.length === 0) return []
  const chunks = await stores.import_chunks.find([{ field: 'key', oneOf: keys }])
  return chunks
    .map((chunk) => [chunk, chunk.results[0] as KeptRecord] as const)
    .toSorted(([, a], [, b]) => a.number - b.number)
}

async function toView(
  { number, kind, id, action, reason }: KeptRecord,
  { stores }: WorkspaceTransaction,
): Promise<KeptView> {
  const record = await (stores[kind] as unknown as RecordStore<RecordBase>).get(id)
  const { full_name, name, title } = Object(record) as Readonly<Record<string, string | undefined>>
  return { number, kind, id, action, reason, name: full_name ?? name ?? title ?? null }
}

/**
 * Keeps records as they are, or takes them back in spite of what was changed since.
 * @throws CrmError `not_found`, `validation_error`, `conflict` before the reversal has ended, `insufficient_scope`
 */
export async function decideKept(
  actor: Actor,
  id: string,
  input: unknown,
  engine: Engine,
  rules: Rules,
): Promise<ImportRecord> {
  requireScope(actor, IMPORT_SCOPES.write)
  const { decisions } = validate(decisionsInput, input)
  const writes = buildKindWrites(engine, rules)
  return engine.storage.transact(async (tx) => {
    const record = await loadImport(actor, id, tx, 'for update')
    const { reversal } = record.progress
    if (record.state !== 'reverted' || !reversal)
      throw stateConflict('state', `Is ${record.state}. Must be reverted.`)
    const transaction = inWorkspace(tx, actor)
    const numbers = decisions.map(({ number }) => number)
    const kept = new Map(
      (await loadKept(record.id, numbers, transaction)).map((each) => [each[1].number, each]),
    )
    const decided = reversal.decided + decisions.length
    let { deleted, restored } = reversal
    for (const [index, { number, decision }] of decisions.entries()) {
      const [chunk, written] = kept.get(number) ?? []
      const path = `decisions[${index}].number`
      if (!chunk || !written) throw validationError({ [path]: 'Is decided already, or was not kept.' })
      if (decision === 'revert') {
        if (written.kind in KINDS) requireScope(actor, KINDS[written.kind].scopes.write)
        const result = await forceRevert(written, writes[written.kind], actor, tx, transaction)
        if ('reason' in result) throw validationError({ [path]: 'May not be deleted or changed by you.' })
        if (result.done === 'deleted') deleted += 1
        if (result.done === 'restored') restored += 1
      }
      await transaction.stores.import_chunks.hardDelete(chunk.id)
    }
    const progress = { ...record.progress, reversal: { ...reversal, deleted, restored, decided } }
    const next = { ...record, progress, updated_at: engine.now() }
    await tx.imports.update(next)
    return next
  })
}
