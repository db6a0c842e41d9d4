import { type Crm, validatePatch } from '@sales-crm/core'
import {
  allNotificationsChanges,
  FOLLOWED_KINDS,
  type FollowedKind,
  notificationChanges,
  RESOURCES,
} from '@sales-crm/core/declarations'
import * as operations from '../../openapi/notification-operations.ts'
import { readJson } from '../json-body.ts'
import { rejectQueryParameters, withQuery } from '../query-string.ts'
import { respondJson, respondList } from '../response.ts'
import { pathOfKind } from './record-routes.ts'
import { rejectInput } from './reject-input.ts'
import { type ApiRoute, pathParam } from './route.ts'

const ANY_TOKEN = { scope: null }
const path = '/v1/notifications'

/** What the member of the token is told, and which records it follows. */
export function notificationRoutes(crm: Crm): readonly ApiRoute[] {
  const { notifications } = crm
  return [
    {
      ...{ method: 'GET', path, access: ANY_TOKEN, turn: 'short', operation: operations.LIST_NOTIFICATIONS },
      handle: async (c) =>
        respondList(
          c,
          await withQuery(c.req.url, (query) => notifications.list(c.get('actor'), query as object)),
        ),
    },
    {
      ...{ method: 'PATCH', path, access: ANY_TOKEN, turn: 'long' },
      operation: operations.READ_ALL_NOTIFICATIONS,
      async handle(c) {
        const input = await readJson(c.get('body'))
        rejectQueryParameters(c.req.url, () => validatePatch(allNotificationsChanges, input))
        return respondJson(c, { data: await notifications.readAll(c.get('actor'), input as never) })
      },
    },
    {
      ...{ method: 'PATCH', path: `${path}/:id`, access: ANY_TOKEN, turn: 'short' },
      operation: operations.UPDATE_NOTIFICATION,
      async handle(c) {
        const input = await readJson(c.get('body'))
        rejectQueryParameters(c.req.url, () => validatePatch(notificationChanges, input))
        const data = await notifications.update(c.get('actor'), pathParam(c), input as never)
        return respondJson(c, { data })
      },
    },
    {
      ...{ method: 'GET', path: '/v1/following', access: ANY_TOKEN, turn: 'short' },
      operation: operations.LIST_FOLLOWING,
      handle: async (c) =>
        respondList(
          c,
          await withQuery(c.req.url, (query) => crm.following.list(c.get('actor'), query as object)),
        ),
    },
    ...FOLLOWED_KINDS.flatMap((kind) => followRoutes(kind, crm)),
  ]
}

function followRoutes(kind: FollowedKind, crm: Crm): readonly ApiRoute[] {
  const route = {
    path: `${pathOfKind(kind)}/:id/following`,
    access: { scope: RESOURCES[kind].scopes.read },
    turn: 'short',
  } as const
  return [
    {
      ...{ ...route, method: 'PUT', operation: operations.followOperation(kind) },
      async handle(c) {
        await rejectInput(c)
        await crm[kind].follow(c.get('actor'), pathParam(c))
        return c.body(null, 204)
      },
    },
    {
      ...{ ...route, method: 'DELETE', operation: operations.unfollowOperation(kind) },
      async handle(c) {
        rejectQueryParameters(c.req.url)
        await crm[kind].unfollow(c.get('actor'), pathParam(c))
        return c.body(null, 204)
      },
    },
  ]
}
