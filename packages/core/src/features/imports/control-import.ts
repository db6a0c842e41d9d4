import type { Engine } from '../../engine/extension.ts'
import { loadRole } from '../../engine/load-role.ts'
import { validate } from '../../engine/validate.ts'
import { inWorkspace } from '../../engine/workspace-transaction.ts'
import { type Actor, requireScope } from '../../kernel/actor.ts'
import { forbidden, stateConflict, validationError } from '../../kernel/errors.ts'
import { mayManage } from '../../kernel/role.ts'
import type { Transaction } from '../../ports/storage.ts'
import type { ImportState } from '../../schema/import.ts'
import { KINDS } from '../../schema/index.ts'
import { loadWebhooks } from '../webhooks/emit-events.ts'
import { filterByAccess } from '../webhooks/webhook-access.ts'
import { checkTargets } from './check-targets.ts'
import { isNewField, type NewFieldTarget } from './columns/target.ts'
import { type CreateField, createFields } from './create-fields.ts'
import { runInput } from './import-input.ts'
import { type ImportRecord, toImportRecord } from './import-record.ts'
import { IMPORT_SCOPES, loadImport } from './load-import.ts'
import { listKinds } from './run/import-kinds.ts'

/** Imports of a workspace that may wait for the one that runs. */
const MAX_WAITING = 5
/** Deliveries that a run makes without being asked twice. */
const MAX_DELIVERIES = 100_000

type ControlPorts = Pick<Engine, 'storage' | 'now'>

/** Changes the state of an import, from one of those given. */
async function changeState(
  actor: Actor,
  id: string,
  from: readonly ImportState[],
  { storage, now }: ControlPorts,
  change: (record: ImportRecord, tx: Transaction) => Partial<ImportRecord> | Promise<Partial<ImportRecord>>,
): Promise<ImportRecord> {
  requireScope(actor, IMPORT_SCOPES.write)
  return storage.transact(async (tx) => {
    const record = await loadImport(actor, id, tx, 'for update')
    if (!from.includes(record.state))
      throw stateConflict('state', `Is ${record.state}. Must be ${from.join(' or ')}.`)
    const next = { ...record, ...(await change(record, tx)), updated_at: now() }
    await tx.imports.update(next)
    return next
  })
}

/** @throws CrmError `not_found`, `conflict`, `insufficient_scope`, `forbidden`, `validation_error` */
export function startCheck(actor: Actor, id: string, ports: ControlPorts): Promise<ImportRecord> {
  return changeState(actor, id, ['ready', 'checked'], ports, async (record, tx) => {
    requireContents(record, ports)
    await requireRights(actor, record, tx)
    await checkTargets(record, inWorkspace(tx, actor))
    return {
      state: 'checking',
      report: null,
      due_at: ports.now(),
      progress: { ...record.progress, done: 0 },
    }
  })
}

/**
 * Lets an import run as soon as no other of the workspace does. New custom fields are made first.
 * @throws CrmError `not_found`, `conflict`, `insufficient_scope`, `forbidden`, `validation_error`
 */
export async function startRun(
  actor: Actor,
  id: string,
  input: unknown,
  ports: ControlPorts,
  createField: CreateField,
): Promise<ImportRecord> {
  const { confirm_deliveries } = validate(runInput, input)
  requireScope(actor, IMPORT_SCOPES.write)
  const record = await ports.storage.read(async (tx) => {
    const found = await loadImport(actor, id, tx)
    requireContents(found, ports)
    await requireRunnable(actor, found, tx, confirm_deliveries)
    return found
  })
  const keys = await createFields(actor, listNewFields(record), ports, createField)
  return changeState(actor, id, ['ready', 'checked'], ports, async (current, tx) => {
    await requireRunnable(actor, current, tx, confirm_deliveries)
    return {
      state: 'waiting',
      due_at: ports.now(),
      columns: current.columns.map((column, index) => {
        const [kind, key] = [column.target?.kind, keys.get(index)]
        return kind && key !== undefined
          ? { ...column, target: { kind, field: `custom_fields.${key}` } }
          : column
      }),
      progress: { ...current.progress, done: 0, counts: {}, rows_with_problems: 0 },
    }
  })
}

export function pauseImport(actor: Actor, id: string, ports: ControlPorts): Promise<ImportRecord> {
  return changeState(actor, id, ['waiting', 'running'], ports, () => ({
    state: 'paused',
    problem: null,
    due_at: null,
  }))
}

