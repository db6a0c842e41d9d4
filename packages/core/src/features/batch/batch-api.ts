import { BufferedTransaction } from '../../engine/buffered-transaction.ts'
import { prefixFields } from '../../engine/error-fields.ts'
import { nameExistingIds } from '../../engine/existing-ids.ts'
import type { Engine, RecordRule, SaveResponse } from '../../engine/extension.ts'
import { findView } from '../../engine/load-record.ts'
import { type PreparableResource, retryWithNewCodes } from '../../engine/prepared-writes.ts'
import { validate } from '../../engine/validate.ts'
import { inWorkspace } from '../../engine/workspace-transaction.ts'
import { type Actor, requireScope } from '../../kernel/actor.ts'
import { CrmError, type FieldErrors, notFound } from '../../kernel/errors.ts'
import type { RecordBase } from '../../kernel/record.ts'
import type { Transaction } from '../../ports/index.ts'
import { type BatchInput, type BatchOperation, batchInput } from './batch-input.ts'
import { type BatchResult, type KeptResult, restoreError, toKeptResult } from './batch-results.ts'
import { type FindId, OperationPreparer, type PreparedOperation } from './prepare-operations.ts'
import { runTogether } from './run-together.ts'

export interface BatchApi<Detail> {
  /**
   * Runs up to 100 operations in one transaction, in their order. Results have the order of the operations. Each has the
   * permissions, events and errors of the same call alone. With `atomic`, nothing is written if one fails.
   * @throws CrmError `validation_error` for a malformed batch, `insufficient_scope`; with `atomic` the error of the first
   * operation that fails, its fields below `operations[n].`
   */
  batch(actor: Actor, input: BatchInput): Promise<readonly BatchResult<Detail>[]>
  /**
   * As `batch`, once per `key` within 24 hours. A second call with an equal input writes nothing: it returns the same
   * results, with the records as they are by then.
   * @throws CrmError as `batch`, `idempotency_conflict` for another input
   */
  batchIdempotent(
    actor: Actor,
    key: string,
    input: BatchInput,
  ): Promise<{ readonly results: readonly BatchResult<Detail>[]; readonly isReplay: boolean }>
}

export function batchApi<R extends RecordBase, Detail extends { readonly id: string }>(
  resource: PreparableResource<R, Detail>,
  engine: Engine,
  rules?: readonly RecordRule<R>[],
  findId?: FindId,
): BatchApi<Detail> {
  const operations = new OperationPreparer(resource, engine, rules, findId)
  const batches = new Batches(resource, engine, operations)
  return {
    batch: (actor, input) => batches.run(actor, input),
    batchIdempotent: (actor, key, input) => batches.runIdempotently(actor, key, input),
  }
}

interface WriteOptions {
  readonly atomic: boolean
  readonly saveResponse: SaveResponse | undefined
}

class Batches<R extends RecordBase, Detail extends { readonly id: string }> {
  readonly #resource: PreparableResource<R, Detail>
  readonly #engine: Engine
  readonly #operations: OperationPreparer<R, Detail>

  constructor(
    resource: PreparableResource<R, Detail>,
    engine: Engine,
    operations: OperationPreparer<R, Detail>,
  ) {
    this.#resource = resource
    this.#engine = engine
    this.#operations = operations
  }

