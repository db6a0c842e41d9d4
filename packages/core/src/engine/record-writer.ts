import type { Actor } from '../kernel/actor.ts'
import type { RecordBase } from '../kernel/record.ts'
import type { Transaction } from '../ports/storage.ts'
import { buildRecord, prepareTerms } from './build-record.ts'
import type { ChangeContext, Engine, Extension, ProposedChange, RecordRule, Update } from './extension.ts'
import { InputResolver } from './input-resolver.ts'
import { buildDetailView, loadForUpdate } from './load-record.ts'
import { hasChanges, type Input, mergeChanges } from './patch.ts'
import { requireVersion, type WriteConditions } from './record-version.ts'
import type { Resource } from './resource.ts'
import { type ExtensionFailure, tryInSavepoint } from './try-in-savepoint.ts'
import { inWorkspace, type ViewTransaction, type WorkspaceTransaction } from './workspace-transaction.ts'

export type UpdateResult<Detail> = { readonly view: Detail } | ExtensionFailure

/** The members of a resource that creates and updates use. */
export type WritableResource<R extends RecordBase, Detail extends object> = Pick<
  Resource<R>,
  | 'label'
  | 'collection'
  | 'memberAccess'
  | 'store'
  | 'references'
  | 'codePrefix'
  | 'defaults'
  | 'searchTerms'
  | 'deriveFields'
  | 'extensions'
  | 'loadParts'
> &
  Pick<Resource<R, never, never, never, never, object, Detail>, 'detailView' | 'events' | 'snapshot'>

/** Creates and updates records within a transaction. Their input has been validated against its schema. */
export class RecordWriter<R extends RecordBase, Detail extends object> {
  readonly #resource: WritableResource<R, Detail>
  readonly #engine: Engine
  readonly #extensions: readonly Extension<R>[]
  readonly #inputs: InputResolver<R>

  /** @param rules rules of the embedding application */
  constructor(resource: WritableResource<R, Detail>, engine: Engine, rules: readonly RecordRule<R>[] = []) {
    this.#resource = resource
    this.#engine = engine
    this.#extensions = [...resource.extensions, ...rules.map((check) => ({ check }))]
    this.#inputs = new InputResolver(resource, engine, this.#extensions)
  }

  /** @param id of the record, which none has or had */
  async create(actor: Actor, input: Input, tx: Transaction, id?: string): Promise<Detail> {
    const creation = await this.#insert(actor, input, tx, id)
    const view = creation.hasParts ? creation.insertion.then(creation.buildView) : creation.buildView()
    await Promise.all([view, creation.insertion])
    await creation.finish()
    return view
  }

  /** As `create`, but returns the record without building its view. */
  async insert(actor: Actor, input: Input, tx: Transaction, id?: string): Promise<R> {
    const { insertion, finish, record } = await this.#insert(actor, input, tx, id)
    await insertion
    await finish()
    return record
  }

