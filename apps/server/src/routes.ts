import {
  type Actor,
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
import type { HonoRequest } from 'hono'
import { ok, type Reply } from './answer.ts'
import { BODY_LIMIT } from './body.ts'
import {
  ACTIVITIES,
  COMPANIES,
  CUSTOM_FIELDS,
  DEALS,
  LISTS,
  PEOPLE,
  PIPELINES,
  PRODUCTS,
  TAGGED,
  TASK_TYPES,
  TASKS,
} from './openapi/kinds.ts'
import type { Operation } from './openapi/operation.ts'
import { GET_WORKSPACE, LIST_MEMBERS } from './openapi/workspace-operations.ts'
import { readQuery, refuseParameters, withQuery } from './query.ts'
import { madeOnceBy, recordRoutes } from './record-routes.ts'
import { webhookRoutes } from './webhook-routes.ts'

export interface Route {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE'
  readonly path: string
  /** The scope a token must hold; null where any valid token will do. */
  readonly scope: string | null
  /** One that will do instead; a refusal does not name it. */
  readonly orScope?: string
  /** What the OpenAPI document says of it. */
  readonly about: Operation
  handler(actor: Actor, request: HonoRequest): Promise<Reply>
}

/** Bodies that hold files in Base64: a picture, and ten attachments. */
const IMAGE_LIMIT = 4 * BODY_LIMIT
const ATTACHMENTS_LIMIT = 32 * BODY_LIMIT

const ANY_TOKEN: ReadonlySet<string> = new Set(['GET /v1/workspace'])

/** Every route below `/v1`, each with the scope that opens it. */
export function apiRoutes(crm: Crm): readonly Route[] {
  return [
    ...recordRoutes('/v1/people', PEOPLE, people, crm.people, { make: madeOnceBy(crm.people) }),
    ...recordRoutes('/v1/companies', COMPANIES, companies, crm.companies, { make: madeOnceBy(crm.companies) }),
    ...recordRoutes('/v1/deals', DEALS, deals, crm.deals, { make: madeOnceBy(crm.deals) }),
    ...recordRoutes('/v1/pipelines', PIPELINES, pipelines, crm.pipelines),
    ...recordRoutes('/v1/tasks', TASKS, tasks, crm.tasks),
    ...recordRoutes('/v1/task-types', TASK_TYPES, taskTypes, crm.taskTypes),
    ...recordRoutes('/v1/activities', ACTIVITIES, activities, crm.activities, { bodyLimit: ATTACHMENTS_LIMIT }),
    ...recordRoutes('/v1/products', PRODUCTS, products, crm.products, { bodyLimit: IMAGE_LIMIT }),
    ...recordRoutes('/v1/tags', TAGGED, tags, crm.tags),
    ...recordRoutes('/v1/lists', LISTS, lists, crm.lists),
    ...recordRoutes('/v1/custom-fields', CUSTOM_FIELDS, customFields, crm.customFields),
    ...webhookRoutes(crm),
    {
      method: 'GET',
      path: '/v1/members',
      scope: MEMBERS_SCOPE,
      about: LIST_MEMBERS,
      handler: async (actor, { url }) => ok(await withQuery(readQuery(url), (query) => crm.members.list(actor, query as object))),
    },
    {
      method: 'GET',
      path: '/v1/workspace',
      scope: null,
      about: GET_WORKSPACE,
      async handler(actor, { url }) {
        refuseParameters(url)
        return ok({ data: await crm.workspace.get(actor) })
      },
    },
  ]
}

/** Nothing is open by oversight. @throws Error for a route whose scope is no scope, or that asks for none and is not meant to */
export function checkScopes(routes: readonly Pick<Route, 'method' | 'path' | 'scope' | 'orScope'>[]): void {
  for (const { method, path, scope, orScope } of routes) {
    const name = `${method} ${path}`
    const guarded = scope === null ? ANY_TOKEN.has(name) : [scope, orScope ?? scope].every((each) => SCOPES.includes(each))
    if (!guarded) throw new Error(`${name} has no scope: give it one of ${SCOPES.join(', ')}.`)
  }
}
