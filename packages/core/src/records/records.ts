import type * as v from 'valibot'
import { type Actor, authorize } from '../actor.ts'
import { CrmError, type FieldErrors, notFound } from '../errors.ts'
import { permit } from '../permissions.ts'
import type { Ports, RecordBase, Storage } from '../ports.ts'
import { entityCode } from './entity-code.ts'
import { isUuid } from './fields.ts'
import { throwIfAny, validate, validatePatch } from './input.ts'
import { asOwned } from './owner.ts'
import { type Filters, type Listing, metaOf, querySchema, storeQuery } from './query.ts'
import { resolveReferences } from './references.ts'
import type { Resource } from './resource.ts'
import { type Unit, unitOf } from './unit.ts'

type Schema = v.GenericSchema

export interface RecordApi<Query, Create, Update, Item, Detail> {
  /** @throws CrmError `insufficient_scope`, `validation_error` */
  list(actor: Actor, query?: Query): Promise<Listing<Item>>
  /** @throws CrmError `insufficient_scope`, `not_found` */
  get(actor: Actor, id: string): Promise<Detail>
  /** @throws CrmError `insufficient_scope`, `validation_error`, `forbidden`, `conflict` */
  create(actor: Actor, input: Create): Promise<Detail>
  /** Changes only the fields that are sent; null clears. @throws CrmError as `create`, `bad_request`, `not_found` */
  update(actor: Actor, id: string, input: Update): Promise<Detail>
  /** @throws CrmError `insufficient_scope`, `not_found`, `forbidden` */
  remove(actor: Actor, id: string): Promise<void>
}

type QueryOf<O extends readonly [string, ...string[]], F extends Filters<never>> = v.InferInput<ReturnType<typeof querySchema<O, F>>>

export function recordApi<
  R extends RecordBase,
  Create extends Schema,
  Update extends Schema,
  O extends readonly [string, ...string[]],
  F extends Filters<R>,
  Item extends object,
  Detail extends object,
>(
  resource: Resource<R, Create, Update, O, F, Item, Detail>,
  { storage, now, newId, random }: Ports,
): RecordApi<QueryOf<O, F>, v.InferInput<Create>, v.InferInput<Update>, Item, Detail> {
  const { label, scopes, references } = resource
  const listQuery = querySchema(resource.orderBy, resource.filters)

  return {
    async list(actor, query = {} as QueryOf<O, F>) {
      authorize(actor, scopes.read)
      const asked = validate(listQuery as Schema, query, 'parameter') as Parameters<typeof storeQuery>[0]
      return storage.read(async (tx) => {
        const unit = unitOf(tx, actor.workspaceId)
        const wanted = await storeQuery<R>(asked, resource.filters, unit)
        const { rows, total } = wanted ? await resource.store(unit.stores).list(wanted) : { rows: [], total: 0 }
        return { data: await resource.listView(rows, unit), meta: metaOf(asked, total) }
      })
    },

    async get(actor, id) {
      authorize(actor, scopes.read)
      return storage.read(async (tx) => {
        const unit = unitOf(tx, actor.workspaceId)
        return detailOf(resource, await existing(resource, id, unit, 'get'), unit)
      })
    },

    async create(actor, input) {
      authorize(actor, scopes.write)
      const noted = ownerFaults(withoutNulls(input))
      const asked = withoutNulls(validate(resource.create as Schema, input, 'field', noted) as Input)
      return withFreshCodes(asked, () =>
        storage.transact(async (tx) => {
          const unit = unitOf(tx, actor.workspaceId)
          const at = now()
          const errors = new Map<string, string>()
          const sent = (await resolveReferences(references, asked, unit, errors)) as Partial<R>
          const fields = await resource.settle({ before: undefined, fields: sent, at, random }, unit, errors)
          throwIfAny(errors)
          permit(actor, 'create', label, undefined, fields)
          const code = resource.codeLetter === null ? {} : { entity_id: entityCode(resource.codeLetter, random) }
          const record = { id: newId(), ...resource.blank, ...fields, ...code, created_at: at, updated_at: at } as unknown as R
          const [, view] = await Promise.all([resource.store(unit.stores).insert(record), detailOf(resource, record, unit)])
          return view
        }),
      )
    },

    async update(actor, id, input) {
      authorize(actor, scopes.write)
      const asked = validatePatch(resource.update as Schema, input, ownerFaults(input)) as Input
      return storage.transact(async (tx) => {
        const unit = unitOf(tx, actor.workspaceId)
        const before = await existing(resource, id, unit, 'getForUpdate')
        const at = now()
        const errors = new Map<string, string>()
        const sent = (await resolveReferences(references, asked, unit, errors)) as Partial<R>
        const fields = await resource.settle({ before, fields: sent, at, random }, unit, errors)
        throwIfAny(errors)
        permit(actor, 'update', label, await asOwned(before, actor, unit), fields)
        if (!changes(before, fields)) return detailOf(resource, before, unit)
        const after = { ...before, ...fields, updated_at: at }
        const [, view] = await Promise.all([resource.store(unit.stores).update(after, before), detailOf(resource, after, unit)])
        return view
      })
    },

    async remove(actor, id) {
      authorize(actor, scopes.write)
      await removeRecord(resource, storage, actor, id, now(), async () => {})
    },
  }
}

