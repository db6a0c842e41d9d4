import type * as v from 'valibot'
import { type Actor, requireScope } from '../kernel/actor.ts'
import { associationsFailed, type FieldErrors, isConflict } from '../kernel/errors.ts'
import type { RecordBase } from '../kernel/record.ts'
import { deleteRecord } from './delete-record.ts'
import type { Engine, Extension } from './extension.ts'
import { keyedUpdate } from './keyed-writes.ts'
import { type Filters, needsNoSnapshot, querySchema, toListQuery, toPageMeta } from './list-query.ts'
import { buildDetailView, findView, loadRecord } from './load-record.ts'
import { checkOwnerFields, type Input, withoutNulls } from './patch.ts'
import type { IdempotentCreateApi, IdempotentUpdateApi, RecordApi } from './record-api.ts'
import { versionOf } from './record-version.ts'
import { RecordWriter, type WritableResource } from './record-writer.ts'
import type { Resource } from './resource.ts'
import { validate } from './validate.ts'
import { validateChanges } from './validate-changes.ts'
import { readWorkspace } from './workspace-transaction.ts'

type Schema = v.GenericSchema

type QueryOf<O extends readonly [string, ...string[]], F extends Filters<never>> = v.InferInput<
  ReturnType<typeof querySchema<O, F>>
>

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
  engine: Engine,
  extensions: readonly Extension<R>[] = [],
): RecordApi<QueryOf<O, F>, v.InferInput<Create>, v.InferInput<Update>, Item, Detail> &
  IdempotentCreateApi<v.InferInput<Create>, Detail> &
  IdempotentUpdateApi<v.InferInput<Update>, Detail> {
  return { ...readApi(resource, engine), ...writeApi(resource, engine, extensions) }
}

function readApi<
  R extends RecordBase,
  O extends readonly [string, ...string[]],
  F extends Filters<R>,
  Item extends object,
  Detail extends object,
>(
  resource: Resource<R, Schema, Schema, O, F, Item, Detail>,
  engine: Engine,
): Pick<RecordApi<QueryOf<O, F>, unknown, unknown, Item, Detail>, 'list' | 'get' | 'getVersioned'> {
  const { storage } = engine
  const { scopes, filters, orderBy, omitFromLists: omit = [] } = resource
  const listQuery = querySchema(orderBy, filters)

  return {
    async list(actor, query = {} as QueryOf<O, F>) {
      requireScope(actor, scopes.read)
      const parameters = validate(listQuery as Schema, query, 'parameter') as QueryParameters
      return readWorkspace(
        storage,
        actor,
        async (unit) => {
          const storeQuery = await toListQuery<R>(parameters, filters, unit)
          const { rows, total } = storeQuery
            ? await resource.store(unit.stores).list({ ...storeQuery, omit })
            : { rows: [], total: 0 }
          return { data: await resource.listView(rows, unit), meta: toPageMeta(parameters, total) }
        },
        needsNoSnapshot(parameters, filters) ? { isolation: 'statement' } : {},
      )
    },

    async get(actor, id) {
      requireScope(actor, scopes.read)
      return readWorkspace(
        storage,
        actor,
        async (unit) => buildDetailView(resource, await loadRecord(resource, id, unit), unit),
        { isolation: 'statement' },
      )
    },

    async getVersioned(actor, id) {
      requireScope(actor, scopes.read)
      return readWorkspace(
        storage,
        actor,
        async (unit) => {
          const record = await loadRecord(resource, id, unit)
          const [data, parts] = await Promise.all([
            buildDetailView(resource, record, unit),
            resource.loadParts?.(record, unit),
          ])
          return { data, version: versionOf(record, engine, parts) }
        },
        // Otherwise a view could show what its version does not.
        resource.loadParts ? {} : { isolation: 'statement' },
      )
    },
  }
}

type QueryParameters = Parameters<typeof toListQuery>[0]

function writeApi<R extends RecordBase, Create extends Schema, Update extends Schema, Detail extends object>(
  resource: WritableResource<R, Detail> & Pick<Resource<R, Create, Update>, 'scopes' | 'create' | 'update'>,
  engine: Engine,
  extensions: readonly Extension<R>[],
): Pick<RecordApi<never, v.InferInput<Create>, v.InferInput<Update>, never, Detail>, WriteVerb> &
  IdempotentCreateApi<v.InferInput<Create>, Detail> &
  IdempotentUpdateApi<v.InferInput<Update>, Detail> {
  const { storage } = engine
  const { label, scopes } = resource
  const writer = new RecordWriter(resource, engine, extensions)

  /** @throws CrmError `insufficient_scope` */
  function authorizeWrite(actor: Actor, input: Input): void {
    requireScope(actor, scopes.write)
    for (const extension of extensions) extension.authorize?.(actor, input)
  }

  async function prepareInput(input: Input): Promise<Input> {
    let prepared = input
    for (const extension of extensions) prepared = (await extension.prepare?.(prepared)) ?? prepared
    return prepared
  }

  return {
    async create(actor, input) {
      authorizeWrite(actor, withoutNulls(input))
      const fields = await prepareInput(parseCreateInput(resource.create, input, {}))
      return retryWithNewCodes(fields, () => storage.transact((tx) => writer.create(actor, fields, tx)))
    },

    async createIdempotent(actor, key, input) {
      authorizeWrite(actor, withoutNulls(input))
      const request = { actor, path: label, key, body: input }
      return engine.createIdempotently(request, async (saveResponse, keyErrors) => {
        const fields = await prepareInput(parseCreateInput(resource.create, input, keyErrors))
        return retryWithNewCodes(fields, () =>
          storage.transact(async (tx) => {
            const view = await writer.create(actor, fields, tx)
            await saveResponse(tx, view)
            return view
          }),
        )
      })
    },

    ...keyedUpdate<v.InferInput<Update>, Detail>(resource, engine, async (actor, id, input, options) => {
      authorizeWrite(actor, Object(input))
      const fields = await validateChanges(resource.update as Schema, input, {
        extraErrors: checkOwnerFields(input),
        loadView: () => findView(resource, engine, actor, id),
      })
      const prepared = await prepareInput(fields as Input)
      const outcome = await storage.transact(async (tx) => {
        const result = await writer.update(actor, id, prepared, tx, options)
        if ('view' in result) await options.saveResponse?.(tx, result.view)
        return result
      })
      if ('failure' in outcome) throw associationsFailed(label, outcome.failure)
      return outcome.view
    }),

    async remove(actor, id, conditions) {
      requireScope(actor, scopes.write)
      await deleteRecord(resource, engine, actor, id, { conditions })
    },
  }
}

type WriteVerb = 'create' | 'update' | 'remove'

/** Validates the input before anything is read. */
function parseCreateInput(schema: Schema, input: unknown, keyErrors: FieldErrors): Input {
  const extraErrors = { ...keyErrors, ...checkOwnerFields(withoutNulls(input)) }
  return withoutNulls(validate(schema, input, 'field', extraErrors) as Input)
}

const MAX_ATTEMPTS = 50
/** Fields that are generated if the caller does not send them. */
const GENERATED_FIELDS = ['entity_id', 'key']

/** Retries the creation with new generated values if one of them is taken. */
async function retryWithNewCodes<T>(input: Input, create: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await create()
    } catch (error) {
      const [field] = isConflict(error) ? Object.keys(error.fields ?? {}) : []
      if (
        field === undefined ||
        !GENERATED_FIELDS.includes(field) ||
        input[field] !== undefined ||
        attempt === MAX_ATTEMPTS
      )
        throw error
    }
  }
}
