import { describe, expect, test } from 'vitest'
import { HOSTS } from './hosts.ts'
import { ISSUER, OLGA, openMountedService } from './mounted-service.ts'

describe.each(HOSTS)('a service mounted at /crm in $name', ({ listen }) => {
  test('creates and reads records below the path, and the host keeps its routes', async () => {
    const { server, token } = await openMountedService()
    const origin = await listen(server)
    const headers = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' }
    const body = JSON.stringify({ full_name: 'Ana Souza', position: 'x'.repeat(100) })
    const created = await fetch(`${origin}/crm/v1/people`, { method: 'POST', headers, body })
    expect(created.status).toBe(201)
    const listed = await fetch(`${origin}/crm/v1/people?search=ana`, { headers })
    expect(await listed.json()).toMatchObject({ meta: { total: 1 } })
    expect(listed.headers.get('X-RateLimit-Limit')).toBe('1000')
    expect(await (await fetch(`${origin}/own`)).text()).toBe('own')
  })

  test('responds to errors in the format of the API, and hints name the mounted path', async () => {
    const { server } = await openMountedService()
    const origin = await listen(server)
    const unauthorized = await fetch(`${origin}/crm/v1/people`)
    expect(unauthorized.status).toBe(401)
    expect(await unauthorized.json()).toMatchObject({ error: { code: 'unauthorized' } })
    const unknown = await fetch(`${origin}/crm/v1/poeple`)
    expect(unknown.status).toBe(404)
    expect(await unknown.json()).toMatchObject({
      error: { fields: { path: 'Did you mean /crm/v1/people?' } },
    })
    const wrongMethod = await fetch(`${origin}/crm/v1/people`, { method: 'PUT' })
    expect([wrongMethod.status, wrongMethod.headers.get('Allow')]).toEqual([404, 'GET, HEAD, POST'])
    expect((await fetch(`${origin}/crm`)).url).toBe(`${origin}/crm/sign-in`)
  })

  test('serves pages whose links are below the path', async () => {
    const { server } = await openMountedService()
    const page = await fetch(`${await listen(server)}/crm/sign-in`, { headers: { Accept: 'text/html' } })
    expect(page.status).toBe(200)
    const links = Array.from(
      (await page.text()).matchAll(/(?:href|action)="(\/[^"]*)"/g),
      ([, path]) => path!,
    )
    expect(links.length).toBeGreaterThan(2)
    expect(links.filter((path) => !path.startsWith('/crm/'))).toEqual([])
  })

  test('serves the metadata at the root of the origin', async () => {
    const { server } = await openMountedService()
    const origin = await listen(server)
    expect(server.rootPaths).toEqual([
      '/.well-known/oauth-authorization-server/crm',
      '/.well-known/oauth-protected-resource/crm',
      '/.well-known/oauth-authorization-server/crm/mcp',
      '/.well-known/oauth-protected-resource/crm/mcp',
    ])
    for (const path of server.rootPaths) {
      const response = await fetch(`${origin}${path}`)
      expect([path, response.status]).toEqual([path, 200])
      expect(await response.text()).toContain(ISSUER)
    }
  })

  test('takes a call that the host authenticates for one of its member', async () => {
    const { server } = await openMountedService({
      options: (crm) => ({
        authenticate: (request) =>
          request.headers.get('X-User') === 'olga' ? crm.operator.actorFor(OLGA) : undefined,
      }),
    })
    const origin = await listen(server)
    const headers = { 'X-User': 'olga', 'Content-Type': 'application/json' }
    const body = '{"title":"Call"}'
    const created = await fetch(`${origin}/crm/v1/tasks`, { method: 'POST', headers, body })
    expect([created.status, created.headers.get('X-RateLimit-Remaining')]).toEqual([201, '199'])
    const upperCase = { ...headers, 'Content-Type': 'Application/JSON' }
    const again = await fetch(`${origin}/crm/v1/tasks`, { method: 'POST', headers: upperCase, body })
    expect(again.status).toBe(201)
    const stranger = await fetch(`${origin}/crm/v1/tasks`, { headers: { 'X-User': 'eve' } })
    expect(stranger.status).toBe(401)
    // Bytes have no content type, and a form of another site can be without one, too.
    const withoutType = {
      method: 'POST',
      headers: { 'X-User': 'olga' },
      body: new TextEncoder().encode(body),
    }
    const form = await fetch(`${origin}/crm/v1/tasks`, withoutType)
    expect(form.status).toBe(400)
  })
})

test('a member whom the host authenticates uses webhooks and tools', async () => {
  const { server } = await openMountedService({
    options: (crm) => ({ authenticate: () => crm.operator.actorFor(OLGA) }),
  })
  const send = (path: string, body: object) =>
    server.request(path, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', Accept: 'application/json, text/event-stream' },
      body: JSON.stringify(body),
    })
  const webhook = await send('/v1/webhooks', { url: 'https://hooks.example/crm', events: ['person.created'] })
  expect(webhook.status).toBe(201)
  const { data } = (await webhook.json()) as { data: { id: string } }
  expect((await send(`/v1/webhooks/${data.id}/test`, {})).status).toBe(201)
  const tools = await send('/mcp', {
    jsonrpc: '2.0',
    id: 1,
    method: 'tools/call',
    params: { name: 'get_context', arguments: {} },
  })
  expect([tools.status, await tools.text()]).toEqual([200, expect.stringContaining('Acme')])
})

test('a host whose authenticate returns no actor is told so', async () => {
  const { server } = await openMountedService({
    options: () => ({ authenticate: () => ({ email: OLGA.email }) as never }),
  })
  const response = await server.request('/v1/tasks')
  expect(response.status).toBe(500)
  expect(await response.json()).toMatchObject({
    error: { message: 'authenticate must return what crm.operator.actorFor returns, or undefined.' },
  })
})

test('a member who was removed is not let in by the host', async () => {
  const { server } = await openMountedService({
    options: (crm) => ({
      authenticate: () => crm.operator.actorFor({ ...OLGA, email: 'gone@acme.example' }),
    }),
  })
  expect((await server.request('/v1/tasks')).status).toBe(401)
})
