import {
  activities,
  type Crm,
  companies,
  customFields,
  deals,
  lists,
  MEMBERS_SCOPE,
  people,
  pipelines,
  products,
  SCOPES,
  tags,
  tasks,
  taskTypes,
} from '@sales-crm/core'
import {
  ACTIVITIES,
  COMPANIES,
  CUSTOM_FIELDS,
  DEALS,
  LISTS,
  PEOPLE,
  PIPELINES,
  PRODUCTS,
  TAGS,
  TASK_TYPES,
  TASKS,
} from '../../openapi/record-kinds.ts'
import { GET_WORKSPACE, LIST_MEMBERS } from '../../openapi/workspace-operations.ts'
import { rejectQueryParameters, withQuery } from '../query-string.ts'
import { MAX_BODY_BYTES } from '../request-body.ts'
import { okResponse } from '../response.ts'
import { createIdempotentlyWith, recordRoutes } from './record-routes.ts'
import type { Route } from './route.ts'
import { webhookRoutes } from './webhook-routes.ts'

/** Limits of bodies that contain Base64 files: one image, or ten attachments. */
const MAX_IMAGE_BODY_BYTES = 4 * MAX_BODY_BYTES
const MAX_ATTACHMENTS_BODY_BYTES = 32 * MAX_BODY_BYTES

const UNSCOPED_ROUTES: ReadonlySet<string> = new Set(['GET /v1/workspace'])

/** Returns every route below `/v1` with the scope that it requires. */
export function apiRoutes(crm: Crm): readonly Route[] {
  return [
    ...recordRoutes('/v1/people', PEOPLE, people, crm.people, { create: createIdempotentlyWith(crm.people) }),
    ...recordRoutes('/v1/companies', COMPANIES, companies, crm.companies, {
      create: createIdempotentlyWith(crm.companies),
    }),
    ...recordRoutes('/v1/deals', DEALS, deals, crm.deals, { create: createIdempotentlyWith(crm.deals) }),
    ...recordRoutes('/v1/pipelines', PIPELINES, pipelines, crm.pipelines),
    ...recordRoutes('/v1/tasks', TASKS, tasks, crm.tasks),
    ...recordRoutes('/v1/task-types', TASK_TYPES, taskTypes, crm.taskTypes),
    ...recordRoutes('/v1/activities', ACTIVITIES, activities, crm.activities, {
      maxBodyBytes: MAX_ATTACHMENTS_BODY_BYTES,
    }),
    ...recordRoutes('/v1/products', PRODUCTS, products, crm.products, { maxBodyBytes: MAX_IMAGE_BODY_BYTES }),
    ...recordRoutes('/v1/tags', TAGS, tags, crm.tags),
    ...recordRoutes('/v1/lists', LISTS, lists, crm.lists),
    // A removed option is looked up in every record.
    ...recordRoutes('/v1/custom-fields', CUSTOM_FIELDS, customFields, crm.customFields, {
      isUpdateQueued: true,
    }),
    ...webhookRoutes(crm),
    {
      method: 'GET',
      path: '/v1/members',
      scope: MEMBERS_SCOPE,
      operation: LIST_MEMBERS,
      isQueued: true,
      handler: async (actor, { url }) =>
        okResponse(await withQuery(url, (query) => crm.members.list(actor, query as object))),
    },
    {
      method: 'GET',
      path: '/v1/workspace',
      scope: null,
      operation: GET_WORKSPACE,
      async handler(actor, { url }) {
        rejectQueryParameters(url)
        return okResponse({ data: await crm.workspace.get(actor) })
      },
    },
  ]
}

/**
 * Ensures that no route is unprotected by mistake.
 * @throws Error for a route with an unknown scope, or without one unless it is listed as open
 */
export function checkScopes(
  routes: readonly Pick<Route, 'method' | 'path' | 'scope' | 'alternativeScope'>[],
): void {
  for (const { method, path, scope, alternativeScope } of routes) {
    const name = `${method} ${path}`
    const isGuarded =
      scope === null
        ? UNSCOPED_ROUTES.has(name)
        : [scope, alternativeScope ?? scope].every((each) => SCOPES.includes(each))
    if (!isGuarded) throw new Error(`${name} has no scope: give it one of ${SCOPES.join(', ')}.`)
  }
}
