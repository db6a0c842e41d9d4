import {
  type AssociationInput,
  NO_ASSOCIATION_CHANGES,
  type ResolvedAssociations,
  resolveAssociations,
} from '../features/associations/associations.ts'
import { deals } from '../features/deals/deal.ts'
import { type DealChanges, requireDealPermissions, saveDealChanges } from '../features/deals/link-deals.ts'
import {
  type ChangeContext,
  emitAllEvents,
  emitChange,
  loadSubscribers,
} from '../features/webhooks/emit-events.ts'
import type { Actor } from '../kernel/actor.ts'
import { CrmError } from '../kernel/errors.ts'
import type { Instant } from '../kernel/instant.ts'
import { requirePermission } from '../kernel/permissions.ts'
import type { RecordBase } from '../kernel/record.ts'
import type { Ports } from '../ports/index.ts'
import type { Transaction } from '../ports/storage.ts'
import type { AssociationFields } from '../schema/associations.ts'
import type { Webhook } from '../schema/webhook.ts'
import { generateEntityCode } from './entity-code.ts'
import { buildDetailView, type HasDetailView, loadForUpdate } from './load-record.ts'
import { resolveEffectiveOwner } from './owner.ts'
import { hasChanges, type Input } from './patch.ts'
import { resolveReferences } from './references.ts'
import type { EmitsEvents, Resource } from './resource.ts'
import { throwIfErrors } from './validate.ts'
import { inWorkspace, type WorkspaceTransaction } from './workspace-transaction.ts'

export type UpdateResult<Detail> = { readonly view: Detail } | AssociationFailure

/** The record is changed, and what it is associated with is not. */
export interface AssociationFailure {
  readonly failure: unknown
}

/** What creates and updates do within their transaction, on an input that is valid by itself. */
export function recordWrites<R extends RecordBase, Detail extends object>(
  resource: Pick<
    Resource<R>,
    | 'label'
    | 'store'
    | 'references'
    | 'codePrefix'
    | 'defaults'
    | 'associations'
    | 'searchTerms'
    | 'deriveFields'
    | 'afterUpdate'
  > &
    HasDetailView<R, Detail> &
    EmitsEvents<NoInfer<Detail>>,
  { now, newId, random }: Pick<Ports, 'now' | 'newId' | 'random'>,
) {
  const { label, references } = resource

  return { createRecord, updateRecord }

  async function createRecord(actor: Actor, input: Input, tx: Transaction): Promise<Detail> {
    const unit = inWorkspace(tx, actor.workspaceId)
    const at = now()
    const [{ fields, associated }, webhooks] = await Promise.all([
      resolveInput(actor, input, undefined, at, unit),
      loadSubscribers(resource, unit),
    ])
    const code =
      resource.codePrefix === null ? {} : { entity_id: generateEntityCode(resource.codePrefix, random) }
    const stamps = { created_at: at, updated_at: at }
    const record = withSearchTerms({
      id: newId(),
      ...resource.defaults,
      ...fields,
      ...associated.fields,
      ...code,
      ...stamps,
    } as unknown as R)
    const insertion = resource.store(unit.stores).insert(record)
    const [view] = await Promise.all([buildDetailView(resource, record, unit), insertion])
    await emitChange(resource, { after: async () => view }, webhooks, unit, { at, newId })
    if (associated.deals) await moveDeals(associated.deals, record.id, webhooks, unit, { at, newId })
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
    const [before, webhooks] = await Promise.all([
      loadForUpdate(resource, id, unit, { lock: 'optimistic' }),
      loadSubscribers(resource, unit),
    ])
    const at = now()
    const { fields, associated } = await resolveInput(actor, input, before, at, unit)
    const main = hasChanges(before, fields)
      ? withSearchTerms({ ...before, ...fields, updated_at: at })
      : before
    const context = { at, userId: actor.userId, newId }
    const ownWrite =
      main === before
        ? undefined
        : Promise.all([store.update(main, before), resource.afterUpdate?.(before, main, context, unit)])
    if (!hasAssociationChanges(main, associated)) {
      const [view] = await Promise.all([buildDetailView(resource, main, unit), ownWrite])
      if (main !== before) await emit(async () => view)
      return { view }
    }
    await ownWrite
    const after = withSearchTerms({ ...main, ...associated.fields, updated_at: at })
    const failure = await tryInSavepoint(tx, async () => {
      await store.update(after, main)
      if (associated.deals) await moveDeals(associated.deals, after.id, webhooks, unit, { at, newId })
    })
    if (failure) {
      if (main !== before) await emit(() => buildDetailView(resource, main, unit))
      return failure
    }
    const view = await buildDetailView(resource, after, unit)
    await emit(async () => view)
    return { view }

    function emit(after: () => Promise<Detail>): Promise<void> {
      return emitChange(
        resource,
        { before: () => buildDetailView(resource, before, unit), after },
        webhooks,
        unit,
        { at, newId },
      )
    }
  }

  /** What the input comes to, with everything that is wrong with it told at once. @throws CrmError `validation_error`, `forbidden` */
  async function resolveInput(
    actor: Actor,
    input: Input,
    before: R | undefined,
    at: Instant,
    unit: WorkspaceTransaction,
  ) {
    const errors = new Map<string, string>()
    const { own, associations } = splitAssociations(input)
    const [fields, associated] = await Promise.all([
      resolveOwnFields(own, before, at, unit, errors),
      resource.associations
        ? resolveAssociations(
            resource.associations,
            associations,
            before as (R & AssociationFields) | undefined,
            unit,
            errors,
          )
        : NO_ASSOCIATION_CHANGES,
    ])
    throwIfErrors(errors)
    if (before)
      requirePermission(actor, 'update', label, await resolveEffectiveOwner(before, actor, unit), fields)
    else requirePermission(actor, 'create', label, undefined, fields)
    if (associated.deals) await requireDealPermissions(associated.deals, actor, unit)
    return { fields, associated }
  }

  async function resolveOwnFields(
    own: Input,
    before: R | undefined,
    at: Instant,
    unit: WorkspaceTransaction,
    errors: Map<string, string>,
  ) {
    const fields = (await resolveReferences(references, own, unit, errors)) as Partial<R>
    return resource.deriveFields({ before, fields, at, random }, unit, errors)
  }

  function withSearchTerms(record: R): R {
    return resource.searchTerms ? { ...record, found_by: resource.searchTerms(record) } : record
  }
}

