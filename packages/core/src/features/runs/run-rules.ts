import type { Engine, RecordRule } from '../../engine/extension.ts'
import { RecordWriter, type WritableResource } from '../../engine/record-writer.ts'
import type { WorkspaceTransaction } from '../../engine/workspace-transaction.ts'
import type { Actor } from '../../kernel/actor.ts'
import type { RecordBase } from '../../kernel/record.ts'
import type { Condition } from '../../kernel/record-queries.ts'
import type { RecordStore } from '../../kernel/record-store.ts'
import type { Transaction, WorkspaceStores } from '../../ports/storage.ts'
import type { Run, RunKind } from '../../schema/run.ts'

/** What each kind of run does. */
export type RunRules = { readonly [K in RunKind]: RunRule }

export type RunRule = PassesRule | StepRule

/** Of a run that visits all records of collections that match. */
export interface PassesRule {
  /** Taken one after the other. */
  readonly passes: readonly RunPass[]
  /** Locks what other transactions lock before the run. */
  lock?(run: Run, transaction: WorkspaceTransaction): Promise<unknown>
}

/** Of a run whose records are known when it begins. */
export interface StepRule {
  /** Visits the next records, for some milliseconds. The run is locked. Returns undefined once it has ended. */
  takeStep(run: Run, tx: Transaction): Promise<RunCounts | undefined>
}

export type RunCounts = Pick<Run, 'visited' | 'changed' | 'refused'>

/** One collection, which a run visits in the order of creation. */
export interface RunPass {
  store(stores: WorkspaceStores): RecordStore<RecordBase>
  /** The records to visit. */
  where(run: Run): readonly Condition<RecordBase>[]
  /** Changes a record. Returns false if it needs no change. @throws CrmError what a `RecordRule` throws */
  apply(actor: Actor, id: string, run: Run, tx: Transaction): Promise<boolean>
}

/** What a pass does to the records of one kind. `change` sees a record as it is when it is locked. */
export interface PassRule<R extends RecordBase> {
  where(run: Run): readonly Condition<R>[]
  change(record: R, run: Run): Partial<R>
}

export function createPass<R extends RecordBase, Detail extends object>(
  resource: WritableResource<R, Detail>,
  engine: Engine,
  rules: readonly RecordRule<R>[] | undefined,
  { where, change }: PassRule<R>,
): RunPass {
  const writer = new RecordWriter(resource, engine, rules)
  return {
    store: (stores) => resource.store(stores) as unknown as RecordStore<RecordBase>,
    where: where as RunPass['where'],
    apply: (actor, id, run, tx) => writer.changeColumns(actor, id, (record) => change(record, run), tx),
  }
}
