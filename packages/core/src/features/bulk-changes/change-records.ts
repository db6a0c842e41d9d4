import { backgroundActor } from '../../engine/background-actor.ts'
import type { Engine } from '../../engine/extension.ts'
import { loadRole } from '../../engine/load-role.ts'
import type { Rules } from '../../engine/rules.ts'
import { asService, inWorkspace, type WorkspaceTransaction } from '../../engine/workspace-transaction.ts'
import type { Actor } from '../../kernel/actor.ts'
import { CrmError, notFound } from '../../kernel/errors.ts'
import type { RecordBase } from '../../kernel/record.ts'
import type { Transaction } from '../../ports/storage.ts'
import type { AssociationFields } from '../../schema/associations.ts'
import type { BulkChange } from '../../schema/bulk-change.ts'
import { KINDS } from '../../schema/index.ts'
import type { Run } from '../../schema/run.ts'
import { resolveMemberships } from '../associations/change-memberships.ts'
import { revertRecord } from '../imports/revert/revert-record.ts'
import { versionOf } from '../imports/row-result.ts'
import { findFormerColumns } from '../imports/run/former-columns.ts'
import { buildKindWrites, type KindWrites } from '../imports/run/kind-writes.ts'
import type { RunCounts, RunRules, StepRule } from '../runs/run-rules.ts'
import { type RecordChange, splitChange } from './bulk-input.ts'
import { type BulkFailure, BulkParts, type BulkResult, STEP_SIZE } from './bulk-parts.ts'

/** The runs that change the records of bulk changes, and take that back. */
export function bulkRunRules(engine: Engine, rules: Rules): Pick<RunRules, 'bulk_change' | 'bulk_reversal'> {
  const writes = buildKindWrites(engine, rules)
  return { bulk_change: changeRule(engine, writes), bulk_reversal: reversalRule(engine, writes) }
}

type Writes = ReturnType<typeof buildKindWrites>

function changeRule(engine: Engine, writes: Writes): StepRule {
  return {
    async takeStep(run, tx) {
      const begun = await beginStep(run, tx)
      if (!begun) return undefined
      const { actor, bulk, ids, parts } = begun
      const change = splitChange(bulk.change)
      const transaction = inWorkspace(tx, actor)
      const { results, failures } = await tryEach(ids, tx, (id) =>
        changeRecord(id, change, { kind: bulk.kind, writes: writes[bulk.kind], actor, tx, transaction }),
      )
      const context = { at: engine.now(), newId: engine.newId }
      const step = run.visited / STEP_SIZE
      if (!change.isDeletion && results.length > 0) await parts.insert('results', step, [results], context)
      await parts.insert(
        'change',
        run.refused,
        failures.map((failure) => [failure]),
        context,
      )
      return addCounts(run, ids, results, failures)
    },
  }
}

function reversalRule(engine: Engine, writes: Writes): StepRule {
  return {
    async takeStep(run, tx) {
      const begun = await beginStep(run, tx)
      if (!begun) return undefined
      const { actor, bulk, ids, parts } = begun
      const { kind } = bulk
      const written = await parts.read<BulkResult>('results', run.visited / STEP_SIZE)
      const transaction = asService(tx, run.workspace_id)
      const results: string[] = []
      const failures: BulkFailure[] = []
      for (const each of written) {
        const result = await revertRecord(
          { kind, action: 'updated', ...each },
          writes,
          actor,
          tx,
          transaction,
        )
        if ('reason' in result) failures.push(toKept(each.id, result.reason))
        else if (result.done === 'restored') results.push(each.id)
      }
      const context = { at: engine.now(), newId: engine.newId }
      await parts.insert(
        'reversal',
        run.refused,
        failures.map((failure) => [failure]),
        context,
      )
      return addCounts(run, ids, results, failures)
    },
  }
}

/** Returns undefined if nothing is left to do, or the member was removed in whose name it is done. */
async function beginStep(run: Run, tx: Transaction) {
  const transaction = asService(tx, run.workspace_id)
  const [bulk, role] = await Promise.all([
    tx.bulk_changes.get(run.subject_id),
    loadRole({ userId: run.user_id }, transaction),
  ])
  if (!bulk || !role || run.visited >= run.total!) return undefined
  const parts = new BulkParts(bulk.id, transaction)
  const ids = await parts.readStepIds(run.visited)
  const actor = backgroundActor({ workspaceId: run.workspace_id, userId: run.user_id, role })
  return ids.length === 0 ? undefined : { bulk, actor, ids, parts }
}

/** Works on each record by itself: one that is refused leaves nothing behind. */
async function tryEach(
  ids: readonly string[],
  tx: Transaction,
  work: (id: string) => Promise<BulkResult | undefined>,
) {
  const results: BulkResult[] = []
  const failures: BulkFailure[] = []
  for (const id of ids)
    try {
      const result = await tx.savepoint(() => work(id))
      if (result) results.push(result)
    } catch (error) {
      if (!(error instanceof CrmError)) throw error
      const { code, message, fields } = error
      failures.push({ id, code, message, ...(fields && { fields }) })
    }
  return { results, failures }
}

interface ChangeContext {
  readonly kind: BulkChange['kind']
  readonly writes: KindWrites
  readonly actor: Actor
  readonly tx: Transaction
  readonly transaction: WorkspaceTransaction
}

/** Returns what has changed; undefined if nothing has. @throws CrmError as the update or deletion of the API */
async function changeRecord(
  id: string,
  { fields, memberships, isDeletion }: RecordChange,
  { kind, writes, actor, tx, transaction }: ChangeContext,
): Promise<BulkResult | undefined> {
  const store = writes.store(transaction)
  const before = await store.get(id)
  if (!before) throw notFound(KINDS[kind].label)
  if (isDeletion) {
    await writes.remove(actor, id, tx)
    return { id, before: {}, version: null }
  }
  const labels =
    Object.keys(memberships).length > 0
      ? await resolveMemberships(before as RecordBase & AssociationFields, memberships, transaction)
      : {}
  await writes.update(actor, id, { ...fields, ...labels }, tx)
  // A new owner may be one whose records the actor does not see.
  const after = await writes.store(transaction.service).get(id)
  const columns = after ? findFormerColumns(before, after) : {}
  return Object.keys(columns).length === 0 ? undefined : { id, before: columns, version: versionOf(after) }
}

function toKept(id: string, reason: 'changed' | 'linked' | 'forbidden'): BulkFailure {
  return reason === 'changed'
    ? { id, code: 'conflict', message: 'The record has been changed since.' }
    : { id, code: 'forbidden', message: 'A rule of the application keeps the record as it is.' }
}

function addCounts(
  { visited, changed, refused }: Run,
  ids: readonly string[],
  results: readonly unknown[],
  failures: readonly unknown[],
): RunCounts {
  return {
    visited: visited + ids.length,
    changed: changed + results.length,
    refused: refused + failures.length,
  }
}
