import { backgroundActor } from '../../../engine/background-actor.ts'
import type { Engine } from '../../../engine/extension.ts'
import { loadRole } from '../../../engine/load-role.ts'
import type { Rules } from '../../../engine/rules.ts'
import { asService } from '../../../engine/workspace-transaction.ts'
import { type Actor, SCOPES } from '../../../kernel/actor.ts'
import { addSeconds } from '../../../kernel/instant.ts'
import type { Transaction } from '../../../ports/storage.ts'
import type { WorkspaceQuota } from '../../workspaces/workspace-quota.ts'
import { type ImportRecord, toImportRecord } from '../import-record.ts'

/** What the work on an import needs. */
export interface ImportContext {
  readonly engine: Engine
  readonly rules: Rules
  readonly quota: WorkspaceQuota
}

/** The work on one import in this process. */
export interface ImportSession {
  readonly importId: string
  /** Goes on for some milliseconds. Returns false once there is nothing left to do, or another process does it. */
  step(): Promise<boolean>
  /** Gives the work up, so that another process may take it. */
  close(): Promise<void>
}

/** Seconds for which a process has an import to itself. After a kill, another goes on when they have passed. */
const LEASE = 20
/** Seconds until an import that cannot begin is looked at again. */
const RETRY = 1
/** A lease with fewer seconds left is extended. */
const MIN_LEASE = 10

/** The exclusive right to work on an import, which ends when somebody pauses or deletes it. */
export class ImportLease {
  readonly importId: string
  readonly #engine: Engine
  #until: string

  private constructor(importId: string, until: string, engine: Engine) {
    this.importId = importId
    this.#until = until
    this.#engine = engine
  }

  /** Takes an import that is due. */
  static async take(
    { id }: ImportRecord,
    engine: Engine,
    change: (record: ImportRecord, tx: Transaction) => Promise<ImportRecord | undefined>,
  ): Promise<{ readonly lease: ImportLease; readonly record: ImportRecord } | undefined> {
    return engine.storage.transact(async (tx) => {
      const found = await tx.imports.getForUpdate(id)
      const at = engine.now()
      if (!found || found.due_at === null || found.due_at > at) return undefined
      const until = addSeconds(at, LEASE)
      const changed = await change(toImportRecord(found), tx)
      if (!changed) {
        // It waits behind others, and so that it does not hide them, it is looked at again later.
        await tx.imports.update({ ...found, due_at: addSeconds(at, RETRY) })
        return undefined
      }
      const record = { ...changed, due_at: until, updated_at: at }
      await tx.imports.update(record)
      return { lease: new ImportLease(id, until, engine), record }
    })
  }

  /** Locks the import for a step; undefined if the lease has ended. */
  async lock(tx: Transaction): Promise<ImportRecord | undefined> {
    const record = await tx.imports.getForUpdate(this.importId)
    return record?.due_at === this.#until ? toImportRecord(record) : undefined
  }

  /**
   * Saves the progress of a step. The work ends if `due_at` is null.
   * @returns the end of the lease, for `extend` once the transaction has committed
   */
  async save(record: ImportRecord, tx: Transaction): Promise<string | null> {
    const at = this.#engine.now()
    const isEnding = addSeconds(at, MIN_LEASE) > this.#until
    const until = record.due_at === null ? null : isEnding ? addSeconds(at, LEASE) : this.#until
    await tx.imports.update({ ...record, due_at: until, updated_at: at })
    return until
  }

  extend(until: string | null): void {
    if (until !== null) this.#until = until
  }

  /** Lets another process go on at once. */
  async release(): Promise<void> {
    await this.#engine.storage.transact(async (tx) => {
      const record = await this.lock(tx)
      if (record) await tx.imports.update({ ...record, due_at: this.#engine.now() })
    })
  }
}

/** The member who began the import, with all scopes of records; undefined for one who was removed. */
export async function loadImportActor(
  { workspace_id: workspaceId, user_id: userId, options }: ImportRecord,
  tx: Transaction,
): Promise<Actor | undefined> {
  const role = await loadRole({ userId }, asService(tx, workspaceId))
  if (role === undefined) return undefined
  const scopes = SCOPES.filter((scope) => scope !== 'imports:manage' || options.keep_history)
  return backgroundActor({ workspaceId, userId, role }, scopes)
}
