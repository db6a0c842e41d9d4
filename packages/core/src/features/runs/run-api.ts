import { backgroundActor } from '../../engine/background-actor.ts'
import { asService, type WorkspaceTransaction } from '../../engine/workspace-transaction.ts'
import type { Actor } from '../../kernel/actor.ts'
import { CrmError } from '../../kernel/errors.ts'
import type { RecordBase } from '../../kernel/record.ts'
import type { Ports } from '../../ports/index.ts'
import type { Transaction } from '../../ports/storage.ts'
import type { Run, RunPosition } from '../../schema/run.ts'
import type { PassesRule, RunPass, RunRule, RunRules, StepRule } from './run-rules.ts'

/** Records that are read ahead, so that they are counted once for many transactions. */
const READ_SIZE = 100
/** Records of one transaction: it takes less than ten milliseconds. */
const BATCH_SIZE = 4
/** Transactions of one call. */
const STEPS = READ_SIZE / BATCH_SIZE

type RequiredPorts = Pick<Ports, 'storage' | 'now'>

/** A run after a step, as `crm.runs.continue` returns it. */
export interface RunProgress
  extends Pick<Run, 'id' | 'workspace_id' | 'kind' | 'total' | 'visited' | 'changed' | 'refused'> {
  readonly has_ended: boolean
}

/** The long work of all workspaces. */
export interface RunApi {
  /**
   * Continues the run that has waited longest, by at most some hundred records, in transactions of a few. Returns
   * undefined if none is due. Several processes may call it, and after a kill any process continues.
   * @param shouldContinue called before each transaction, so that other writers have their turn meanwhile; when it
   * returns false, the rest is left to the next call
   */
  continue(shouldContinue?: () => boolean | Promise<boolean>): Promise<RunProgress | undefined>
}

export function runApi(ports: RequiredPorts, rules: RunRules): RunApi {
  const { storage } = ports
  return {
    async continue(shouldContinue = () => true) {
      const run = await findDueRun(ports)
      if (!run) return undefined
      const rule = rules[run.kind]
      let progress: Run | undefined = run
      for (const step of await listSteps(run, rule, ports)) {
        if (!(await shouldContinue())) break
        progress = await storage.transact(step)
        if (!progress || progress.due_at === null) break
      }
      return toProgress(progress ?? run)
    },
  }
}

async function findDueRun({ storage, now }: RequiredPorts): Promise<Run | undefined> {
  const { rows } = await storage.read(({ runs }) =>
    runs.list({
      page: 1,
      per_page: 1,
      order_by: 'due_at',
      order: 'asc',
      where: [{ field: 'due_at', to: now() }],
    }),
  )
  return rows[0]
}

/** The next steps, each for a transaction. It returns the run; undefined if another process has continued or ended it. */
async function listSteps(
  run: Run,
  rule: RunRule,
  ports: RequiredPorts,
): Promise<readonly ((tx: Transaction) => Promise<Run | undefined>)[]> {
  if ('takeStep' in rule)
    return Array.from({ length: STEPS }, () => (tx) => takeOwnStep(tx, run.id, rule, ports))
  const steps = await ports.storage.read(
    (tx) => planSteps(run, rule.passes, asService(tx, run.workspace_id)),
    { workload: 'report' },
  )
  return steps.map((step) => (tx) => takeStep(tx, run.id, step, rule.lock, ports))
}

async function takeOwnStep(
  tx: Transaction,
  runId: string,
  rule: StepRule,
  { now }: RequiredPorts,
): Promise<Run | undefined> {
  const run = await tx.runs.getForUpdate(runId)
  if (!run || run.due_at === null) return undefined
  const counts = await rule.takeStep(run, tx)
  const at = now()
  const next: Run = { ...run, ...counts, due_at: counts ? at : null, updated_at: at }
  await tx.runs.update(next)
  return next
}

/** Some records of one pass. The step without records ends the run. */
interface Step {
  readonly pass: RunPass | undefined
  readonly records: readonly RecordBase[]
  readonly before: RunPosition | null
  readonly after: RunPosition | null
  readonly total: number
}

