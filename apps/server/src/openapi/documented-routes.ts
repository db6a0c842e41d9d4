import { type Crm, MANAGE_MEMBERS_SCOPE, MEMBERS_SCOPE, WORKSPACE_SCOPE } from '@sales-crm/core'
import { RESOURCES } from '@sales-crm/core/declarations'
import type { RecordDefinition } from '../http/routes/record-routes.ts'
import { MANAGE_WEBHOOKS, READ_WEBHOOKS } from '../http/routes/webhook-routes.ts'
import type { Access, DocumentedRoute, LimitedBy } from './documented-route.ts'
import {
  CREATE_INVITATION,
  GET_MEMBER,
  LIST_INVITATIONS,
  LIST_MEMBERS,
  REMOVE_MEMBER,
  RESEND_INVITATION,
  UPDATE_MEMBER,
  WITHDRAW_INVITATION,
} from './member-operations.ts'
import {
  AUTHORIZE,
  REGISTER_APP,
  RESOURCE_METADATA,
  REVOKE,
  ROTATE_APP,
  SERVER_METADATA,
  TOKEN,
} from './oauth-operations.ts'
import type { Operation } from './operation.ts'
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
} from './record-kinds.ts'
import { type RecordKind, recordOperations } from './record-operations.ts'
import { AGGREGATE, BOARD, PIPELINE_REPORT, SEARCH, timelineOperation } from './report-operations.ts'
import { GET_DOCUMENT, GET_FILE, GET_HEALTH, GET_READINESS } from './service-operations.ts'
import {
  GET_DELIVERY,
  LIST_DELIVERIES,
  REDELIVER,
  TAKE_WEBHOOK_OVER,
  TEST_WEBHOOK,
  WEBHOOKS,
} from './webhook-operations.ts'
import {
  CREATE_EXAMPLES,
  GET_ME,
  GET_WORKSPACE,
  REMOVE_EXAMPLES,
  UPDATE_WORKSPACE,
} from './workspace-operations.ts'

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

/** Returns all documented routes, in the order of the document. */
export function documentedRoutes(crm: Pick<Crm, 'webhooks'>): readonly DocumentedRoute[] {
  return [
    ...recordRoutes('/v1/people', PEOPLE, people),
    timelineRoute('/v1/people', PEOPLE, people),
    ...recordRoutes('/v1/companies', COMPANIES, companies),
    timelineRoute('/v1/companies', COMPANIES, companies),
    ...recordRoutes('/v1/deals', DEALS, deals),
    timelineRoute('/v1/deals', DEALS, deals),
    ...recordRoutes('/v1/pipelines', PIPELINES, pipelines),
    apiRoute('GET', '/v1/pipelines/:id/board', BOARD, { scope: deals.scopes.read }),
    ...recordRoutes('/v1/tasks', TASKS, tasks),
    ...recordRoutes('/v1/task-types', TASK_TYPES, taskTypes),
    ...recordRoutes('/v1/activities', ACTIVITIES, activities),
    ...recordRoutes('/v1/products', PRODUCTS, products),
    ...recordRoutes('/v1/tags', TAGS, tags),
    ...recordRoutes('/v1/lists', LISTS, lists),
    ...recordRoutes('/v1/custom-fields', CUSTOM_FIELDS, customFields),
    ...webhookRoutes(crm),
    apiRoute('GET', '/v1/reports/pipeline', PIPELINE_REPORT, { scope: deals.scopes.read }),
    apiRoute('GET', '/v1/reports/aggregate', AGGREGATE, { scope: null }),
    apiRoute('GET', '/v1/search', SEARCH, { scope: null }),
    apiRoute('GET', '/v1/me', GET_ME, { scope: null }),
    ...memberRoutes(),
    apiRoute('GET', '/v1/workspace', GET_WORKSPACE, { scope: null }),
    apiRoute('PATCH', '/v1/workspace', UPDATE_WORKSPACE, { scope: WORKSPACE_SCOPE }),
    apiRoute('POST', '/v1/workspace/examples', CREATE_EXAMPLES, { scope: WORKSPACE_SCOPE }),
    apiRoute('DELETE', '/v1/workspace/examples', REMOVE_EXAMPLES, { scope: WORKSPACE_SCOPE }),
    openRoute('GET', '/oauth/authorize', AUTHORIZE, 'OAUTH'),
    openRoute('POST', '/oauth/token', TOKEN, 'OAUTH', 'client'),
    openRoute('POST', '/oauth/revoke', REVOKE, 'OAUTH', 'client'),
    openRoute('POST', '/v1/auth/register-app', REGISTER_APP, 'REGISTER'),
    openRoute('POST', '/v1/auth/rotate-app', ROTATE_APP, 'REGISTER'),
    openRoute('GET', '/.well-known/oauth-authorization-server', SERVER_METADATA, 'address'),
    openRoute('GET', '/.well-known/oauth-protected-resource', RESOURCE_METADATA, 'address'),
    openRoute('GET', '/files/:workspace/:key', GET_FILE, 'address'),
    openRoute('GET', '/openapi.json', GET_DOCUMENT, 'address'),
    openRoute('GET', '/healthz', GET_HEALTH, null),
    openRoute('GET', '/readyz', GET_READINESS, null),
  ]
}

