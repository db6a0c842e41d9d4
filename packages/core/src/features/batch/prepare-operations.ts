import { deleteWithin } from '../../engine/delete-record.ts'
import type { Engine, RecordRule } from '../../engine/extension.ts'
import { type Input, withoutNulls } from '../../engine/patch.ts'
import { type PreparableResource, PreparedWrites } from '../../engine/prepared-writes.ts'
import type { UpdateResult } from '../../engine/record-writer.ts'
import { inWorkspace, type WorkspaceTransaction } from '../../engine/workspace-transaction.ts'
import type { Actor } from '../../kernel/actor.ts'
import { associationsFailed, CrmError, validationError } from '../../kernel/errors.ts'
import type { RecordBase } from '../../kernel/record.ts'
import type { Transaction } from '../../ports/index.ts'
import { UPSERT_KINDS } from '../upsert/match-rules.ts'
import { belowRecord, Upserts } from '../upsert/upsert-api.ts'
import type { BatchOperation } from './batch-input.ts'
import type { BatchResult } from './batch-results.ts'

/** Returns the id of the record that an identifier names; undefined if there is none. */
export type FindId = (identifier: string, transaction: WorkspaceTransaction) => Promise<string | undefined>

/** An operation that is ready to run. */
export interface PreparedOperation<R, Detail> {
  /** The validated fields of the record. */
  readonly fields: Input
  /** @throws CrmError as the same call alone */
  run(tx: Transaction): Promise<BatchResult<Detail>>
  /** Of a create: as `run`, but returns the record as it is stored. */
  insert?(tx: Transaction): Promise<R>
}

/** Fields with files, which are fetched and decoded before a transaction. */
const FILE_FIELDS = ['image', 'attachments']

/** Validates and prepares the operations of one kind, which then run in a transaction of the caller. */
export class OperationPreparer<R extends RecordBase, Detail extends { readonly id: string }> {
  readonly #resource: PreparableResource<R, Detail>
  readonly #engine: Engine
  readonly #writes: PreparedWrites<R, Detail>
  readonly #upserts: Upserts<R, Detail> | undefined
  readonly #findId: FindId | undefined

  constructor(
    resource: PreparableResource<R, Detail>,
    engine: Engine,
    rules: readonly RecordRule<R>[] | undefined,
    findId: FindId | undefined,
  ) {
    this.#resource = resource
    this.#engine = engine
    this.#writes = new PreparedWrites(resource, engine, rules)
    const kind = UPSERT_KINDS.find((each) => each === resource.collection)
    this.#upserts = kind && new Upserts(kind, resource, engine, rules)
    this.#findId = findId
  }

  /** An operation that cannot be prepared fails when it would run. */
  async prepare(actor: Actor, operation: BatchOperation): Promise<PreparedOperation<R, Detail>> {
    try {
      return await this.#validate(actor, operation)
    } catch (error) {
      if (!(error instanceof CrmError)) throw error
      return { fields: {}, run: () => Promise.reject(error) }
    }
  }

  async #validate(
    actor: Actor,
    { op, id = '', record = {}, match }: BatchOperation,
  ): Promise<PreparedOperation<R, Detail>> {
    refuseFiles(record)
    this.#writes.authorize(actor, op === 'create' ? withoutNulls(record) : record)
    switch (op) {
      case 'create': {
        const { fields, run, insert } = await this.#writes.prepareCreate(actor, record)
        return { fields, run: async (tx) => this.#toResult('created', await run(tx)), insert }
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

  async #prepareUpsert(actor: Actor, input: object): Promise<PreparedOperation<R, Detail>> {
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

function refuseFiles(record: object): void {
  const names = FILE_FIELDS.filter((name) => Object.hasOwn(record, name))
  if (names.length > 0)
    throw validationError(
      Object.fromEntries(names.map((name) => [name, 'Must be sent in a call of its own.'])),
    )
}
