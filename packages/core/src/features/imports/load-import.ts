import { loadRole } from '../../engine/load-role.ts'
import { loadOwners } from '../../engine/owner.ts'
import { inWorkspace, type WorkspaceTransaction } from '../../engine/workspace-transaction.ts'
import { type Actor, requireScope } from '../../kernel/actor.ts'
import { notFound } from '../../kernel/errors.ts'
import { isUuid } from '../../kernel/field-schemas.ts'
import type { Instant } from '../../kernel/instant.ts'
import { mayManage } from '../../kernel/role.ts'
import type { Transaction } from '../../ports/storage.ts'
import { findInvitedColleagues } from '../members/invited-colleagues.ts'
import { type ImportRecord, toImportRecord } from './import-record.ts'
import { type ImportDetail, toImportDetail } from './import-view.ts'

export const IMPORT_SCOPES = { read: 'imports:read', write: 'imports:write' } as const

/** Of a read: who may write may see. */
export function requireReadScope(actor: Actor): void {
  requireScope(actor, IMPORT_SCOPES.read, IMPORT_SCOPES.write)
}

/** Loads an import. Members see their own. @throws CrmError `not_found` */
export async function loadImport(
  actor: Actor,
  id: string,
  tx: Transaction,
  lock?: 'for update',
): Promise<ImportRecord> {
  const key = id.toLowerCase()
  const record = !isUuid(key) ? undefined : await (lock ? tx.imports.getForUpdate(key) : tx.imports.get(key))
  if (record?.workspace_id !== actor.workspaceId) throw notFound('Import')
  const role = await loadRole(actor, inWorkspace(tx, actor))
  if (record.user_id !== actor.userId && !mayManage(role)) throw notFound('Import')
  return toImportRecord(record)
}

export async function buildDetail(
  record: ImportRecord,
  transaction: WorkspaceTransaction,
  at: Instant,
): Promise<ImportDetail> {
  const { owner_user_id } = record.options
  const ids = [record.user_id, ...(owner_user_id === null ? [] : [owner_user_id])]
  const owners = await loadOwners([...new Set(ids)], transaction)
  if (owner_user_id === null || owners.has(owner_user_id)) return toImportDetail(record, { owners, at })
  const invited = await findInvitedColleagues(transaction, at)
  const named = invited.map(({ id, email }) => [id, { id, name: email, email }] as const)
  return toImportDetail(record, { owners: new Map([...owners, ...named]), at })
}
