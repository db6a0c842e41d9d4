import { deleteWithin } from '../../engine/delete-record.ts'
import { prefixFields } from '../../engine/error-fields.ts'
import { nameExistingIds } from '../../engine/existing-ids.ts'
import type { Engine, RecordRule, SaveResponse } from '../../engine/extension.ts'
import { findView } from '../../engine/load-record.ts'
import { type Input, withoutNulls } from '../../engine/patch.ts'
import { type PreparableResource, PreparedWrites, retryWithNewCodes } from '../../engine/prepared-writes.ts'
import type { UpdateResult } from '../../engine/record-writer.ts'
import { validate } from '../../engine/validate.ts'
import { inWorkspace, type WorkspaceTransaction } from '../../engine/workspace-transaction.ts'
import { type Actor, requireScope } from '../../kernel/actor.ts'
import {
  associationsFailed,
  CrmError,
  type FieldErrors,
  notFound,
  validationError,
} from '../../kernel/errors.ts'
import type { RecordBase } from '../../kernel/record.ts'
import type { Transaction } from '../../ports/index.ts'
import { UPSERT_KINDS } from '../upsert/match-rules.ts'
import { belowRecord, Upserts } from '../upsert/upsert-api.ts'
import { type BatchInput, type BatchOperation, batchInput } from './batch-input.ts'
import { type BatchResult, type KeptResult, restoreError, toKeptResult } from './batch-results.ts'

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
  const batches = new Batches(resource, engine, { rules, findId })
  return {
    batch: (actor, input) => batches.run(actor, input),
    batchIdempotent: (actor, key, input) => batches.runIdempotently(actor, key, input),
  }
}

/** Returns the id of the record that an identifier names; undefined if there is none. */
type FindId = (identifier: string, transaction: WorkspaceTransaction) => Promise<string | undefined>

/** An operation that is ready to run. */
interface PreparedOperation<Detail> {
  /** The validated fields of the record. */
  readonly fields: Input
  /** @throws CrmError as the same call alone */
  run(tx: Transaction): Promise<BatchResult<Detail>>
}

/** Fields with files, which are fetched and decoded before a transaction. */
const FILE_FIELDS = ['image', 'attachments']

class Batches<R extends RecordBase, Detail extends { readonly id: string }> {
  readonly #resource: PreparableResource<R, Detail>
  readonly #engine: Engine
  readonly #writes: PreparedWrites<R, Detail>
  readonly #upserts: Upserts<R, Detail> | undefined
  readonly #findId: FindId | undefined

  constructor(
    resource: PreparableResource<R, Detail>,
    engine: Engine,
    {
      rules,
      findId,
    }: { readonly rules?: readonly RecordRule<R>[] | undefined; readonly findId?: FindId | undefined },
  ) {
    this.#findId = findId
    this.#resource = resource
    this.#engine = engine
    this.#writes = new PreparedWrites(resource, engine, rules)
    const kind = UPSERT_KINDS.find((each) => each === resource.collection)
    this.#upserts = kind && new Upserts(kind, resource, engine, rules)
  }

