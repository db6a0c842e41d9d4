import type { Engine } from '../../engine/extension.ts'
import { type Listing, type PageQuery, pageQuery, toPageMeta } from '../../engine/list-query.ts'
import { loadRole } from '../../engine/load-role.ts'
import { loadOwners } from '../../engine/owner.ts'
import type { Rules } from '../../engine/rules.ts'
import { validate } from '../../engine/validate.ts'
import { inWorkspace } from '../../engine/workspace-transaction.ts'
import { type Actor, requireScope } from '../../kernel/actor.ts'
import { CrmError, stateConflict } from '../../kernel/errors.ts'
import { mayManage } from '../../kernel/role.ts'
import type { Transaction } from '../../ports/storage.ts'
import { NO_QUOTA, WorkspaceQuota } from '../workspaces/workspace-quota.ts'
import {
  cancelImport,
  pauseImport,
  resumeImport,
  startCheck,
  startReversal,
  startRun,
} from './control-import.ts'
import type { CreateField } from './create-fields.ts'
import { deleteContents } from './delete-import.ts'
import { writeFailedRows } from './failed-rows.ts'
import { type ImportChanges, type ImportInput, importInput } from './import-input.ts'
import { type ImportRecord, toImportRecord } from './import-record.ts'
import { type ImportDetail, type ImportItem, toImportView } from './import-view.ts'
import { buildDetail, IMPORT_SCOPES, loadImport, requireReadScope } from './load-import.ts'
import { decideKept, type KeptView, listKept } from './revert/kept-records.ts'
import { ImportRunner } from './run/import-runner.ts'
import { updateImport } from './update-import.ts'
import { createImport, DEFAULT_IMPORT_DAYS, uploadPart } from './upload-file.ts'

/**
 * Files whose rows become records, in the background. Members see their own imports, owners and admins all. All methods
 * throw CrmError `insufficient_scope`, and those that take an id `not_found`.
 */
export interface ImportApi {
  /** Begins an import, whose file follows in parts. @throws CrmError `validation_error`, `conflict` without a reader of files */
  create(actor: Actor, input: ImportInput): Promise<ImportDetail>
  /** Appends a part of the file, at most 8 MiB. @throws CrmError `bad_request`, `conflict` for another offset */
  upload(
    actor: Actor,
    id: string,
    part: { readonly offset: number; readonly bytes: Uint8Array },
  ): Promise<ImportDetail>
  /** The imports that the actor may see, the newest first by default. @throws CrmError `validation_error` */
  list(actor: Actor, query?: PageQuery): Promise<Listing<ImportItem>>
  get(actor: Actor, id: string): Promise<ImportDetail>
  /** Changes columns and rules. @throws CrmError `validation_error`, `conflict` once it runs, `forbidden` */
  update(actor: Actor, id: string, changes: ImportChanges): Promise<ImportDetail>
  /** Checks all rows in the background, and writes nothing. @throws CrmError `conflict`, `forbidden` */
  check(actor: Actor, id: string): Promise<ImportDetail>
  /** Writes the rows in the background. @throws CrmError `conflict`, `forbidden`, `validation_error` */
  run(actor: Actor, id: string, input?: { readonly confirm_deliveries?: boolean }): Promise<ImportDetail>
  pause(actor: Actor, id: string): Promise<ImportDetail>
  resume(actor: Actor, id: string): Promise<ImportDetail>
  /** Ends a check or a run. What is written stays. @throws CrmError `conflict` */
  cancel(actor: Actor, id: string): Promise<ImportDetail>
  /** The rows of which something was left out, as CSV with the reasons. */
  failedRows(actor: Actor, id: string): Promise<AsyncIterable<string>>
  /** Takes back what it has written, in the background. @throws CrmError `conflict` */
  revert(actor: Actor, id: string): Promise<ImportDetail>
  /** What a reversal has left, since somebody has changed it or linked to it. */
  kept(actor: Actor, id: string, query?: PageQuery): Promise<Listing<KeptView>>
  /** Decides what becomes of them. @throws CrmError `validation_error`, `conflict` */
  decide(actor: Actor, id: string, input: unknown): Promise<ImportDetail>
  /** Deletes the import and its file. Its records stay. @throws CrmError `conflict` while it runs */
  remove(actor: Actor, id: string): Promise<void>
  /**
   * Goes on with the imports of all workspaces, for some steps. Returns false if none is due. Several processes may call
   * it, and after a kill another goes on within half a minute.
   * @param shouldContinue called before each step, so that other writers have their turn meanwhile
   */
  continue(shouldContinue?: () => boolean | Promise<boolean>): Promise<boolean>
  /** Lets other processes go on at once, when this one ends. */
  release(): Promise<void>
}

