import type { Crm, SearchQuery, TimelineApi } from '@sales-crm/core'
import { RESOURCES } from '@sales-crm/core/declarations'
import { Hono } from 'hono'
import type { AppEnv } from '../app-env.ts'
import { rejectQueryParameters, withQuery } from '../query-string.ts'
import { MAX_BODY_BYTES } from '../request-body.ts'
import { respondJson, respondList } from '../response.ts'
import type { Guards } from './guards.ts'
import { memberRoutes } from './member-routes.ts'
import { idParam, type RecordDefinition, recordRoutes } from './record-routes.ts'
import { reportRoutes } from './report-routes.ts'
import { webhookRoutes } from './webhook-routes.ts'
import { workspaceRoutes } from './workspace-routes.ts'

const {
  activities,
  companies,
  custom_fields: customFields,
  deals,
  lists,
  people,
  pipelines,
  products,
  tags,
  task_types: taskTypes,
  tasks,
} = RESOURCES

/** Limits of bodies that contain Base64 files: one image, or ten attachments. */
const MAX_IMAGE_BODY_BYTES = 4 * MAX_BODY_BYTES
const MAX_ATTACHMENTS_BODY_BYTES = 32 * MAX_BODY_BYTES

/** The routes below `/v1` that require a token. */
export function apiRoutes(crm: Crm, guards: Guards): Hono<AppEnv> {
  const { authorize, takeTurn } = guards

  return (
    new Hono<AppEnv>()
      .route('/people', recordRoutes(people, crm.people, guards))
      .route('/people', timelineRoute(people, crm.people, guards))
      .route('/companies', recordRoutes(companies, crm.companies, guards))
      .route('/companies', timelineRoute(companies, crm.companies, guards))
      .route('/deals', recordRoutes(deals, crm.deals, guards))
      .route('/deals', timelineRoute(deals, crm.deals, guards))
      .route('/pipelines', recordRoutes(pipelines, crm.pipelines, guards))
      .get('/pipelines/:id/board', authorize({ scope: deals.scopes.read }), takeTurn('long'), async (c) => {
        const data = await withQuery(c.req.url, (query) =>
          crm.pipelines.board(c.get('actor'), idParam(c), query as object),
        )
        return respondJson(c, { data })
      })
      .route('/tasks', recordRoutes(tasks, crm.tasks, guards))
      .route('/task-types', recordRoutes(taskTypes, crm.taskTypes, guards))
      .route(
        '/activities',
        recordRoutes(activities, crm.activities, guards, { maxBodyBytes: MAX_ATTACHMENTS_BODY_BYTES }),
      )
      .route(
        '/products',
        recordRoutes(products, crm.products, guards, { maxBodyBytes: MAX_IMAGE_BODY_BYTES }),
      )
      .route('/tags', recordRoutes(tags, crm.tags, guards))
      .route('/lists', recordRoutes(lists, crm.lists, guards))
      // A removed option is looked up in every record.
      .route('/custom-fields', recordRoutes(customFields, crm.customFields, guards, { isUpdateLong: true }))
      .route('/webhooks', webhookRoutes(crm, guards))
      .route('/reports', reportRoutes(crm, guards))
      .route('/members', memberRoutes(crm, guards))
      // The scopes depend on the kinds: the core checks them.
      .get('/search', authorize({ scope: null }), takeTurn('long'), async (c) => {
        const data = await withQuery(c.req.url, (query) =>
          crm.searchRecords(c.get('actor'), query as unknown as SearchQuery),
        )
        return respondJson(c, { data })
      })
      .get('/me', authorize({ scope: null }), takeTurn('short'), async (c) => {
        rejectQueryParameters(c.req.url)
        return respondJson(c, { data: await crm.members.me(c.get('actor')) })
      })
      .route('/workspace', workspaceRoutes(crm, guards))
  )
}

/** `GET /:id/timeline`, for people, companies and deals. */
function timelineRoute(
  { scopes }: Pick<RecordDefinition, 'scopes'>,
  records: TimelineApi,
  { authorize, takeTurn }: Guards,
): Hono<AppEnv> {
  return new Hono<AppEnv>().get(
    '/:id/timeline',
    authorize({ scope: scopes.read }),
    takeTurn('long'),
    async (c) =>
      respondList(
        c,
        await withQuery(c.req.url, (query) => records.timeline(c.get('actor'), idParam(c), query as object)),
      ),
  )
}
