import type { Engine } from '../../engine/extension.ts'
import { HISTORY_SCOPE } from '../../engine/history-fields.ts'
import { loadRole } from '../../engine/load-role.ts'
import { findMemberIdByEmail } from '../../engine/references.ts'
import { validatePatch } from '../../engine/validate-patch.ts'
import { inWorkspace, type WorkspaceTransaction } from '../../engine/workspace-transaction.ts'
import { type Actor, requireScope } from '../../kernel/actor.ts'
import { forbidden, stateConflict } from '../../kernel/errors.ts'
import type { Instant } from '../../kernel/instant.ts'
import { mayManage } from '../../kernel/role.ts'
import { findInvitedColleagues } from '../members/invited-colleagues.ts'
import { checkTargets } from './check-targets.ts'
import type { ColumnTarget } from './columns/target.ts'
import { type ImportChanges, importChanges } from './import-input.ts'
import type { ImportColumn, ImportOptions, ImportRecord } from './import-record.ts'
import { IMPORT_SCOPES, loadImport } from './load-import.ts'
import { checkReplacements, dropRepeated } from './remedies/replacements.ts'

/** States in which columns and rules can change. */
const CHANGEABLE = new Set(['uploading', 'reading', 'unreadable', 'ready', 'checked'])
/** Options after whose change the file is read again. */
const READING_OPTIONS = ['encoding', 'delimiter', 'has_header', 'kind'] as const

/** @throws CrmError `not_found`, `validation_error`, `conflict` once it runs, `forbidden` for history without the right */
export async function updateImport(
  actor: Actor,
  id: string,
  input: ImportChanges,
  { storage, now }: Pick<Engine, 'storage' | 'now'>,
): Promise<ImportRecord> {
  requireScope(actor, IMPORT_SCOPES.write)
  const changes = validatePatch(importChanges, input)
  return storage.transact(async (tx) => {
    const record = await loadImport(actor, id, tx, 'for update')
    if (!CHANGEABLE.has(record.state)) throw stateConflict('state', `Is ${record.state}: it has begun.`)
    const transaction = inWorkspace(tx, actor)
    if (changes.keep_history === true) await requireHistoryRight(actor, transaction)
    const { name = record.name, columns, owner_email, ...others } = changes
    const errors: Record<string, string> = {}
    const owner_user_id = owner_email && (await findOwner(owner_email, transaction, now()))
    if (owner_email && owner_user_id === undefined) errors['owner_email'] = 'Member not found.'
    const options = {
      ...record.options,
      ...others,
      ...(owner_user_id !== undefined && { owner_user_id }),
    } as ImportOptions
    const next: ImportRecord = {
      ...record,
      name,
      options,
      columns: columns ? changeColumns(record.columns, columns, errors) : record.columns,
      ...(record.state === 'checked' && { state: 'ready', report: null }),
      ...(mustReadAgain(record, options) && { state: 'reading', due_at: now(), problem: null, report: null }),
      updated_at: now(),
    }
    await checkTargets(next, transaction, errors)
    await tx.imports.update(next)
    return next
  })
}

async function requireHistoryRight(actor: Actor, transaction: WorkspaceTransaction): Promise<void> {
  requireScope(actor, HISTORY_SCOPE)
  if (!mayManage(await loadRole(actor, transaction)))
    throw forbidden('update', 'import', { keep_history: 'Is for owners and admins.' })
}

/** The id of a member or an invited colleague. */
async function findOwner(
  email: string,
  transaction: WorkspaceTransaction,
  at: Instant,
): Promise<string | undefined> {
  const id = await findMemberIdByEmail(email, transaction)
  if (id !== undefined) return id
  const invited = await findInvitedColleagues(transaction, at)
  return invited.find((each) => each.email === email.toLowerCase())?.id
}

function mustReadAgain({ state, options }: ImportRecord, changed: ImportOptions): boolean {
  return state !== 'uploading' && READING_OPTIONS.some((name) => options[name] !== changed[name])
}

function changeColumns(
  columns: readonly ImportColumn[],
  changes: NonNullable<ImportChanges['columns']>,
  errors: Record<string, string>,
): readonly ImportColumn[] {
  const changed = [...columns]
  for (const [index, change] of changes.entries()) {
    const { column, target, number_format, date_order, replace, if_invalid } = change
    const current = changed[column]
    if (!current) {
      errors[`columns[${index}].column`] = 'Column not found.'
      continue
    }
    changed[column] = {
      ...current,
      ...(target !== undefined && { target: target as ColumnTarget | null, reason: null }),
      ...(number_format !== undefined && { number_format, is_ambiguous: false }),
      ...(date_order !== undefined && { date_order, is_ambiguous: false }),
      ...(replace !== undefined && { replace: dropRepeated(replace) }),
      ...(if_invalid !== undefined && { if_invalid }),
    }
  }
  checkReplacements(changed)
  return changed
}
