import type * as v from 'valibot'
import { recordApi } from '../../engine/crud.ts'
import type { Engine } from '../../engine/extension.ts'
import { readInclude } from '../../engine/include-parameter.ts'
import { type Listing, toListQuery, toPageMeta } from '../../engine/list-query.ts'
import type { IdempotentCreateApi, IdempotentUpdateApi, RecordApi } from '../../engine/record-api.ts'
import { validate } from '../../engine/validate.ts'
import { readWorkspace } from '../../engine/workspace-transaction.ts'
import { type Actor, requireScope } from '../../kernel/actor.ts'
import type { Activity } from '../../schema/activity.ts'
import type { ActivityDetail, ActivityItem } from '../../schema/views.ts'
import { activities, activityQuery } from './activity.ts'
import { whereLinkedTo } from './activity-link.ts'

type Create = v.InferInput<typeof activities.create>
type Update = v.InferInput<typeof activities.update>

/** What activities are searched for, and the maximum number of them, from 1 to 100 (default 50). */
export interface ActivitySearch {
  readonly search: string
  readonly per_page?: number
}

/** The record API, with lists by entity. */
export interface ActivityApi
  extends Omit<RecordApi<never, Create, Update, never, ActivityDetail>, 'list'>,
    IdempotentCreateApi<Create, ActivityDetail>,
    IdempotentUpdateApi<Update, ActivityDetail> {
  /**
   * Returns the activities of one record, the newest first by default; none if the record does not exist.
   * @throws CrmError `insufficient_scope`, `validation_error`
   */
  list(actor: Actor, query: v.InferInput<typeof activityQuery>): Promise<Listing<ActivityItem>>
  /**
   * Returns the activities of all records that match, the newest first.
   * @throws CrmError `insufficient_scope`, `validation_error`
   */
  search(actor: Actor, query: ActivitySearch): Promise<Listing<ActivityItem>>
}

export function activityApi(engine: Engine): ActivityApi {
  const { list: search, ...api } = recordApi(activities, engine)
  return {
    ...api,
    search,

    async list(actor, query) {
      requireScope(actor, activities.scopes.read)
      const parameters = validate(activityQuery, query, 'parameter')
      const include = readInclude(parameters, activities, actor)
      return readWorkspace(engine, actor, async (transaction) => {
        const entity = await transaction.stores[parameters.entity].get(parameters.id)
        const storeQuery = await toListQuery<Activity>(parameters, activities, transaction)
        if (!entity || !storeQuery) return { data: [], meta: toPageMeta(parameters, 0) }
        const where = [whereLinkedTo(parameters.entity, entity.id), ...storeQuery.where]
        const { rows, total } = await transaction.stores.activities.list({ ...storeQuery, where })
        return {
          data: await activities.listView(rows, transaction, include),
          meta: toPageMeta(parameters, total),
        }
      })
    },
  }
}
