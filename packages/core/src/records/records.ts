import type * as v from 'valibot'
import { type Actor, authorize } from '../actor.ts'
import { associationsFailed, type FieldErrors, isConflict } from '../errors.ts'
import { answeredOnce, type Once } from '../idempotency/answered-once.ts'
import type { Ports, RecordBase } from '../ports.ts'
import { detailOf, existing, removeRecord } from './existing.ts'
import { validate, validatePatch } from './input.ts'
import { type Filters, isNear, type Listing, metaOf, querySchema, storeQuery } from './query.ts'
import type { Resource } from './resource.ts'
import { type Input, ownerFaults, withoutNulls } from './sent.ts'
import { unitOf } from './unit.ts'
import { recordWrites } from './writes.ts'

type Schema = v.GenericSchema

export interface RecordApi<Query, Create, Update, Item, Detail> {
  /** @throws CrmError `insufficient_scope`, `validation_error` */
  list(actor: Actor, query?: Query): Promise<Listing<Item>>
  /** @throws CrmError `insufficient_scope`, `not_found` */
  get(actor: Actor, id: string): Promise<Detail>
  /** @throws CrmError `insufficient_scope`, `validation_error`, `forbidden`, `conflict` */
  create(actor: Actor, input: Create): Promise<Detail>
  /**
   * Changes only the fields that are sent; null clears. @throws CrmError as `create`, `bad_request`, `not_found`, and `internal_error`
   * when the record is saved and what it is associated with is not
   */
  update(actor: Actor, id: string, input: Update): Promise<Detail>
  /** @throws CrmError `insufficient_scope`, `not_found`, `forbidden`, and `conflict` where something is in the way */
  remove(actor: Actor, id: string): Promise<void>
}

/** For callers that cannot know whether their request arrived. */
export interface OnceApi<Create, Detail> {
  /**
   * As `create`, once for each `key` (1 to 255 printable ASCII characters) in 24 hours: called again with an equal input, it makes
   * nothing and answers the same. @throws CrmError as `create`, `idempotency_conflict` for another input
   */
  createOnce(actor: Actor, key: string, input: Create): Promise<Once<Detail>>
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
  ports: Ports,
): RecordApi<QueryOf<O, F>, v.InferInput<Create>, v.InferInput<Update>, Item, Detail> & OnceApi<v.InferInput<Create>, Detail> {
  const { storage } = ports
  const { label, scopes } = resource
  const { make, change } = recordWrites(resource, ports)
  const listQuery = querySchema(resource.orderBy, resource.filters)

  /** Deals that come to a record or leave it are changed themselves. @throws CrmError `insufficient_scope` */
  function authorizeWrite(actor: Actor, sent: Input): void {
    authorize(actor, scopes.write)
    if (resource.associations?.dealLink && sent['deals'] !== undefined) authorize(actor, 'deals:write')
  }

  /** A creation's input as it is judged before anything is read. */
  function askedOf(input: unknown, faults: FieldErrors): Input {
    const noted = { ...faults, ...ownerFaults(withoutNulls(input)) }
    return withoutNulls(validate(resource.create as Schema, input, 'field', noted) as Input)
  }

  return {
    async list(actor, query = {} as QueryOf<O, F>) {
      authorize(actor, scopes.read)
      const asked = validate(listQuery as Schema, query, 'parameter') as Parameters<typeof storeQuery>[0]
      const look = isNear(asked, resource.filters) ? storage.glance : storage.read
      return look(async (tx) => {
        const unit = unitOf(tx, actor.workspaceId)
        const wanted = await storeQuery<R>(asked, resource.filters, unit)
        const { unlisted: unread = [] } = resource
        const { rows, total } = wanted ? await resource.store(unit.stores).list({ ...wanted, unread }) : { rows: [], total: 0 }
        return { data: await resource.listView(rows, unit), meta: metaOf(asked, total) }
      })
    },

    async get(actor, id) {
      authorize(actor, scopes.read)
      return storage.glance(async (tx) => {
        const unit = unitOf(tx, actor.workspaceId)
        return detailOf(resource, await existing(resource, id, unit, 'getWithLinks'), unit)
      })
    },

    async create(actor, input) {
      authorizeWrite(actor, withoutNulls(input))
      const asked = askedOf(input, {})
      return withFreshCodes(asked, () => storage.transact((tx) => make(actor, asked, tx)))
    },

    async createOnce(actor, key, input) {
      authorizeWrite(actor, withoutNulls(input))
      return answeredOnce(ports, { actor, path: label, key, body: input }, (keep, faults) => {
        const asked = askedOf(input, faults)
        return withFreshCodes(asked, () =>
          storage.transact(async (tx) => {
            const view = await make(actor, asked, tx)
            await keep(tx, view)
            return view
          }),
        )
      })
    },

    async update(actor, id, input) {
      authorizeWrite(actor, Object(input))
      const asked = validatePatch(resource.update as Schema, input, ownerFaults(input)) as Input
      const outcome = await storage.transact((tx) => change(actor, id, asked, tx))
      if ('failure' in outcome) throw associationsFailed(label, outcome.failure)
      return outcome.view
    },

    async remove(actor, id) {
      authorize(actor, scopes.write)
      await removeRecord(resource, ports, actor, id, async () => {})
    },
  }
}

const TRIES = 50
/** The fields that are made here where nobody sent them. */
const MADE = ['entity_id', 'key']

/** What is made here may clash with another record's; then the whole creation is done again with a new one. */
async function withFreshCodes<T>(sent: Input, create: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await create()
    } catch (error) {
      const [field] = isConflict(error) ? Object.keys(error.fields ?? {}) : []
      if (field === undefined || !MADE.includes(field) || sent[field] !== undefined || tries === TRIES) throw error
    }
  }
}
