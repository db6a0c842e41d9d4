import { createCrm } from '@sales-crm/core'
import { nodePorts } from '@sales-crm/node'
import express from 'express'
import { Hono } from 'hono'
import { describe, expect, test } from 'vitest'
import { createServer } from '../../src/create-server.ts'
import type { ServerOptions } from '../../src/server-options.ts'
import { listen } from './hosts.ts'
import { openMountedService } from './mounted-service.ts'

const SILENT = { info: () => {}, warn: () => {}, error: () => {} }
const BODY_WAS_READ =
  'The body of this request was read before it reached the CRM. Mount the CRM before any body parser, or hand on the bytes in request.rawBody.'

describe('a body that the host has read', () => {
  test('is reported with its remedy, by Express', async () => {
    const { server, token, lines } = await openMountedService()
    const origin = await listen(express().use(express.json()).use('/crm', server.listener))
    const response = await post(origin, token)
    expect([response.status, await messageOf(response)]).toEqual([500, BODY_WAS_READ])
    expect(lines).toContain('A request failed unexpectedly.')
    expect((await fetch(`${origin}/crm/v1/tasks`, { headers: bearer(token) })).status).toBe(200)
  })

  test('is served, if its bytes are handed on', async () => {
    const { server, token } = await openMountedService()
    const keepBytes = express.json({
      verify: (request, _, bytes) => Object.assign(request, { rawBody: bytes }),
    })
    const origin = await listen(express().use(keepBytes).use('/crm', server.listener))
    expect((await post(origin, token)).status).toBe(201)
  })

  test('is reported with its remedy, by Hono', async () => {
    const { server, token } = await openMountedService()
    const host = new Hono()
    host.use(async (c, next) => {
      if (c.req.method === 'POST') await c.req.json()
      await next()
    })
    host.route('/crm', server)
    const response = await host.request('/crm/v1/tasks', {
      method: 'POST',
      headers: { ...bearer(token), 'Content-Type': 'application/json' },
      body: '{"title":"Call"}',
    })
    expect([response.status, await messageOf(response)]).toEqual([500, BODY_WAS_READ])
  })
})

describe('a service mounted at a path that its public URL does not have', () => {
  const expected = (told: string) =>
    `The CRM is mounted at /crm, but its public URL has ${told}. Let the issuer of nodePorts end with /crm, or set the option mountPath of createServer if a proxy changes the path.`

  test.each([
    ['https://shop.example', 'no path'],
    ['https://shop.example/sales', 'the path /sales'],
  ])('says so, in Hono and in Express, for %s', async (issuer, told) => {
    const { server, token } = await openMountedService({ issuer })
    const inHono = await new Hono().route('/crm', server).request('/crm/v1/tasks', { headers: bearer(token) })
    expect([inHono.status, await messageOf(inHono)]).toEqual([500, expected(told)])
    const origin = await listen(express().use('/crm', server.listener))
    const inExpress = await fetch(`${origin}/crm/v1/tasks`, { headers: bearer(token) })
    expect([inExpress.status, await messageOf(inExpress)]).toEqual([500, expected(told)])
  })

  test('is served, if it was told the path', async () => {
    const { server, token } = await openMountedService({
      issuer: 'https://shop.example',
      options: () => ({ mountPath: '/crm' }),
    })
    const response = await new Hono()
      .route('/crm', server)
      .request('/crm/v1/tasks', { headers: bearer(token) })
    expect(response.status).toBe(200)
  })

  test('is hinted at by a handler that no router mounts', async () => {
    const { server, lines } = await openMountedService({ issuer: 'https://shop.example' })
    const response = await server.fetch(new Request('https://shop.example/crm/v1/tasks'))
    expect(response.status).toBe(404)
    expect(await response.json()).toMatchObject({ error: { fields: { path: 'Did you mean /v1/tasks?' } } })
    expect(lines).toEqual([
      expect.stringContaining('If the service is mounted at /crm, its public URL must end with that.'),
    ])
  })
})

test('a proxy may remove the path', async () => {
  const { server, token } = await openMountedService()
  const response = await server.fetch(
    new Request('https://shop.example/v1/tasks', { headers: bearer(token) }),
  )
  expect(response.status).toBe(200)
})

test.each(['/v1', '/oauth', '/mcp', '/v1/people'])(
  'the path %s of the service is refused as its mount path',
  async (path) => {
    await expect(openMountedService({ issuer: `https://shop.example${path}` })).rejects.toThrow(
      `The service cannot be mounted at ${path}, which is one of its own paths. Change the path of its public URL.`,
    )
  },
)