  async run(
    actor: Actor,
    input: unknown,
    { keyErrors = {}, saveResponse }: { keyErrors?: FieldErrors; saveResponse?: SaveResponse } = {},
  ): Promise<readonly BatchResult<Detail>[]> {
    requireScope(actor, this.#resource.scopes.write)
    const { operations, atomic } = validate(batchInput, input, 'field', keyErrors)
    const prepared: PreparedOperation<R, Detail>[] = []
    for (const operation of operations) prepared.push(await this.#operations.prepare(actor, operation))
    const together = await this.#runTogether(actor, prepared, { atomic, saveResponse })
    const results = together ?? (await this.#runEach(actor, prepared, { atomic, saveResponse }))
    return Promise.all(results.map((result, index) => this.#nameHolders(actor, result, prepared[index]!)))
  }

  /** Returns undefined, and has written nothing, if operations have to be told apart by savepoints. */
  async #runTogether(
    actor: Actor,
    prepared: readonly PreparedOperation<R, Detail>[],
    { atomic, saveResponse }: WriteOptions,
  ): Promise<readonly BatchResult<Detail>[] | undefined> {
    try {
      return await this.#engine.storage.transact(async (tx) => {
        const buffered = new BufferedTransaction(tx, actor.workspaceId)
        const transaction = inWorkspace(buffered.tx, actor, this.#engine)
        const results = await runTogether(prepared, this.#resource, buffered, transaction)
        const failed = results.find((result) => 'error' in result)
        if (atomic && failed) throw failed.error
        await saveResponse?.(tx, results.map(toKeptResult))
        return results
      })
    } catch (error) {
      if (error instanceof CrmError) return undefined
      throw error
    }
  }

  /** @throws CrmError of the first operation that fails, if all or nothing is to be written */
  async #runEach(
    actor: Actor,
    prepared: readonly PreparedOperation<R, Detail>[],
    { atomic, saveResponse }: WriteOptions,
  ): Promise<readonly BatchResult<Detail>[]> {
    let failedIndex: number | undefined
    try {
      return await this.#engine.storage.transact(async (tx) => {
        const results: BatchResult<Detail>[] = []
        for (const [index, operation] of prepared.entries()) {
          const result = await runInSavepoint(operation, tx)
          results.push(result)
          if (!atomic || !('error' in result)) continue
          failedIndex = index
          throw result.error
        }
        await saveResponse?.(tx, results.map(toKeptResult))
        return results
      })
    } catch (error) {
      if (failedIndex === undefined || !(error instanceof CrmError)) throw error
      const failed = await this.#nameHolders(actor, { error }, prepared[failedIndex]!)
      return prefixFields(`operations[${failedIndex}]`, () => {
        throw 'error' in failed ? failed.error : error
      })
    }
  }

  async runIdempotently(actor: Actor, key: string, input: unknown) {
    requireScope(actor, this.#resource.scopes.write)
    const path = `${this.#resource.label} batch`
    const { response, isReplay } = await this.#engine.createIdempotently<readonly unknown[]>(
      { actor, path, key, body: input },
      (saveResponse, keyErrors) => this.run(actor, input, { keyErrors, saveResponse }),
    )
    if (!isReplay) return { results: response as readonly BatchResult<Detail>[], isReplay }
    const { operations } = validate(batchInput, input)
    const results = (response as readonly KeptResult[]).map((each, index) =>
      this.#readAgain(actor, each, operations[index]!),
    )
    return { results: await Promise.all(results), isReplay }
  }

  /** The result as the actor may see it: the batch may have been that of another member. */
  async #readAgain(
    actor: Actor,
    result: KeptResult,
    { id: target }: Pick<BatchOperation, 'id'>,
  ): Promise<BatchResult<Detail>> {
    if ('error' in result) {
      const isFound = target === undefined || (await findView(this.#resource, this.#engine, actor, target))
      if (!isFound) return { error: notFound(this.#resource.label) }
      return this.#nameHolders(actor, { error: restoreError(result.error) }, { fields: {} })
    }
    const { done, id } = result
    if (done === 'deleted') return { done, id }
    const data = await findView(this.#resource, this.#engine, actor, id)
    return data ? { done, id, data } : { error: notFound(this.#resource.label) }
  }

  async #nameHolders(
    actor: Actor,
    result: BatchResult<Detail>,
    { fields }: Pick<PreparedOperation<R, Detail>, 'fields'>,
  ): Promise<BatchResult<Detail>> {
    if (!('error' in result)) return result
    try {
      return await nameExistingIds(this.#resource, this.#engine, actor, fields, () =>
        Promise.reject(result.error),
      )
    } catch (error) {
      return { error: error as CrmError }
    }
  }
}

/** Runs an operation that fails alone. */
async function runInSavepoint<R, Detail>(
  { fields, run }: PreparedOperation<R, Detail>,
  tx: Transaction,
): Promise<BatchResult<Detail>> {
  try {
    return await retryWithNewCodes(fields, () => tx.savepoint(() => run(tx)))
  } catch (error) {
    if (!(error instanceof CrmError)) throw error
    return { error }
  }
}
