import type * as v from 'valibot'
import { type Actor, requireScope } from '../kernel/actor.ts'
import { associationsFailed, type FieldErrors, isConflict } from '../kernel/errors.ts'
import { requirePermission } from '../kernel/permissions.ts'
import type { RecordBase } from '../kernel/record.ts'
import { deleteRecord } from './delete-record.ts'
import type { Engine, RecordRule, SaveResponse } from './extension.ts'
import { keyedUpdate } from './keyed-writes.ts'
import { type Filters, needsNoSnapshot, querySchema, toListQuery, toPageMeta } from './list-query.ts'
import { buildDetailView, findView, loadRecord } from './load-record.ts'
import { withCurrentRole } from './load-role.ts'
import { resolveEffectiveOwner } from './owner.ts'
import { checkOwnerFields, type Input, withoutNulls } from './patch.ts'
import { decodeInput, prepareInput } from './prepare-input.ts'
import type { IdempotentCreateApi, IdempotentUpdateApi, RecordApi } from './record-api.ts'
import { versionOf } from './record-version.ts'
import { RecordWriter, type WritableResource } from './record-writer.ts'
import type { Resource } from './resource.ts'
import { validate } from './validate.ts'
import { validateChanges } from './validate-changes.ts'
import { readWorkspace } from './workspace-transaction.ts'

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
  const { scopes, filters, orderBy, omitFromLists: omit } = resource
  const listQuery = querySchema(orderBy, filters)

  return {
    async list(actor, query = {} as QueryOf<O, F>) {
      requireScope(actor, scopes.read)
      const parameters = validate(listQuery as Schema, query, 'parameter') as QueryParameters
      return readWorkspace(
        engine,
        actor,
        async (transaction) => {
          const storeQuery = await toListQuery<R>(parameters, filters, transaction)
          const { rows, total } = storeQuery
            ? await resource.store(transaction.stores).list({ ...storeQuery, omit })
            : { rows: [], total: 0 }
          return { data: await resource.listView(rows, transaction), meta: toPageMeta(parameters, total) }
        },
        needsNoSnapshot(parameters, filters) ? { isolation: 'statement' } : {},
      )
    },

    async get(actor, id) {
      requireScope(actor, scopes.read)
      return readWorkspace(
        engine,
        actor,
        async (transaction) =>
          buildDetailView(resource, await loadRecord(resource, id, transaction), transaction),
        { isolation: 'statement' },
      )
    },

    async getVersioned(actor, id) {
      requireScope(actor, scopes.read)
      return readWorkspace(
        engine,
        actor,
        async (transaction) => {
          const record = await loadRecord(resource, id, transaction)
          const [data, parts] = await Promise.all([
            buildDetailView(resource, record, transaction),
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
  resource: WritableResource<R, Detail> & Pick<Resource<R, Create, Update>, 'scopes' | 'create' | 'update'>,
  engine: Engine,
  rules: readonly RecordRule<R>[],
): Pick<RecordApi<never, v.InferInput<Create>, v.InferInput<Update>, never, Detail>, WriteVerb> &
  IdempotentCreateApi<v.InferInput<Create>, Detail> &
  IdempotentUpdateApi<v.InferInput<Update>, Detail> {
  const { storage } = engine
  const { label, scopes, extensions } = resource
  const writer = new RecordWriter(resource, engine, rules)

  /** @throws CrmError `insufficient_scope` */
  function authorizeWrite(actor: Actor, input: Input): void {
    requireScope(actor, scopes.write)
    for (const extension of extensions) extension.authorize?.(actor, input)
  }

  async function create(
    actor: Actor,
    input: unknown,
    keyErrors: FieldErrors,
    saveResponse?: SaveResponse,
  ): Promise<Detail> {
    const decoded = await decodeInput(extensions, input, engine)
    const extraErrors = { ...keyErrors, ...decoded.errors, ...checkOwnerFields(withoutNulls(input)) }
    const valid = withoutNulls(validate(resource.create as Schema, input, 'field', extraErrors))
    const fields = await prepareInput(extensions, decoded.apply(valid), {
      engine,
      requirePermission: async () => requirePermission(actor, 'create', resource, undefined),
    })
    return retryWithNewCodes(valid, () =>
      storage.transact(async (tx) => {
        const view = await writer.create(actor, fields, tx)
        await saveResponse?.(tx, view)
        return view
      }),
    )
  }

  return {
    async create(actor, input) {
      authorizeWrite(actor, withoutNulls(input))
      return create(actor, input, {})
    },

    async createIdempotent(actor, key, input) {
      authorizeWrite(actor, withoutNulls(input))
      const request = { actor, path: label, key, body: input }
      return engine.createIdempotently(request, (saveResponse, keyErrors) =>
        create(actor, input, keyErrors, saveResponse),
      )
    },

    ...keyedUpdate<v.InferInput<Update>, Detail>(resource, engine, async (actor, id, input, options) => {
      authorizeWrite(actor, Object(input))
      const decoded = await decodeInput(extensions, input, engine)
      const changes = await validateChanges(resource.update as Schema, input, {
        extraErrors: { ...decoded.errors, ...checkOwnerFields(input) },
        loadView: () => findView(resource, engine, actor, id),
      })
      const fields = await prepareInput(extensions, decoded.apply(changes as Input), {
        engine,
        requirePermission: () => requireUpdatePermission(resource, engine, actor, id),
      })
      const outcome = await storage.transact(async (tx) => {
        const result = await writer.update(actor, id, fields, tx, options)
        if ('view' in result) await options.saveResponse?.(tx, result.view)
        return result
      })
      if ('failure' in outcome) throw associationsFailed(label, outcome.failure)
      return outcome.view
    }),

    async remove(actor, id, conditions) {
      requireScope(actor, scopes.write)
      await deleteRecord(resource, engine, actor, id, conditions)
    },
  }
}

/** @throws CrmError `not_found`, `forbidden` */
async function requireUpdatePermission<R extends RecordBase, Detail extends object>(
  resource: WritableResource<R, Detail>,
  engine: Engine,
  actor: Actor,
  id: string,
): Promise<void> {
  await readWorkspace(engine, actor, async (transaction) => {
    const record = await loadRecord(resource, id, transaction)
    const member = await withCurrentRole(actor, transaction)
    requirePermission(member, 'update', resource, await resolveEffectiveOwner(record, member, transaction))
  })
}

type WriteVerb = 'create' | 'update' | 'remove'

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