function memberRoutes(): readonly DocumentedRoute[] {
  const [path, read, manage] = ['/v1/members', { scope: MEMBERS_SCOPE }, { scope: MANAGE_MEMBERS_SCOPE }]
  return [
    apiRoute('GET', `${path}/invitations`, LIST_INVITATIONS, manage),
    apiRoute('POST', `${path}/invitations`, CREATE_INVITATION, manage),
    apiRoute('POST', `${path}/invitations/:id/resend`, RESEND_INVITATION, manage),
    apiRoute('DELETE', `${path}/invitations/:id`, WITHDRAW_INVITATION, manage),
    apiRoute('GET', path, LIST_MEMBERS, read),
    apiRoute('GET', `${path}/:id`, GET_MEMBER, read),
    apiRoute('PATCH', `${path}/:id`, UPDATE_MEMBER, manage),
    apiRoute('DELETE', `${path}/:id`, REMOVE_MEMBER, manage),
  ]
}

function webhookRoutes({ webhooks }: Pick<Crm, 'webhooks'>): readonly DocumentedRoute[] {
  const path = '/v1/webhooks'
  const manage = { scope: MANAGE_WEBHOOKS }
  const read = { ...manage, alternativeScope: READ_WEBHOOKS }
  const definition = { ...webhooks.input, scopes: { read: MANAGE_WEBHOOKS, write: MANAGE_WEBHOOKS } }
  const routes = recordRoutes(path, WEBHOOKS, definition, read)
  // Responses with the same name have the same schema object.
  const { success } = routes.find(({ operation }) => operation.id === 'getWebhook')!.operation
  return [
    ...routes,
    apiRoute('GET', `${path}/:id/deliveries`, LIST_DELIVERIES, read),
    apiRoute('GET', `${path}/:id/deliveries/:delivery_id`, GET_DELIVERY, read),
    apiRoute('POST', `${path}/:id/deliveries/:delivery_id/redeliver`, REDELIVER, manage),
    apiRoute('POST', `${path}/:id/take-over`, { ...TAKE_WEBHOOK_OVER, success }, manage),
    apiRoute('POST', `${path}/:id/test`, TEST_WEBHOOK, manage),
  ]
}

function recordRoutes(
  path: string,
  kind: RecordKind,
  { scopes, create, update }: RecordDefinition,
  read: Access = { scope: scopes.read },
): readonly DocumentedRoute[] {
  const operations = recordOperations(kind, { create, update })
  const write = { scope: scopes.write }
  return [
    apiRoute('GET', path, operations.list, read),
    apiRoute('GET', `${path}/:id`, operations.get, read),
    apiRoute('POST', path, operations.create, write),
    apiRoute('PATCH', `${path}/:id`, operations.update, write),
    apiRoute('DELETE', `${path}/:id`, operations.remove, write),
  ]
}

function timelineRoute(
  path: string,
  { name, label, tag }: RecordKind,
  { scopes }: Pick<RecordDefinition, 'scopes'>,
): DocumentedRoute {
  return apiRoute('GET', `${path}/:id/timeline`, timelineOperation(name, label, tag), { scope: scopes.read })
}

function apiRoute(
  method: DocumentedRoute['method'],
  path: string,
  operation: Operation,
  access: Access,
): DocumentedRoute {
  return { method, path, operation, access, limitedBy: 'app' }
}

function openRoute(
  method: DocumentedRoute['method'],
  path: string,
  operation: Operation,
  limitedBy: LimitedBy,
  access: Access = 'nobody',
): DocumentedRoute {
  return { method, path, operation, access, limitedBy }
}
