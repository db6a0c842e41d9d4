import { expect, test } from 'vitest'
import { obtainTokens } from '../../../apps/server/test/support/oauth-requests.ts'
import type { Tokens } from '../src/api-types.ts'
import type { ClientCredentials } from '../src/client-options.ts'
import { openClient, openLiveService } from './support/live-client.ts'
import { openLossyProxy } from './support/lossy-proxy.ts'
import { openScriptedServer } from './support/scripted-server.ts'

const UNAUTHORIZED = {
  status: 401,
  body: { error: { code: 'unauthorized', message: 'Invalid or malformed token.', request_id: 'r' } },
}

/** Opens a service with a client that has a grant, and records its requests and stored tokens. */
async function openRefreshingClient(more: Partial<ClientCredentials> = {}) {
  const live = await openLiveService()
  const { access_token, refresh_token } = await obtainTokens(live.service, live.acme)
  const { client_id, client_secret } = live.acme
  const paths: string[] = []
  const stored: Tokens[] = []
  const { crm, advanceClock } = openClient(
    {
      url: live.url,
      credentials: {
        ...{ client_id, client_secret, refresh_token, access_token },
        onTokens: (tokens) => void stored.push(tokens),
        ...more,
      },
      fetch(input, init) {
        paths.push(new URL(String(input)).pathname)
        return fetch(input, init)
      },
    },
    live,
  )
  return { crm, paths, stored, access_token, refresh_token, advanceClock, live }
}

test('twenty concurrent callers with an expired token share one refresh', async () => {
  const { crm, paths, stored, refresh_token, advanceClock } = await openRefreshingClient()
  advanceClock(3_601_000)
  const workspaces = await Promise.all(Array.from({ length: 20 }, () => crm.workspace.get()))
  expect(new Set(workspaces.map(({ name }) => name))).toEqual(new Set(['Acme']))
  expect(paths.filter((path) => path === '/oauth/token')).toHaveLength(1)
  expect(paths.filter((path) => path === '/v1/workspace')).toHaveLength(40)
  expect(stored).toMatchObject([{ expires_in: 3600, token_type: 'Bearer' }])
  expect(stored[0]!.refresh_token).not.toBe(refresh_token)
})

test('refreshes before a known expiry, each time with the newest refresh token', async () => {
  const { crm, paths, stored, advanceClock } = await openRefreshingClient({ access_token: undefined })
  await crm.workspace.get()
  advanceClock(3_400_000)
  await crm.workspace.get()
  advanceClock(30_000)
  await crm.workspace.get()
  const [refresh, call] = ['/oauth/token', '/v1/workspace']
  expect(paths).toEqual([refresh, call, call, refresh, call])
  expect(stored).toHaveLength(2)
})

test('does not use new tokens before the host has stored them', async () => {
  const events: string[] = []
  const { crm, paths } = await openRefreshingClient({
    access_token: undefined,
    async onTokens() {
      await new Promise((resolve) => setImmediate(resolve))
      events.push(`stored after ${paths.length} request`)
    },
  })
  await crm.workspace.get()
  expect(events).toEqual(['stored after 1 request'])
  expect(paths).toEqual(['/oauth/token', '/v1/workspace'])
})

test('after a failure to store the tokens, the next call stores them without another refresh', async () => {
  const stored: Tokens[] = []
  const { crm, paths } = await openRefreshingClient({
    access_token: undefined,
    onTokens(tokens) {
      stored.push(tokens)
      if (stored.length === 1) throw new Error('The disk is full.')
    },
  })
  await expect(crm.workspace.get()).rejects.toThrow('The disk is full.')
  expect(await crm.workspace.get()).toMatchObject({ name: 'Acme' })
  expect(stored[0]).toEqual(stored[1])
  expect(paths).toEqual(['/oauth/token', '/v1/workspace'])
})

test('a revoked grant is an error after one refresh', async () => {
  const { crm, paths, live, access_token } = await openRefreshingClient()
  const { client_id, client_secret } = live.acme
  await live.app.request('/oauth/revoke', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ token: access_token, client_id, client_secret }),
  })
  await expect(crm.workspace.get()).rejects.toMatchObject({ status: 400, code: 'invalid_grant' })
  expect(paths).toEqual(['/v1/workspace', '/oauth/token'])
})

test('refreshes once and throws when the service rejects the new token too', async () => {
  const { url, requests } = await openScriptedServer(({ url }, index) =>
    url === '/oauth/token'
      ? { body: { access_token: `new-${index}`, refresh_token: 'next', expires_in: 3600 } }
      : UNAUTHORIZED,
  )
  const credentials = { client_id: 'c', client_secret: 's', refresh_token: 'r', access_token: 'old' }
  const { crm } = openClient({ url, credentials })
  await expect(crm.workspace.get()).rejects.toMatchObject({ code: 'unauthorized' })
  expect(requests.map(({ headers }) => headers.authorization)).toEqual([
    'Bearer old',
    undefined,
    'Bearer new-1',
  ])
  expect(requests[1]!.body).toBe('grant_type=refresh_token&refresh_token=r&client_id=c&client_secret=s')
})

test('an abort of one caller does not end the refresh that others wait for', async () => {
  const controller = new AbortController()
  const { crm, stored } = await openRefreshingClient({
    access_token: undefined,
    async onTokens(tokens) {
      controller.abort()
      stored.push(tokens)
    },
  })
  const aborted = crm.workspace.get({ signal: controller.signal })
  const other = crm.workspace.get()
  await expect(aborted).rejects.toMatchObject({ name: 'AbortError' })
  expect(await other).toMatchObject({ name: 'Acme' })
  expect(stored).toHaveLength(1)
})

test('a call that is aborted from the start does not refresh', async () => {
  const { crm, paths } = await openRefreshingClient({ access_token: undefined })
  await expect(crm.workspace.get({ signal: AbortSignal.abort() })).rejects.toMatchObject({
    name: 'AbortError',
  })
  expect(paths).toEqual([])
})

test('a refresh whose connection is lost is repeated, and rejected if the first was executed', async () => {
  const live = await openLiveService()
  const proxy = await openLossyProxy(live.port)
  const { refresh_token } = await obtainTokens(live.service, live.acme)
  const { client_id, client_secret } = live.acme
  const { crm } = openClient(
    { url: proxy.url, credentials: { client_id, client_secret, refresh_token } },
    live,
  )
  proxy.loseResponses(1)
  await expect(crm.workspace.get()).rejects.toMatchObject({ code: 'invalid_grant' })
})

test('asks the function for a token before each attempt, and again after a rejection', async () => {
  const tokens = ['first', 'second', 'second', 'second']
  const { url, requests } = await openScriptedServer(({ headers }, index) => {
    if (headers.authorization === 'Bearer first') return UNAUTHORIZED
    return index === 1 ? { status: 503 } : { body: { data: { name: 'Acme' } } }
  })
  const { crm } = openClient({ url, token: async () => tokens.shift()! })
  expect(await crm.workspace.get()).toEqual({ name: 'Acme' })
  const sent = requests.map(({ headers }) => headers.authorization)
  expect(sent).toEqual(['Bearer first', 'Bearer second', 'Bearer second'])
})

test('a rejected token that cannot be renewed is an error after one attempt', async () => {
  const { url, requests } = await openScriptedServer(() => UNAUTHORIZED)
  await expect(openClient({ url, token: 'abc' }).crm.workspace.get()).rejects.toMatchObject({ status: 401 })
  await expect(openClient({ url, token: () => 'abc' }).crm.workspace.get()).rejects.toMatchObject({
    code: 'unauthorized',
  })
  expect(requests).toHaveLength(2)
})