type Input = Readonly<Record<string, unknown>>

/**
 * Soft-deletes a record unless `refuse` throws.
 * @throws CrmError `not_found`, `forbidden`, and what `refuse` throws
 */
export async function removeRecord<R extends RecordBase>(
  resource: Pick<Resource<R>, 'label' | 'store'>,
  storage: Storage,
  actor: Actor,
  id: string,
  at: string,
  refuse: (record: R, unit: Unit) => Promise<void>,
): Promise<void> {
  await storage.transact(async (tx) => {
    const unit = unitOf(tx, actor.workspaceId)
    const record = await existing(resource, id, unit, 'getForUpdate')
    permit(actor, 'delete', resource.label, await asOwned(record, actor, unit))
    await refuse(record, unit)
    await resource.store(unit.stores).softDelete(record.id, at)
  })
}

/** @throws CrmError `not_found`, for an id that is no UUID as well */
export async function existing<R extends RecordBase>(
  resource: Pick<Resource<R>, 'label' | 'store'>,
  id: string,
  unit: Unit,
  how: 'get' | 'getForUpdate',
): Promise<R> {
  const record = isUuid(id) ? await resource.store(unit.stores)[how](id.toLowerCase()) : undefined
  if (!record) throw notFound(resource.label)
  return record
}

export async function detailOf<R extends RecordBase, Detail>(
  resource: { detailView(page: readonly R[], unit: Unit): Promise<readonly Detail[]> },
  record: R,
  unit: Unit,
): Promise<Detail> {
  const [view] = await resource.detailView([record], unit)
  return view!
}

/** Whether writing `fields` over `before` would make another record of it. */
export function changes(before: object, fields: object): boolean {
  const old = before as Input
  return Object.entries(fields).some(([name, value]) => value !== old[name] && JSON.stringify(value) !== JSON.stringify(old[name]))
}

function withoutNulls(input: unknown): Input {
  return Object.fromEntries(Object.entries(Object(input)).filter(([, value]) => value !== null))
}

/** An owner is named in one way or the other. */
function ownerFaults(input: unknown): FieldErrors {
  const { owner_user_id, owner_email } = Object(input) as Input
  const both = owner_user_id !== undefined && owner_email !== undefined
  return both ? { owner_email: 'Must not be sent together with owner_user_id.' } : {}
}

const TRIES = 50

/** What is made here, not sent, may clash with another record's; then the whole creation is done again with a new one. */
async function withFreshCodes<T>(sent: Input, create: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await create()
    } catch (error) {
      if (!(error instanceof CrmError) || error.code !== 'conflict' || tries === TRIES) throw error
      const [field] = Object.keys(error.fields ?? {})
      if (field === undefined || typeof sent[field] === 'string') throw error
    }
  }
}