describe('parts', () => {
  test.each([
    ['api', '/v1/people'],
    ['oauth', '/oauth/authorize'],
    ['pages', '/sign-in'],
    ['console', '/w/acme/'],
    ['mcp', '/mcp'],
    ['docs', '/openapi.json'],
  ] as const)('%s can be left out', async (part, path) => {
    const whole = await openMountedService()
    expect((await whole.server.request(path)).status).not.toBe(404)
    const { server } = await openMountedService({ options: () => ({ parts: { [part]: false } }) })
    expect((await server.request(path)).status).toBe(404)
    expect((await server.request('/healthz')).status).toBe(200)
  })

  test.each([
    ['is left out', { console: false }],
    ['has no API to read', { api: false }],
  ])('where the console %s, the root leads to the account page', async (_, parts) => {
    const { server } = await openMountedService({ options: () => ({ parts }) })
    expect((await server.request('/')).headers.get('Location')).toBe('/crm/account')
    expect((await server.request('/w/acme/')).status).toBe(404)
    expect((await server.request('/assets/console/main.js')).status).toBe(404)
  })

  test.each(['api', 'oauth', 'pages', 'mcp'] as const)(
    'without %s the OpenAPI document describes the other routes, and no other',
    async (part) => {
      const { server } = await openMountedService({ options: () => ({ parts: { [part]: false } }) })
      const text = await (await server.request('/openapi.json')).text()
      const { paths, components } = JSON.parse(text)
      const served = new Set(server.routes.map(({ path }) => path.replaceAll(/:(\w+)/g, '{$1}')))
      expect(Object.keys(paths).filter((path) => !served.has(path))).toEqual([])
      expect(Object.keys(paths).length).toBeGreaterThan(part === 'api' ? 8 : 25)
      const references = text.matchAll(/#\/components\/(\w+)\/([\w-]+)/g)
      const missing = Array.from(references).filter(([, kind, name]) => !(name! in components[kind!]))
      expect(missing.map(([reference]) => reference)).toEqual([])
    },
  )

  test('without oauth the documentation does not mention OAuth', async () => {
    const { server } = await openMountedService({ options: () => ({ parts: { oauth: false } }) })
    const { components, paths, tags, info } = JSON.parse(await (await server.request('/openapi.json')).text())
    expect(Object.keys(components.securitySchemes)).toEqual(['bearer'])
    expect(paths['/v1/people'].get.security).toEqual([{ bearer: [] }])
    expect(tags.map(({ name }: { name: string }) => name)).not.toContain('OAuth')
    expect(info.description).not.toContain('/oauth')
    expect((await server.request('/docs/start')).status).toBe(404)
    expect(await (await server.request('/docs')).text()).not.toContain('/docs/start')
  })
})

describe('a wrong option', () => {
  test.each<[string, object, string]>([
    ['no option', {}, 'The option crm of createServer must be what createCrm of @sales-crm/core returned.'],
    [
      'a misspelt name',
      { trustProxys: 1 },
      'createServer has no option trustProxys. Did you mean trustProxy?',
    ],
    [
      'a part that does not exist',
      { parts: { apis: false } },
      'The option parts of createServer must have true or false for any of api, oauth, pages, console, mcp, docs.',
    ],
    [
      'a mount path with a slash at its end',
      { mountPath: '/crm/' },
      'The option mountPath of createServer must be a path such as /crm, without a slash at its end.',
    ],
    [
      'a negative limit',
      { limits: { GET: -1 } },
      'The option limits of createServer must have whole numbers for any of GET, POST, PATCH, DELETE, OAUTH, REGISTER.',
    ],
    [
      'an actor in place of a function',
      { authenticate: {} },
      'The option authenticate of createServer must be a function.',
    ],
    [
      'a log without functions',
      { log: {} },
      'The option log of createServer must have the functions info, warn and error.',
    ],
    [
      'a fractional number of proxies',
      { trustProxy: 0.5 },
      'The option trustProxy of createServer must be a whole number of proxies, from 0 to 100.',
    ],
  ])('is refused at once: %s', async (_, options, message) => {
    const { crm, ports } = await openMountedService()
    const all = Object.keys(options).length === 0 ? {} : { crm, ports, ...options }
    expect(() => createServer(all as unknown as ServerOptions)).toThrow(new TypeError(message))
  })
})

test('a crm of another copy of the core is reported at the start', async () => {
  const { crm, ports } = await openMountedService()
  const operator = { ...crm.operator, scopes: [...crm.operator.scopes] }
  const lines: unknown[] = []
  const log = { info: () => {}, warn: (line: unknown) => void lines.push(line), error: () => {} }
  createServer({ crm: { ...crm, operator }, ports, log })
  expect(lines).toEqual([expect.stringContaining('Two copies of @sales-crm/core are loaded')])
})

function post(origin: string, token: string): Promise<Response> {
  const headers = { ...bearer(token), 'Content-Type': 'application/json' }
  return fetch(`${origin}/crm/v1/tasks`, { method: 'POST', headers, body: '{"title":"Call"}' })
}

function bearer(token: string): { readonly Authorization: string } {
  return { Authorization: `Bearer ${token}` }
}

async function messageOf(response: Response): Promise<string> {
  return ((await response.json()) as { error: { message: string } }).error.message
}

test('the crm without its ports is refused', async () => {
  const { crm } = await openMountedService()
  expect(() => createServer({ crm } as ServerOptions)).toThrow(
    'The option ports of createServer must be the ports that crm was created with: { ...nodePorts(…), storage }.',
  )
})

describe('the path of the mount', () => {
  test('is compared for each request, without regard to case', async () => {
    const { server, token } = await openMountedService()
    const app = express().use('/crm', server.listener).use('/api', server.listener)
    const origin = await listen(app)
    const statusOf = async (path: string) =>
      (await fetch(`${origin}${path}`, { headers: bearer(token) })).status
    expect(await statusOf('/crm/v1/tasks')).toBe(200)
    expect(await statusOf('/CRM/v1/tasks')).toBe(200)
    expect(await statusOf('/api/v1/tasks')).toBe(500)
  })

  test('is removed once', async () => {
    const { server, token } = await openMountedService()
    const origin = await listen(express().use('/crm', server.listener))
    const response = await fetch(`${origin}/crm/crm/v1/tasks`, { headers: bearer(token) })
    expect(response.status).toBe(404)
  })
})

test('what authenticate throws is an unexpected error, and is logged', async () => {
  const { server, lines } = await openMountedService({
    options: () => ({
      authenticate: () => {
        throw 'nope' as unknown as Error
      },
    }),
  })
  expect((await server.request('/v1/tasks')).status).toBe(500)
  expect(lines).toContain('A request failed unexpectedly.')
})

describe('a wrong option of startBackground', () => {
  test.each<[object, string]>([
    [{ delivery: {} }, 'startBackground has no option delivery. Did you mean deliveries?'],
    [
      { deliveries: { timeout: 1 } },
      'The option deliveries of startBackground must have whole numbers: timeoutSeconds from 1 to 60, retrySeconds from 1 to 86400, retries from 0 to 20.',
    ],
    [
      { deliveries: { retries: -1 } },
      'The option deliveries of startBackground must have whole numbers: timeoutSeconds from 1 to 60, retrySeconds from 1 to 86400, retries from 0 to 20.',
    ],
    [
      { mailer: {} },
      'The option mailer of startBackground must have the functions send and close, as smtpMailer has.',
    ],
    [
      { outbound: { allowprivate: true } },
      'The option outbound of startBackground must have allowPrivate, true or false, and allowCidrs, ranges such as 10.1.0.0/16.',
    ],
  ])('is refused at once: %j', async (options, message) => {
    const { server } = await openMountedService()
    expect(() => server.startBackground(options)).toThrow(new TypeError(message))
  })
})

test('a secret key that does not open the database is reported at the start', async () => {
  const { ports, server, token } = await openMountedService()
  expect((await server.request('/v1/tasks', { headers: bearer(token) })).status).toBe(200)
  const lines: string[] = []
  const otherPorts = { ...nodePorts({ issuer: ports.issuer }), storage: ports.storage }
  const log = { ...SILENT, error: (line: object | string) => void lines.push(String(line)) }
  createServer({ crm: createCrm(otherPorts), ports: otherPorts, log })
  await expect.poll(() => lines).toEqual([expect.stringContaining('is not the one of this database')])
})

test.each([
  ['/crm/v1/tasks', 'the service is not mounted at /crm, the path of its public URL.'],
  ['/sales/v1/tasks', 'If the service is mounted at /sales, its public URL must end with that.'],
])('a path with a prefix is noted for the operator: %s', async (path, notice) => {
  const { server, lines } = await openMountedService()
  expect((await new Hono().route('/', server).request(path)).status).toBe(404)
  expect(lines).toEqual([expect.stringContaining(notice)])
})

test('a path with a prefix that no host mounts at is not noted', async () => {
  const { server, lines } = await openMountedService()
  expect((await server.request('/a//v1/tasks')).status).toBe(404)
  expect(lines).toEqual([])
})
