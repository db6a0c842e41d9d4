import { asService } from '../../../engine/workspace-transaction.ts'
import type { Transaction } from '../../../ports/storage.ts'
import { type ImportRecord, toImportRecord } from '../import-record.ts'
import { RevertSession } from '../revert/revert-session.ts'
import { CheckSession } from './check-session.ts'
import { type ImportContext, ImportLease, type ImportSession } from './import-session.ts'
import { RunSession } from './run-session.ts'
import { ScanSession } from './scan-session.ts'

/** Imports that this process works on at once. */
const MAX_SESSIONS = 4
/** Imports may wait for others of their workspace. */
const MAX_CANDIDATES = 20
/** Steps of one import before another has its turn. */
const TURN_STEPS = 20

/** Works on the imports of all workspaces, a few at a time, in short transactions. */
export class ImportRunner {
  readonly #context: ImportContext
  #sessions: ImportSession[] = []

  constructor(context: ImportContext) {
    this.#context = context
  }

  /** Goes on with one of them. Returns false if none is due. */
  async continue(shouldContinue: () => boolean | Promise<boolean>): Promise<boolean> {
    if (this.#sessions.length < MAX_SESSIONS) await this.#takeNext()
    const session = this.#sessions.shift()
    if (!session) return false
    let goesOn = true
    try {
      for (let count = 0; count < TURN_STEPS && goesOn; count += 1) {
        if (!(await shouldContinue())) break
        goesOn = await session.step()
      }
    } catch (error) {
      // The rows of the step are read again.
      await session.close().catch(() => {})
      throw error
    }
    if (goesOn) this.#sessions.push(session)
    else await session.close()
    return true
  }

  /** Lets other processes go on at once. */
  async release(): Promise<void> {
    const sessions = this.#sessions
    this.#sessions = []
    for (const session of sessions) await session.close()
  }

  async #takeNext(): Promise<void> {
    const { engine } = this.#context
    const { rows } = await engine.storage.read(({ imports }) =>
      imports.list({
        ...{ page: 1, per_page: MAX_CANDIDATES, order_by: 'due_at', order: 'asc' },
        where: [{ field: 'due_at', to: engine.now() }],
      }),
    )
    for (const due of rows) {
      const taken = await ImportLease.take(toImportRecord(due), engine, (record, tx) =>
        this.#begin(record, tx),
      )
      if (taken) return void this.#sessions.push(this.#openSession(taken.record, taken.lease))
    }
  }

  /** Of the imports of a workspace one runs, the oldest that waits. */
  async #begin(record: ImportRecord, tx: Transaction): Promise<ImportRecord | undefined> {
    if (record.state !== 'waiting') return record
    const { shared, workspaceId } = asService(tx, record.workspace_id)
    await shared.workspaces.getForUpdate(workspaceId)
    const others = await shared.imports.find([{ field: 'workspace_id', is: workspaceId }])
    if (others.some(({ state }) => state === 'running' || state === 'reverting')) return undefined
    const at = this.#context.engine.now()
    const { progress } = record
    const started = { resumed_at: at, resumed_from: progress.done, started_at: progress.started_at ?? at }
    return { ...record, state: 'running', problem: null, progress: { ...progress, ...started } }
  }

  #openSession(record: ImportRecord, lease: ImportLease): ImportSession {
    if (record.state === 'reading') return new ScanSession(record, lease, this.#context.engine)
    if (record.state === 'checking') return new CheckSession(record, lease, this.#context)
    if (record.state === 'reverting') return new RevertSession(record, lease, this.#context)
    return new RunSession(record, lease, this.#context)
  }
}
