import { loadRole } from '../../engine/load-role.ts'
import { inWorkspace } from '../../engine/workspace-transaction.ts'
import { type Actor, requireScope } from '../../kernel/actor.ts'
import { notFound } from '../../kernel/errors.ts'
import { isUuid } from '../../kernel/field-schemas.ts'
import { mayManage } from '../../kernel/role.ts'
import type { Transaction } from '../../ports/storage.ts'
import type { BulkChange } from '../../schema/bulk-change.ts'
import { KINDS } from '../../schema/index.ts'
import { FILTERED_KINDS, type FilteredKind } from '../../schema/saved-view.ts'
import { type BulkChangeView, type BulkProgress, buildBulkViews, loadProgress } from './bulk-view.ts'

const LABEL = 'Bulk change'

/** Returns the kinds that the token may write. @throws CrmError `insufficient_scope` without any */
export function listWritableKinds(actor: Actor): readonly FilteredKind[] {
  const kinds = FILTERED_KINDS.filter((kind) => actor.scopes.has(KINDS[kind].scopes.write))
  requireScope(actor, KINDS[kinds[0] ?? 'people'].scopes.write)
  return kinds
}

/** Members see their own. @throws CrmError `not_found`, `insufficient_scope` for a kind that the token may not write */
export async function loadBulkChange(actor: Actor, id: string, tx: Transaction): Promise<BulkChange> {
  listWritableKinds(actor)
  const key = id.toLowerCase()
  const bulk = isUuid(key) ? await tx.bulk_changes.get(key) : undefined
  if (bulk?.workspace_id !== actor.workspaceId) throw notFound(LABEL)
  if (bulk.user_id !== actor.userId && !mayManage(await loadRole(actor, inWorkspace(tx, actor))))
    throw notFound(LABEL)
  requireScope(actor, KINDS[bulk.kind].scopes.write)
  return bulk
}

/** @throws CrmError as `loadBulkChange` */
export async function loadBulkProgress(actor: Actor, id: string, tx: Transaction): Promise<BulkProgress> {
  const bulk = await loadBulkChange(actor, id, tx)
  const [progress] = await loadProgress([bulk], inWorkspace(tx, actor))
  if (!progress) throw notFound(LABEL)
  return progress
}

/** @throws CrmError as `loadBulkChange` */
export async function showBulkChange(actor: Actor, id: string, tx: Transaction): Promise<BulkChangeView> {
  const progress = await loadBulkProgress(actor, id, tx)
  const [view] = await buildBulkViews([progress], inWorkspace(tx, actor))
  return view!
}
