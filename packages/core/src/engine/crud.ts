import type * as v from 'valibot'
import { requireScope } from '../kernel/actor.ts'
import type { RecordBase } from '../kernel/record.ts'
import { deleteRecord } from './delete-record.ts'
import type { Engine, RecordRule } from './extension.ts'
import { readDetailInclude, readInclude } from './include-parameter.ts'
import { keyedUpdate } from './keyed-writes.ts'
import { type Filters, needsNoSnapshot, querySchema, toListQuery, toPageMeta } from './list-query.ts'
import { buildDetailView, loadRecord } from './load-record.ts'
import { withoutNulls } from './patch.ts'
import { type PreparableResource, PreparedWrites } from './prepared-writes.ts'
import type { IdempotentCreateApi, IdempotentUpdateApi, RecordApi } from './record-api.ts'
import { versionOf } from './record-version.ts'
import type { Resource } from './resource.ts'
import { reviewReplay } from './review-replay.ts'
import { validate } from './validate.ts'
import { readFirstPage, readWorkspace } from './workspace-transaction.ts'

type Schema = v.GenericSchema

type QueryOf<O extends string, F extends Filters<never>> = v.InferInput<ReturnType<typeof querySchema<O, F>>>

export function recordApi<
  R extends RecordBase,
  Create extends Schema,
  Update extends Schema,
  O extends string,
  F extends Filters<R>,
  Item extends object,
  Detail extends object,
>(
  resource: Resource<R, Create, Update, O, F, Item, Detail>,
  engine: Engine,
  rules: readonly RecordRule<R>[] = [],
): RecordApi<QueryOf<O, F>, v.InferInput<Create>, v.InferInput<Update>, Item, Detail> &
  IdempotentCreateApi<v.InferInput<Create>, Detail> &
  IdempotentUpdateApi<v.InferInput<Update>, Detail> {
  return { ...readApi(resource, engine), ...writeApi(resource, engine, rules) }
}

function readApi<
  R extends RecordBase,
  O extends string,
  F extends Filters<R>,
  Item extends object,
  Detail extends object,
>(
  resource: Resource<R, Schema, Schema, O, F, Item, Detail>,
  engine: Engine,
): Pick<RecordApi<QueryOf<O, F>, unknown, unknown, Item, Detail>, 'list' | 'get' | 'getVersioned'> {
  const { scopes, filters, orderBy, listOrder } = resource
  const listQuery = querySchema(orderBy, filters, listOrder)

  return {
    async list(actor, query = {} as QueryOf<O, F>) {
      requireScope(actor, scopes.read)
      const parameters = validate(listQuery as Schema, query, 'parameter') as QueryParameters
      const include = readInclude(parameters, resource, actor)
      const read = needsNoSnapshot(parameters, filters) ? readFirstPage : readWorkspace
      return read(engine, actor, async (transaction) => {
        const storeQuery = await toListQuery<R>(parameters, resource, transaction)
        const { rows, total } = storeQuery
          ? await resource
              .store(transaction.stores)
              .list({ ...storeQuery, omit: resource.omitFromLists(include) })
          : { rows: [], total: 0 }
        return {
          data: await resource.listView(rows, transaction, include),
          meta: toPageMeta(parameters, total),
        }
      })
    },

    async get(actor, id, query = {}) {
      requireScope(actor, scopes.read)
      const include = readDetailInclude(query, resource, actor)
      return readWorkspace(
        engine,
        actor,
        async (transaction) =>
          buildDetailView(resource, await loadRecord(resource, id, transaction), transaction, include),
        { isolation: 'statement' },
      )
    },

    async getVersioned(actor, id, query = {}) {
      requireScope(actor, scopes.read)
      const include = readDetailInclude(query, resource, actor)
      return readWorkspace(
        engine,
        actor,
        async (transaction) => {
          const record = await loadRecord(resource, id, transaction)
          const [data, parts] = await Promise.all([
            buildDetailView(resource, record, transaction, include),
            resource.loadParts?.(record, transaction),
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
  resource: PreparableResource<R, Detail> & Pick<Resource<R, Create, Update>, 'create' | 'update'>,
  engine: Engine,
  rules: readonly RecordRule<R>[],
): Pick<RecordApi<never, v.InferInput<Create>, v.InferInput<Update>, never, Detail>, WriteVerb> &
  IdempotentCreateApi<v.InferInput<Create>, Detail> &
  IdempotentUpdateApi<v.InferInput<Update>, Detail> {
  const { label, scopes } = resource
  const writes = new PreparedWrites(resource, engine, rules)
  return {
    async create(actor, input) {
      writes.authorize(actor, withoutNulls(input))
      return writes.commit(actor, await writes.prepareCreate(actor, input))
    },
    async createIdempotent(actor, key, input) {
      writes.authorize(actor, withoutNulls(input))
      const request = { actor, path: label, key, body: input }
      const result = await engine.createIdempotently(request, async (saveResponse, keyErrors) =>
        writes.commit(actor, await writes.prepareCreate(actor, input, keyErrors), saveResponse),
      )
      return reviewReplay(resource, engine, actor, result)
    },
    ...keyedUpdate<R, v.InferInput<Update>, Detail>(resource, engine, async (actor, id, input, options) => {
      writes.authorize(actor, input)
      const { saveResponse, ...conditions } = options
      const { fields, run } = await writes.prepareUpdate(actor, input, { ...conditions, id })
      return writes.commit(actor, { fields, run: (tx) => run(tx, id) }, saveResponse)
    }),
    async remove(actor, id, conditions) {
      requireScope(actor, scopes.write)
      await deleteRecord(resource, engine, actor, id, conditions)
    },
  }
}

type WriteVerb = 'create' | 'update' | 'remove'