async function planSteps(
  run: Run,
  passes: readonly RunPass[],
  transaction: WorkspaceTransaction,
): Promise<readonly Step[]> {
  const total = run.total ?? (await countRecords(run, passes, transaction))
  let before = run.position
  for (const [index, pass] of passes.entries()) {
    if (index < (before?.pass ?? 0)) continue
    const records = await findNextRecords(run, pass, index === before?.pass ? before : undefined, transaction)
    if (records.length === 0) continue
    return splitIntoBatches(records).map((batch) => {
      const { created_at, id } = batch.at(-1)!
      const step: Step = { pass, records: batch, before, after: { pass: index, created_at, id }, total }
      before = step.after
      return step
    })
  }
  return [{ pass: undefined, records: [], before, after: before, total }]
}

async function countRecords(
  run: Run,
  passes: readonly RunPass[],
  { stores }: WorkspaceTransaction,
): Promise<number> {
  let count = 0
  for (const pass of passes) {
    const page = { page: 1, per_page: 1, order_by: 'created_at', order: 'asc' } as const
    count += (await pass.store(stores).list({ ...page, where: pass.where(run) })).total
  }
  return count
}

/** Finds records after the position. Those before it that still match were refused. */
async function findNextRecords(
  run: Run,
  pass: RunPass,
  position: RunPosition | undefined,
  { stores }: WorkspaceTransaction,
): Promise<readonly RecordBase[]> {
  const where = [
    ...pass.where(run),
    ...(position ? [{ field: 'created_at', from: position.created_at } as const] : []),
  ]
  for (let page = 1; ; page += 1) {
    const { rows } = await pass
      .store(stores)
      .list({ page, per_page: READ_SIZE, order_by: 'created_at', order: 'asc', where })
    const records = position ? rows.filter((row) => isAfter(row, position)) : rows
    if (records.length > 0 || rows.length < READ_SIZE) return records
  }
}

function isAfter({ created_at, id }: RecordBase, position: RunPosition): boolean {
  return created_at > position.created_at || (created_at === position.created_at && id > position.id)
}

function splitIntoBatches(records: readonly RecordBase[]): readonly (readonly RecordBase[])[] {
  return Array.from({ length: Math.ceil(records.length / BATCH_SIZE) }, (_, index) =>
    records.slice(index * BATCH_SIZE, (index + 1) * BATCH_SIZE),
  )
}

/** Returns the run after the step; undefined if another process has continued or ended it meanwhile. */
async function takeStep(
  tx: Transaction,
  runId: string,
  { pass, records, before, after, total }: Step,
  lock: PassesRule['lock'],
  { now }: RequiredPorts,
): Promise<Run | undefined> {
  const unlocked = await tx.runs.get(runId)
  if (!unlocked) return undefined
  const transaction = asService(tx, unlocked.workspace_id)
  await lock?.(unlocked, transaction)
  const run = await tx.runs.getForUpdate(runId)
  if (!run || run.due_at === null || !isSamePosition(run.position, before)) return undefined
  const actor = await loadRunActor(run, transaction)
  let { changed, refused } = run
  for (const { id } of records) {
    try {
      if (await pass?.apply(actor, id, run, tx)) changed += 1
    } catch (error) {
      if (!(error instanceof CrmError)) throw error
      refused += 1
    }
  }
  const at = now()
  const [visited, due_at] = [run.visited + records.length, pass ? at : null]
  const next: Run = { ...run, position: after, total, visited, changed, refused, due_at, updated_at: at }
  await tx.runs.update(next)
  return next
}

function isSamePosition(a: RunPosition | null, b: RunPosition | null): boolean {
  return a?.pass === b?.pass && a?.id === b?.id
}

async function loadRunActor(
  { workspace_id, user_id }: Run,
  { stores }: WorkspaceTransaction,
): Promise<Actor> {
  const member = await stores.members.get(user_id)
  return backgroundActor({ workspaceId: workspace_id, userId: user_id, role: member?.role ?? 'member' })
}

function toProgress({ id, workspace_id, kind, total, visited, changed, refused, due_at }: Run): RunProgress {
  return { id, workspace_id, kind, total, visited, changed, refused, has_ended: due_at === null }
}
