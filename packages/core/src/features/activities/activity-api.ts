import type * as v from 'valibot'
import { recordApi } from '../../engine/crud.ts'
import { deleteRecord } from '../../engine/delete-record.ts'
import type { Engine, IdempotentCreation } from '../../engine/extension.ts'
import { keyedCreation } from '../../engine/keyed-writes.ts'
import { type Listing, toListQuery, toPageMeta } from '../../engine/list-query.ts'
import { buildDetailView } from '../../engine/load-record.ts'
import { withCurrentRole } from '../../engine/load-role.ts'
import { checkOwnerFields, ownerFieldOf, withoutNulls } from '../../engine/patch.ts'
import type { IdempotentCreateApi, IdempotentUpdateApi, RecordApi } from '../../engine/record-api.ts'
import type { WriteConditions } from '../../engine/record-version.ts'
import { resolveReferences } from '../../engine/references.ts'
import { throwIfErrors, validate } from '../../engine/validate.ts'
import { inWorkspace, readWorkspace, type WorkspaceTransaction } from '../../engine/workspace-transaction.ts'
import { type Actor, requireScope } from '../../kernel/actor.ts'
import { requirePermission } from '../../kernel/permissions.ts'
import type { SanitizeHtml } from '../../ports/sanitize-html.ts'
import type { Activity } from '../../schema/activity.ts'
import { type ActivityDetail, type ActivityItem, activityQuery, defineActivities } from './activity.ts'
import { buildAttachments, decodeAttachments, deleteAttachments } from './activity-files.ts'
import { whereLinkedTo } from './activity-link.ts'

type Definition = ReturnType<typeof defineActivities>

type ActivityRecordApi = RecordApi<
  v.InferInput<typeof activityQuery>,
  v.InferInput<Definition['create']>,
  v.InferInput<Definition['update']>,
  ActivityItem,
  ActivityDetail
>

/** The record API, with attachments in creates and with lists by entity. */
export interface ActivityApi
  extends Pick<ActivityRecordApi, 'get' | 'getVersioned' | 'update'>,
    IdempotentCreateApi<v.InferInput<Definition['create']>, ActivityDetail>,
    IdempotentUpdateApi<v.InferInput<Definition['update']>, ActivityDetail> {
  /**
   * Returns the activities of one record, the newest first by default; none if the record does not exist.
   * @throws CrmError `insufficient_scope`, `validation_error`
   */
  list(actor: Actor, query: v.InferInput<typeof activityQuery>): Promise<Listing<ActivityItem>>
  /**
   * Creates an activity with its attachments and sends `activity.created`.
   * @throws CrmError `insufficient_scope`, `validation_error`, `forbidden`
   */
  create(actor: Actor, input: v.InferInput<Definition['create']>): Promise<ActivityDetail>
  /**
   * Soft-deletes an activity, deletes its files for good and sends `activity.deleted`.
   * @throws CrmError `insufficient_scope`, `not_found`, `forbidden`, `precondition_failed`
   */
  remove(actor: Actor, id: string, conditions?: WriteConditions): Promise<void>
}

export function activityApi(engine: Engine): ActivityApi {
  const activities = defineActivities(engine.issuer)
  const clean = createContentCleaner(engine.sanitizeHtml)
  const records = recordApi(activities, engine, [{ prepare: clean }])

  async function create(
    actor: Actor,
    input: v.InferInput<Definition['create']>,
    { keyErrors, saveResponse }: IdempotentCreation,
  ): Promise<ActivityDetail> {
    requireScope(actor, activities.scopes.write)
    const { contents, errors } = await decodeAttachments(input, engine.files)
    const extraErrors = { ...keyErrors, ...errors, ...checkOwnerFields(withoutNulls(input)) }
    const fields = await clean(validate(activities.create, input, 'field', extraErrors))
    return engine.storage.transact(async (tx) => {
      const unit = inWorkspace(tx, actor.workspaceId)
      const view = await createActivity(activities, engine, actor, { fields, contents }, unit)
      await saveResponse(tx, view)
      return view
    })
  }

  return {
    get: records.get,
    getVersioned: records.getVersioned,
    update: records.update,
    updateIdempotent: records.updateIdempotent,
    list: (actor, query) => listActivities(activities, engine, actor, query),

    ...keyedCreation(activities, engine, create),

    async remove(actor, id, conditions) {
      requireScope(actor, activities.scopes.write)
      await deleteRecord(activities, engine, actor, id, {
        conditions,
        beforeDelete: (activity, unit, at) => deleteAttachments(activity.id, at, unit),
      })
    },
  }
}

/** Content is cleaned before the transaction: others would wait for it. */
function createContentCleaner(sanitizeHtml: SanitizeHtml) {
  return async <F extends { readonly content_html?: unknown }>(fields: F): Promise<F> =>
    typeof fields.content_html === 'string'
      ? { ...fields, content_html: await sanitizeHtml(fields.content_html) }
      : fields
}

async function listActivities(
  activities: Definition,
  { storage }: Engine,
  actor: Actor,
  query: v.InferInput<typeof activityQuery>,
): Promise<Listing<ActivityItem>> {
  requireScope(actor, activities.scopes.read)
  const parameters = validate(activityQuery, query, 'parameter')
  return readWorkspace(storage, actor, async (unit) => {
    const entity = await unit.stores[parameters.entity].get(parameters.id)
    const storeQuery = await toListQuery<Activity>(parameters, activities.filters, unit)
    if (!entity || !storeQuery) return { data: [], meta: toPageMeta(parameters, 0) }
    const where = [whereLinkedTo(parameters.entity, entity.id), ...storeQuery.where]
    const { rows, total } = await unit.stores.activities.list({ ...storeQuery, where })
    return { data: await activities.listView(rows, unit), meta: toPageMeta(parameters, total) }
  })
}

interface NewActivity {
  readonly fields: v.InferOutput<Definition['create']>
  /** The contents of `fields.attachments`. */
  readonly contents: Awaited<ReturnType<typeof decodeAttachments>>['contents']
}

async function createActivity(
  activities: Definition,
  { now, newId, random, prepareEvents }: Engine,
  actor: Actor,
  { fields: { attachments: sent, ...input }, contents }: NewActivity,
  unit: WorkspaceTransaction,
): Promise<ActivityDetail> {
  const at = now()
  const attachments = sent ?? []
  const errors = new Map<string, string>()
  const [member, resolvedFields, emit] = await Promise.all([
    withCurrentRole(actor, unit),
    resolveReferences(activities.references, withoutNulls(input), unit, errors),
    prepareEvents(activities, unit),
  ])
  const deriveInput = { before: undefined, fields: resolvedFields, at, random }
  const fields = await activities.deriveFields(deriveInput, unit, errors)
  throwIfErrors(errors)
  requirePermission(member, 'create', activities, undefined, fields, ownerFieldOf(withoutNulls(input)))
  const activity: Activity = {
    id: newId(),
    ...activities.defaults,
    ...fields,
    attachments_count: attachments.length,
    created_at: at,
    updated_at: null,
  }
  const rows = buildAttachments(activity, attachments, contents, { newId, random })
  const { stores } = unit
  await Promise.all([
    stores.activities.insert(activity),
    // A file each: one statement for twenty megabytes would hold up others.
    ...rows.files.map((file) => stores.files.insert(file)),
    stores.attachments.insertMany(rows.attachments),
  ])
  const view = await buildDetailView(activities, activity, unit)
  await emit({ after: async () => view }, { at, newId })
  return view
}