  async run(
    actor: Actor,
    input: unknown,
    { keyErrors = {}, saveResponse }: { keyErrors?: FieldErrors; saveResponse?: SaveResponse } = {},
  ): Promise<readonly BatchResult<Detail>[]> {
    requireScope(actor, this.#resource.scopes.write)
    const { operations, atomic } = validate(batchInput, input, 'field', keyErrors)
    const prepared: PreparedOperation<Detail>[] = []
    for (const operation of operations) prepared.push(await this.#prepareOrFail(actor, operation))
    let failedIndex: number | undefined
    const write = async (tx: Transaction) => {
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
    }
    try {
      const results = await this.#engine.storage.transact(write)
      return await Promise.all(
        results.map((result, index) => this.#nameHolders(actor, result, prepared[index]!)),
      )
    } catch (error) {
      if (!atomic || failedIndex === undefined || !(error instanceof CrmError)) throw error
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
    const results = (response as readonly KeptResult[]).map((each) => this.#readAgain(actor, each))
    return { results: await Promise.all(results), isReplay }
  }

  async #readAgain(actor: Actor, result: KeptResult): Promise<BatchResult<Detail>> {
    if ('error' in result) return { error: restoreError(result.error) }
    const { done, id } = result
    if (done === 'deleted') return { done, id }
    const data = await findView(this.#resource, this.#engine, actor, id)
    return data ? { done, id, data } : { error: notFound(this.#resource.label) }
  }

  async #nameHolders(
    actor: Actor,
    result: BatchResult<Detail>,
    { fields }: PreparedOperation<Detail>,
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

  /** An operation that cannot be prepared fails when it would run. */
  async #prepareOrFail(actor: Actor, operation: BatchOperation): Promise<PreparedOperation<Detail>> {
    try {
      return await this.#prepare(actor, operation)
    } catch (error) {
      if (!(error instanceof CrmError)) throw error
      return { fields: {}, run: () => Promise.reject(error) }
    }
  }

  async #prepare(
    actor: Actor,
    { op, id = '', record = {}, match }: BatchOperation,
  ): Promise<PreparedOperation<Detail>> {
    refuseFiles(record)
    this.#writes.authorize(actor, op === 'create' ? withoutNulls(record) : record)
    switch (op) {
      case 'create': {
        const { fields, run } = await this.#writes.prepareCreate(actor, record)
        return { fields, run: async (tx) => this.#toResult('created', await run(tx)) }
      }
      case 'update': {
        const { fields, run } = await this.#writes.prepareUpdate(actor, record, { id })
        return {
          fields,
          run: async (tx) => this.#toResult('updated', await run(tx, await this.#idOf(actor, id, tx))),
        }
      }
      case 'upsert':
        return this.#prepareUpsert(actor, { match, record })
      case 'delete':
        return { fields: {}, run: (tx) => this.#delete(actor, id, tx) }
    }
  }

  async #prepareUpsert(actor: Actor, input: object): Promise<PreparedOperation<Detail>> {
    if (!this.#upserts) throw validationError({ op: 'Must be one of: create, update, delete.' })
    const { fields, run } = await this.#upserts.prepare(actor, input)
    return {
      fields,
      run: async (tx) => {
        const { isNew, ...result } = await belowRecord(() => run(tx))
        return this.#toResult(isNew ? 'created' : 'updated', result)
      },
    }
  }

  /** Only the fields of the record itself were saved, if its associations failed. */
  #toResult(done: 'created' | 'updated', result: UpdateResult<Detail>): BatchResult<Detail> {
    if ('failure' in result) return { error: associationsFailed(this.#resource.label, result.failure) }
    return { done, id: result.view.id, data: result.view }
  }

  async #delete(actor: Actor, id: string, tx: Transaction): Promise<BatchResult<Detail>> {
    const recordId = await this.#idOf(actor, id, tx)
    await deleteWithin(this.#resource, this.#engine, actor, recordId, tx)
    return { done: 'deleted', id: recordId.toLowerCase() }
  }

  /** Returns an unknown identifier unchanged, which then is not found. */
  async #idOf(actor: Actor, identifier: string, tx: Transaction): Promise<string> {
    return (await this.#findId?.(identifier, inWorkspace(tx, actor))) ?? identifier
  }
}

/** Runs an operation that fails alone. */
async function runInSavepoint<Detail>(
  { fields, run }: PreparedOperation<Detail>,
  tx: Transaction,
): Promise<BatchResult<Detail>> {
  try {
    return await retryWithNewCodes(fields, () => tx.savepoint(() => run(tx)))
  } catch (error) {
    if (!(error instanceof CrmError)) throw error
    return { error }
  }
}

function refuseFiles(record: object): void {
  const names = FILE_FIELDS.filter((name) => Object.hasOwn(record, name))
  if (names.length > 0)
    throw validationError(
      Object.fromEntries(names.map((name) => [name, 'Must be sent in a call of its own.'])),
    )
}
