import { describe, expect, test } from 'vitest'
import { findNearRoute } from '../../src/http/near-route.ts'

const ID = '01a1fc31-2670-7519-b740-1c4078945b9e'
const ROUTES = [
  ...['/v1/people', '/v1/tags', '/v1/tasks', '/v1/task-types', '/v1/webhooks'].flatMap((path) => [
    { method: 'GET', path },
    { method: 'POST', path },
    { method: 'GET', path: `${path}/:id` },
    { method: 'PATCH', path: `${path}/:id` },
    { method: 'DELETE', path: `${path}/:id` },
  ]),
  { method: 'POST', path: '/v1/webhooks/:id/test' },
  { method: 'GET', path: '/v1/webhooks/:id/deliveries' },
  { method: 'POST', path: '/v1/webhooks/:id/deliveries/:deliveryId/redeliver' },
  { method: 'POST', path: '/oauth/token' },
]

describe('the allowed methods', () => {
  test.each([
    ['PUT', '/v1/people', ['GET', 'HEAD', 'POST']],
    ['DELETE', '/v1/people', ['GET', 'HEAD', 'POST']],
    ['PUT', `/v1/people/${ID}`, ['GET', 'HEAD', 'PATCH', 'DELETE']],
    ['POST', '/v1/people/anything', ['GET', 'HEAD', 'PATCH', 'DELETE']],
    ['GET', '/oauth/token', ['POST']],
    ['GET', `/v1/webhooks/${ID}/test`, ['POST']],
  ])('of a path with other methods: %s %s', (method, path, allowedMethods) => {
    expect(findNearRoute(ROUTES, method, path)).toEqual({ allowedMethods, path: undefined })
  })

  test.each(['/v1/people/', '/v1/person', '/v1/people/a/b', '/v1/people//', '/', ''])(
    'of an unknown path are none: %s',
    (path) => {
      expect(findNearRoute(ROUTES, 'GET', path).allowedMethods).toEqual([])
    },
  )
})

describe('the nearest path', () => {
  test.each([
    ['GET', '/v1/people/', '/v1/people'],
    ['POST', '/v1/people///', '/v1/people'],
    ['PATCH', `/v1/people/${ID}/`, `/v1/people/${ID}`],
    ['POST', `/v1/webhooks/${ID}/test/`, `/v1/webhooks/${ID}/test`],
    ['GET', '/v1/peple', '/v1/people'],
    ['GET', '/V1/People', '/v1/people'],
    ['GET', '/people', '/v1/people'],
    ['HEAD', '/v1/taskz', '/v1/tasks'],
    ['GET', '/v1/task_types', '/v1/task-types'],
    ['PATCH', `/v1/peple/${ID}`, `/v1/people/${ID}`],
    ['GET', `/v1/webhook/${ID}/delivery`, `/v1/webhooks/${ID}/deliveries`],
    [
      'POST',
      `/v1/webhooks/${ID}/deliveries/${ID}/redelivery`,
      `/v1/webhooks/${ID}/deliveries/${ID}/redeliver`,
    ],
    ['GET', '/v1/peple/', '/v1/people'],
  ])('of %s %s is %s', (method, path, nearest) => {
    expect(findNearRoute(ROUTES, method, path).path).toBe(nearest)
  })

  test.each([
    ['GET', '/'],
    ['GET', ''],
    ['GET', '/wp-login.php'],
    ['GET', '/v1/invoices'],
    ['GET', `/v1/invoices/${ID}`],
    ['PUT', '/v1/people/'],
    ['GET', '/v1/webhook//delivery'],
    ['DELETE', '/v1/peple'],
    ['GET', `/${'v1/people/'.repeat(1000)}`],
    ['GET', `/v1/${'p'.repeat(10_000)}`],
    ['GET', '/'.repeat(100_000)],
  ])('of %s %.40s does not exist', (method, path) => {
    expect(findNearRoute(ROUTES, method, path).path).toBeUndefined()
  })
})