export function resumeImport(actor: Actor, id: string, ports: ControlPorts): Promise<ImportRecord> {
  return changeState(actor, id, ['paused'], ports, (record) => {
    requireContents(record, ports)
    return { state: 'waiting', problem: null, due_at: ports.now() }
  })
}

/** What is written stays, and can be reverted. */
export function cancelImport(actor: Actor, id: string, ports: ControlPorts): Promise<ImportRecord> {
  return changeState(actor, id, ['checking', 'waiting', 'running', 'paused'], ports, ({ state, progress }) =>
    state === 'checking'
      ? { state: 'ready', due_at: null }
      : { state: 'cancelled', due_at: null, problem: null, progress: { ...progress, ended_at: ports.now() } },
  )
}

/** @throws CrmError also `conflict` once what is needed has been deleted */
export function startReversal(actor: Actor, id: string, ports: ControlPorts): Promise<ImportRecord> {
  return changeState(actor, id, ['done', 'cancelled'], ports, async (record) => {
    requireContents(record, ports)
    requireWriteScopes(actor, record)
    const reversal = {
      user_id: actor.userId,
      started_at: ports.now(),
      chunks: 0,
      done: 0,
      deleted: 0,
      restored: 0,
      kept: 0,
      decided: 0,
      versions: {},
    }
    return { state: 'reverting', due_at: ports.now(), progress: { ...record.progress, reversal } }
  })
}

/** @throws CrmError `conflict` once the file and what is needed to revert are deleted, or may be */
function requireContents({ expires_at }: ImportRecord, { now }: Pick<ControlPorts, 'now'>): void {
  if (expires_at <= now()) throw stateConflict('expires_at', 'Is over: the file is deleted.')
}

async function requireRunnable(
  actor: Actor,
  record: ImportRecord,
  tx: Transaction,
  isConfirmed: boolean,
): Promise<void> {
  const { state } = record
  if (state !== 'ready' && state !== 'checked')
    throw stateConflict('state', `Is ${state}. Must be ready or checked.`)
  const transaction = inWorkspace(tx, actor)
  await requireRights(actor, record, tx)
  await checkTargets(record, transaction)
  const others = (await tx.imports.find([{ field: 'workspace_id', is: actor.workspaceId }])).map(
    toImportRecord,
  )
  if (others.filter((each) => each.state === 'waiting').length >= MAX_WAITING)
    throw stateConflict('state', `${MAX_WAITING} imports of the workspace are waiting already.`)
  if (!isConfirmed && record.options.events === 'each') {
    const webhooks = await filterByAccess(await loadWebhooks(transaction), transaction)
    const deliveries = webhooks.length * (record.progress.rows ?? 0) * listKinds(record).length
    if (deliveries > MAX_DELIVERIES) {
      const rule = `Must be true: webhooks may get ${deliveries} deliveries. With events set to summary they get one.`
      throw validationError({ confirm_deliveries: rule })
    }
  }
}

/** @throws CrmError `insufficient_scope`, `forbidden` */
async function requireRights(actor: Actor, record: ImportRecord, tx: Transaction): Promise<void> {
  requireWriteScopes(actor, record)
  if (mayManage(await loadRole(actor, inWorkspace(tx, actor)))) return
  if (listKinds(record).includes('products')) throw forbidden('create', 'product')
  if (listNewFields(record).length > 0) throw forbidden('create', 'custom field')
}

function requireWriteScopes(actor: Actor, record: ImportRecord): void {
  const kinds = listKinds(record)
  if (kinds.length === 0) throw validationError({ columns: 'Must have a target at least.' })
  for (const kind of kinds) requireScope(actor, KINDS[kind].scopes.write)
  const { tags, list } = record.options
  const fields = record.columns.flatMap(({ target }) => (target ? [target.field] : []))
  if (tags.length > 0 || fields.includes('tags')) requireScope(actor, KINDS.tags.scopes.write)
  if (list !== null || fields.includes('lists')) requireScope(actor, KINDS.lists.scopes.write)
  if (listNewFields(record).length > 0) requireScope(actor, KINDS.custom_fields.scopes.write)
}

function listNewFields({ columns }: ImportRecord): readonly (readonly [number, NewFieldTarget])[] {
  return columns.flatMap(({ target }, index) =>
    target && isNewField(target) ? [[index, target] as const] : [],
  )
}