export function importApi(engine: Engine, rules: Rules, createField: CreateField): ImportApi {
  const quota = new WorkspaceQuota({ ...engine, quota: engine.quota ?? NO_QUOTA })
  const runner = new ImportRunner({ engine, rules, quota })
  const toDetail = (actor: Actor, work: (tx: Transaction) => Promise<ImportRecord> | ImportRecord) =>
    engine.storage.read(async (tx) => buildDetail(await work(tx), inWorkspace(tx, actor), engine.now()))
  const show = async (actor: Actor, record: Promise<ImportRecord>) => {
    const changed = await record
    return toDetail(actor, () => changed)
  }
  return {
    async create(actor, input) {
      requireScope(actor, IMPORT_SCOPES.write)
      const valid = validate(importInput, input)
      if (!engine.tables)
        throw new CrmError('conflict', 'This service has no reader of files: imports are off.')
      return show(actor, createImport(actor, valid, engine, engine.importDays ?? DEFAULT_IMPORT_DAYS))
    },
    upload: (actor, id, part) => show(actor, uploadPart(actor, id, part, engine)),
    list: (actor, query = {}) => listImports(actor, query, engine),
    async get(actor, id) {
      requireReadScope(actor)
      return toDetail(actor, (tx) => loadImport(actor, id, tx))
    },
    update: (actor, id, changes) => show(actor, updateImport(actor, id, changes, engine)),
    check: (actor, id) => show(actor, startCheck(actor, id, engine)),
    run: (actor, id, input = {}) => show(actor, startRun(actor, id, input, engine, createField)),
    pause: (actor, id) => show(actor, pauseImport(actor, id, engine)),
    resume: (actor, id) => show(actor, resumeImport(actor, id, engine)),
    cancel: (actor, id) => show(actor, cancelImport(actor, id, engine)),
    async failedRows(actor, id) {
      requireReadScope(actor)
      return writeFailedRows(await engine.storage.read((tx) => loadImport(actor, id, tx)), engine)
    },
    revert: (actor, id) => show(actor, startReversal(actor, id, engine)),
    kept: (actor, id, query = {}) => listKept(actor, id, query, engine),
    decide: (actor, id, input) => show(actor, decideKept(actor, id, input, engine, rules)),
    remove: (actor, id) => removeImport(actor, id, engine),
    continue: (shouldContinue = () => true) => runner.continue(shouldContinue),
    release: () => runner.release(),
  }
}

async function listImports(
  actor: Actor,
  input: PageQuery,
  { storage, now }: Engine,
): Promise<Listing<ImportItem>> {
  requireReadScope(actor)
  const query = validate(pageQuery, input, 'parameter')
  return storage.read(async (tx) => {
    const transaction = inWorkspace(tx, actor)
    const isManager = mayManage(await loadRole(actor, transaction))
    const { rows, total } = await tx.imports.list({
      ...query,
      where: [
        { field: 'workspace_id', is: actor.workspaceId },
        ...(isManager ? [] : [{ field: 'user_id', is: actor.userId } as const]),
      ],
    })
    const owners = await loadOwners([...new Set(rows.map(({ user_id }) => user_id))], transaction)
    return {
      data: rows.map((row) => toImportView(toImportRecord(row), { owners, at: now() })),
      meta: toPageMeta(query, total),
    }
  })
}

async function removeImport(actor: Actor, id: string, engine: Engine): Promise<void> {
  requireScope(actor, IMPORT_SCOPES.write)
  const record = await engine.storage.transact(async (tx) => {
    const found = await loadImport(actor, id, tx, 'for update')
    if (['waiting', 'running', 'reverting'].includes(found.state))
      throw stateConflict('state', `Is ${found.state}. Cancel it first.`)
    await tx.imports.update({ ...found, due_at: null })
    return found
  })
  await deleteContents(record, engine)
  await engine.storage.transact((tx) => tx.imports.hardDelete(record.id))
}
