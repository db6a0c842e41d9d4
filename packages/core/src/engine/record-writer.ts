import type { Actor } from '../kernel/actor.ts'
import { CrmError } from '../kernel/errors.ts'
import type { Instant } from '../kernel/instant.ts'
import { requirePermission } from '../kernel/permissions.ts'
import type { RecordBase } from '../kernel/record.ts'
import type { Transaction } from '../ports/storage.ts'
import { generateEntityCode } from './entity-code.ts'
import type { Engine, Extension, Resolution } from './extension.ts'
import { buildDetailView, loadForUpdate } from './load-record.ts'
import { resolveEffectiveOwner } from './owner.ts'
import { hasChanges, type Input } from './patch.ts'
import { resolveReferences } from './references.ts'
import type { Resource } from './resource.ts'
import { throwIfErrors } from './validate.ts'
import { inWorkspace, type WorkspaceTransaction } from './workspace-transaction.ts'

export type UpdateResult<Detail> = { readonly view: Detail } | ExtensionFailure

/** The record's own fields are saved; those of its extensions are not. */
export interface ExtensionFailure {
  readonly failure: unknown
}

/** What creates and updates need of a resource. */
export type WritableResource<R extends RecordBase, Detail extends object> = Pick<
  Resource<R>,
  'label' | 'collection' | 'store' | 'references' | 'codePrefix' | 'defaults' | 'searchTerms' | 'deriveFields'
> &
  Pick<Resource<R, never, never, never, never, object, Detail>, 'detailView' | 'events' | 'snapshot'>

/** Creates and updates records within a transaction. Their input has been validated against its schema. */
export function recordWrites<R extends RecordBase, Detail extends object>(
  resource: WritableResource<R, Detail>,
  { now, newId, random, prepareEvents }: Engine,
  extensions: readonly Extension<R>[],
) {
  const { references } = resource
  const extensionFields = new Set(extensions.flatMap(({ inputFields = [] }) => inputFields))

  return { createRecord, updateRecord }

  async function createRecord(actor: Actor, input: Input, tx: Transaction): Promise<Detail> {
    const unit = inWorkspace(tx, actor.workspaceId)
    const at = now()
    const [{ fields, resolved }, emit] = await Promise.all([
      resolveInput(actor, input, undefined, at, unit),
      prepareEvents(resource, unit),
    ])
    const code =
      resource.codePrefix === null ? {} : { entity_id: generateEntityCode(resource.codePrefix, random) }
    const record = withSearchTerms({
      id: newId(),
      ...resource.defaults,
      ...fields,
      ...resolved.fields,
      ...code,
      created_at: at,
      updated_at: at,
    } as unknown as R)
    const insertion = resource.store(unit.stores).insert(record)
    const [view] = await Promise.all([buildDetailView(resource, record, unit), insertion])
    await emit({ after: async () => view }, { at, newId })
    await resolved.save?.(record.id, unit, { at, newId })
    return view
  }

  async function updateRecord(
    actor: Actor,
    id: string,
    input: Input,
    tx: Transaction,
  ): Promise<UpdateResult<Detail>> {
    const unit = inWorkspace(tx, actor.workspaceId)
    const store = resource.store(unit.stores)
    const [before, emit] = await Promise.all([
      loadForUpdate(resource, id, unit, { lock: 'optimistic' }),
      prepareEvents(resource, unit),
    ])
    const at = now()
    const context = { at, newId }
    const emitUpdate = (after: () => Promise<Detail>) =>
      emit({ before: () => buildDetailView(resource, before, unit), after }, context)
    const { fields, resolved } = await resolveInput(actor, input, before, at, unit)
    const main = hasChanges(before, fields)
      ? withSearchTerms({ ...before, ...fields, updated_at: at })
      : before
    const mainWrites =
      main === before
        ? []
        : [
            store.update(main, before),
            ...extensions.map((each) => each.afterUpdate?.({ actor, before, after: main }, unit, context)),
          ]
    if (!hasChanges(main, resolved.fields) && !resolved.save) {
      const [view] = await Promise.all([buildDetailView(resource, main, unit), ...mainWrites])
      if (main !== before) await emitUpdate(async () => view)
      return { view }
    }
    await Promise.all(mainWrites)
    const after = withSearchTerms({ ...main, ...resolved.fields, updated_at: at })
    const failure = await tryInSavepoint(tx, async () => {
      await store.update(after, main)
      await resolved.save?.(after.id, unit, context)
    })
    if (failure) {
      if (main !== before) await emitUpdate(() => buildDetailView(resource, main, unit))
      return failure
    }
    const view = await buildDetailView(resource, after, unit)
    await emitUpdate(async () => view)
    return { view }
  }

  /**
   * Resolves the input to columns, with all errors at once.
   * @throws CrmError `validation_error`, `forbidden`
   */
  async function resolveInput(
    actor: Actor,
    input: Input,
    before: R | undefined,
    at: Instant,
    unit: WorkspaceTransaction,
  ): Promise<{ readonly fields: object; readonly resolved: Resolution }> {
    const errors = new Map<string, string>()
    const [fields, ...resolutions] = await Promise.all([
      resolveOwnFields(input, before, at, unit, errors),
      ...extensions.map((each) => each.resolve?.(input, before, unit, errors)),
    ])
    throwIfErrors(errors)
    if (before)
      requirePermission(actor, 'update', resource, await resolveEffectiveOwner(before, actor, unit), fields)
    else requirePermission(actor, 'create', resource, undefined, fields)
    for (const each of resolutions) await each?.requirePermissions?.(actor, unit)
    return { fields, resolved: mergeResolutions(resolutions.filter((each) => each !== undefined)) }
  }

  async function resolveOwnFields(
    input: Input,
    before: R | undefined,
    at: Instant,
    unit: WorkspaceTransaction,
    errors: Map<string, string>,
  ) {
    const own = Object.fromEntries(Object.entries(input).filter(([name]) => !extensionFields.has(name)))
    const fields = (await resolveReferences(references, own, unit, errors)) as Partial<R>
    return resource.deriveFields({ before, fields, at, random }, unit, errors)
  }

  function withSearchTerms(record: R): R {
    return resource.searchTerms ? { ...record, search_terms: resource.searchTerms(record) } : record
  }
}

function mergeResolutions(resolutions: readonly Resolution[]): Resolution {
  const saves = resolutions.flatMap(({ save }) => (save ? [save] : []))
  return {
    fields: Object.assign({}, ...resolutions.map(({ fields }) => fields)),
    ...(saves.length > 0 && {
      async save(recordId, unit, context) {
        for (const save of saves) await save(recordId, unit, context)
      },
    }),
  }
}

/** Returns what failed in the savepoint. A `CrmError` is a refusal: it ends the whole transaction. */
async function tryInSavepoint(
  tx: Transaction,
  work: () => Promise<void>,
): Promise<ExtensionFailure | undefined> {
  try {
    await tx.savepoint(work)
    return undefined
  } catch (failure) {
    if (failure instanceof CrmError) throw failure
    return { failure }
  }
}