  async #insert(actor: Actor, input: Input, tx: Transaction, id = this.#engine.newId()) {
    const resource = this.#resource
    const transaction = inWorkspace(tx, actor, this.#engine)
    const { random } = this.#engine
    const context = { at: this.#engine.now(), newId: this.#engine.newId }
    const [{ fields, resolved }, emit, addTerms] = await Promise.all([
      this.#inputs.resolve(actor, input, undefined, transaction, context),
      this.#engine.prepareEvents(resource, transaction),
      prepareTerms(resource, this.#engine, transaction),
    ])
    const record = addTerms(
      buildRecord<R>(resource, id, { ...fields, ...resolved.fields }, { ...context, random }),
    )
    await this.#check({ actor, before: undefined, after: record }, transaction)
    const { saveParts } = resolved
    const inserted = resource.store(transaction.stores).insert(record)
    let view: Promise<Detail> | undefined
    const buildView = () => {
      view ??= buildDetailView(resource, record, transaction)
      return view
    }
    return {
      record,
      hasParts: saveParts !== undefined,
      insertion: saveParts ? inserted.then(() => saveParts(record, transaction)) : inserted,
      buildView,
      finish: async () => {
        const after = (as: ViewTransaction) =>
          as === transaction ? buildView() : buildDetailView(resource, record, as)
        await emit({ record, after }, context)
        await resolved.save?.(record.id, transaction, context)
      },
    }
  }

  async update(
    actor: Actor,
    id: string,
    input: Input,
    tx: Transaction,
    conditions: WriteConditions = {},
  ): Promise<UpdateResult<Detail>> {
    const resource = this.#resource
    const transaction = inWorkspace(tx, actor, this.#engine)
    const isPessimistic = this.#extensions.some(({ lock }) => lock === 'pessimistic')
    const [before, emit, addTerms] = await Promise.all([
      loadForUpdate(resource, id, transaction, isPessimistic ? {} : { lock: 'optimistic' }),
      this.#engine.prepareEvents(resource, transaction),
      prepareTerms(resource, this.#engine, transaction),
    ])
    const context = { at: this.#engine.now(), newId: this.#engine.newId }
    const { fields, resolved } = await this.#inputs.resolve(actor, input, before, transaction, context)
    requireVersion(
      before,
      conditions,
      this.#engine,
      conditions.versions && (await resource.loadParts?.(before, transaction)),
    )
    const emitUpdate = (record: R, view?: Detail) => {
      const viewOf = (each: R) => async (as: ViewTransaction) =>
        view && each === record && as === transaction ? view : buildDetailView(resource, each, as)
      return emit({ record, before: viewOf(before), after: viewOf(record) }, context)
    }

    const merged = mergeChanges(before, fields, context.at, resolved.saveParts !== undefined)
    const main = merged === before ? before : addTerms(merged)
    if (main !== before)
      await this.#check({ actor, before, after: { ...main, ...resolved.fields } }, transaction)
    const mainWrites =
      main === before ? [] : this.#writeMain({ actor, before, after: main }, transaction, context)
    if (resolved.saveParts) await Promise.all([...mainWrites, resolved.saveParts(main, transaction)])
    if (!hasChanges(main, resolved.fields) && !resolved.save) {
      const [view] = await Promise.all([buildDetailView(resource, main, transaction), ...mainWrites])
      if (main !== before) await emitUpdate(main, view)
      return { view }
    }
    await Promise.all(mainWrites)
    const after = addTerms({ ...main, ...resolved.fields, updated_at: context.at })
    const failure = await tryInSavepoint(tx, async () => {
      await resource.store(transaction.stores).update(after)
      await resolved.save?.(after.id, transaction, context)
    })
    if (failure) {
      if (main !== before) await emitUpdate(main)
      return failure
    }
    const view = await buildDetailView(resource, after, transaction)
    await emitUpdate(after, view)
    return { view }
  }

  /**
   * Changes columns for the service itself: checks no permission, only the rules of the embedding application. Sends
   * the `updated` event. Returns false if nothing changes, also for a deleted record.
   * @param actor the member in whose name the record changes
   * @throws CrmError what a `RecordRule` throws, before anything is written
   */
  async changeColumns(
    actor: Actor,
    id: string,
    change: (record: R) => Partial<R>,
    tx: Transaction,
  ): Promise<boolean> {
    const resource = this.#resource
    const transaction = inWorkspace(tx, actor, this.#engine)
    const before = await resource.store(transaction.service.stores).getForUpdate(id)
    if (!before) return false
    const context = { at: this.#engine.now(), newId: this.#engine.newId }
    const merged = mergeChanges(before, change(before), context.at)
    if (merged === before) return false
    const after = (await prepareTerms(resource, this.#engine, transaction))(merged)
    await this.#check({ actor, before, after }, transaction)
    const [emit] = await Promise.all([
      this.#engine.prepareEvents(resource, transaction),
      ...this.#writeMain({ actor, before, after }, transaction, context),
    ])
    const viewOf = (each: R) => (as: ViewTransaction) => buildDetailView(resource, each, as)
    await emit({ record: after, before: viewOf(before), after: viewOf(after) }, context)
    return true
  }

  async #check(change: ProposedChange<R>, transaction: WorkspaceTransaction): Promise<void> {
    for (const extension of this.#extensions) await extension.check?.(change, transaction.service)
  }

  #writeMain(
    update: Update<R>,
    transaction: ViewTransaction,
    context: ChangeContext,
  ): readonly (Promise<void> | undefined)[] {
    return [
      this.#resource.store(transaction.stores).update(update.after),
      ...this.#extensions.map((each) => each.afterUpdate?.(update, transaction, context)),
    ]
  }
}