/** So many are told of at once, so that the text of a thousand need not be held together. */
const EVENT_BATCH_SIZE = 20

/** A deal that comes to a record or leaves it is changed itself, and tells so. */
async function moveDeals(
  dealChanges: DealChanges,
  recordId: string,
  webhooks: readonly Webhook[],
  unit: WorkspaceTransaction,
  context: ChangeContext,
): Promise<void> {
  const savedDeals = await saveDealChanges(dealChanges, recordId, context.at, unit)
  for (let from = 0; from < savedDeals.length; from += EVENT_BATCH_SIZE) {
    const batch = savedDeals.slice(from, from + EVENT_BATCH_SIZE)
    const buildEvents = async () =>
      (await deals.detailView(batch, unit)).map((deal) => ({
        events: ['deal.updated'] as const,
        snapshot: { deal },
      }))
    await emitAllEvents(webhooks, buildEvents, unit, context)
  }
}

/** What a caller sent, the record's own fields apart from what is associated with it. */
function splitAssociations({ tags, lists, deals, custom_fields, ...own }: Input): {
  readonly own: Input
  readonly associations: AssociationInput
} {
  return { own, associations: { tags, lists, deals, custom_fields } as AssociationInput }
}

function hasAssociationChanges(before: object, { fields, deals }: ResolvedAssociations): boolean {
  return hasChanges(before, fields) || (deals !== undefined && deals.added.length + deals.removed.length > 0)
}

/** What went wrong in a part that may fail alone. A refusal is no such failure: it ends the whole. */
async function tryInSavepoint(
  tx: Transaction,
  work: () => Promise<void>,
): Promise<AssociationFailure | undefined> {
  try {
    await tx.savepoint(work)
    return undefined
  } catch (failure) {
    if (failure instanceof CrmError) throw failure
    return { failure }
  }
}
