import type { Actor } from '../actor.ts'
import { deals } from '../deals/deal.ts'
import { type DealChanges, permitDeals, saveDeals } from '../deals/link-deals.ts'
import { CrmError } from '../errors.ts'
import { permit } from '../permissions.ts'
import type { Instant, Ports, RecordBase, Transaction } from '../ports.ts'
import { emitAll, emitChange, type Stamp, subscribersTo } from '../webhooks/emit.ts'
import type { Webhook } from '../webhooks/webhook.ts'
import { type Associated, type AssociationInput, NONE_SENT, type ResolvedAssociations, resolveAssociations } from './associations.ts'
import { entityCode } from './entity-code.ts'
import { detailOf, existing, type Shows } from './existing.ts'
import { throwIfAny } from './input.ts'
import { asOwned } from './owner.ts'
import { resolveReferences } from './references.ts'
import type { Resource, Tells } from './resource.ts'
import { changes, type Input } from './sent.ts'
import { type Unit, unitOf } from './unit.ts'

export type Outcome<Detail> = { readonly view: Detail } | Failure

/** The record is changed, and what it is associated with is not. */
export interface Failure {
  readonly failure: unknown
}

/** What creates and updates do within their transaction, on an input that is valid by itself. */
export function recordWrites<R extends RecordBase, Detail extends object>(
  resource: Pick<
    Resource<R>,
    'label' | 'store' | 'references' | 'codeLetter' | 'blank' | 'associations' | 'foundBy' | 'settle' | 'noteChange'
  > &
    Shows<R, Detail> &
    Tells<NoInfer<Detail>>,
  { now, newId, random }: Pick<Ports, 'now' | 'newId' | 'random'>,
) {
  const { label, references } = resource

  return { make, change }

  async function make(actor: Actor, asked: Input, tx: Transaction): Promise<Detail> {
    const unit = unitOf(tx, actor.workspaceId)
    const at = now()
    const [{ fields, associated }, webhooks] = await Promise.all([
      resolved(actor, asked, undefined, at, unit),
      subscribersTo(resource, unit),
    ])
    const code = resource.codeLetter === null ? {} : { entity_id: entityCode(resource.codeLetter, random) }
    const stamps = { created_at: at, updated_at: at }
    const record = findable({ id: newId(), ...resource.blank, ...fields, ...associated.fields, ...code, ...stamps } as unknown as R)
    const inserted = resource.store(unit.stores).insert(record)
    const [view] = await Promise.all([detailOf(resource, record, unit), inserted])
    await emitChange(resource, { after: async () => view }, webhooks, unit, { at, newId })
    if (associated.deals) await moveDeals(associated.deals, record.id, webhooks, unit, { at, newId })
    return view
  }

  async function change(actor: Actor, id: string, asked: Input, tx: Transaction): Promise<Outcome<Detail>> {
    const unit = unitOf(tx, actor.workspaceId)
    const store = resource.store(unit.stores)
    const [before, webhooks] = await Promise.all([existing(resource, id, unit, 'getToChange'), subscribersTo(resource, unit)])
    const at = now()
    const { fields, associated } = await resolved(actor, asked, before, at, unit)
    const main = changes(before, fields) ? findable({ ...before, ...fields, updated_at: at }) : before
    const made = { at, userId: actor.userId, newId }
    const writing = main === before ? undefined : Promise.all([store.update(main, before), resource.noteChange?.(before, main, made, unit)])
    if (!changesAssociations(main, associated)) {
      const [view] = await Promise.all([detailOf(resource, main, unit), writing])
      if (main !== before) await tell(async () => view)
      return { view }
    }
    await writing
    const after = findable({ ...main, ...associated.fields, updated_at: at })
    const failure = await failureOf(tx, async () => {
      await store.update(after, main)
      if (associated.deals) await moveDeals(associated.deals, after.id, webhooks, unit, { at, newId })
    })
    if (failure) {
      if (main !== before) await tell(() => detailOf(resource, main, unit))
      return failure
    }
    const view = await detailOf(resource, after, unit)
    await tell(async () => view)
    return { view }

    function tell(after: () => Promise<Detail>): Promise<void> {
      return emitChange(resource, { before: () => detailOf(resource, before, unit), after }, webhooks, unit, { at, newId })
    }
  }

  /** What the input comes to, with everything that is wrong with it told at once. @throws CrmError `validation_error`, `forbidden` */
  async function resolved(actor: Actor, asked: Input, before: R | undefined, at: Instant, unit: Unit) {
    const errors = new Map<string, string>()
    const { own, sent } = apart(asked)
    const [fields, associated] = await Promise.all([
      settled(own, before, at, unit, errors),
      resource.associations
        ? resolveAssociations(resource.associations, sent, before as (R & Associated) | undefined, unit, errors)
        : NONE_SENT,
    ])
    throwIfAny(errors)
    if (before) permit(actor, 'update', label, await asOwned(before, actor, unit), fields)
    else permit(actor, 'create', label, undefined, fields)
    if (associated.deals) await permitDeals(associated.deals, actor, unit)
    return { fields, associated }
  }

  async function settled(own: Input, before: R | undefined, at: Instant, unit: Unit, errors: Map<string, string>) {
    const fields = (await resolveReferences(references, own, unit, errors)) as Partial<R>
    return resource.settle({ before, fields, at, random }, unit, errors)
  }

  function findable(record: R): R {
    return resource.foundBy ? { ...record, found_by: resource.foundBy(record) } : record
  }
}

/** So many are told of at once, so that the text of a thousand need not be held together. */
const TOLD_TOGETHER = 20

/** A deal that comes to a record or leaves it is changed itself, and tells so. */
async function moveDeals(going: DealChanges, recordId: string, webhooks: readonly Webhook[], unit: Unit, stamp: Stamp): Promise<void> {
  const moved = await saveDeals(going, recordId, stamp.at, unit)
  for (let from = 0; from < moved.length; from += TOLD_TOGETHER) {
    const some = moved.slice(from, from + TOLD_TOGETHER)
    const told = async () => (await deals.detailView(some, unit)).map((deal) => ({ events: ['deal.updated'] as const, snapshot: { deal } }))
    await emitAll(webhooks, told, unit, stamp)
  }
}

/** What a caller sent, the record's own fields apart from what is associated with it. */
function apart({ tags, lists, deals, custom_fields, ...own }: Input): { readonly own: Input; readonly sent: AssociationInput } {
  return { own, sent: { tags, lists, deals, custom_fields } as AssociationInput }
}

function changesAssociations(before: object, { fields, deals }: ResolvedAssociations): boolean {
  return changes(before, fields) || (deals !== undefined && deals.gained.length + deals.lost.length > 0)
}

/** What went wrong in a part that may fail alone. A refusal is no such failure: it ends the whole. */
async function failureOf(tx: Transaction, part: () => Promise<void>): Promise<Failure | undefined> {
  try {
    await tx.attempt(part)
    return undefined
  } catch (failure) {
    if (failure instanceof CrmError) throw failure
    return { failure }
  }
}
