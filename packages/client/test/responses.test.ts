import { expect, test } from 'vitest'
import { CrmApiError } from '../src/errors.ts'
import { openClient } from './support/live-client.ts'
import { openScriptedServer, type ScriptedResponse } from './support/scripted-server.ts'

/** Returns the error of a call that has this response. */
async function errorOf(response: ScriptedResponse, token = 'abc') {
  const { url } = await openScriptedServer(() => response)
  const { crm } = openClient({ url, token, maxRetries: 0 })
  const error = await crm.people.get('1').then(undefined, (reason: unknown) => reason)
  expect(error).toBeInstanceOf(CrmApiError)
  return error as CrmApiError
}

test('the page of a proxy is an error with its status and its first characters', async () => {
  const error = await errorOf({
    status: 502,
    headers: { 'Content-Type': 'text/html', 'Retry-After': '7' },
    body: `\n<html><h1>Bad gateway</h1>${'x'.repeat(10_000)}`,
  })
  expect(error).toMatchObject({ status: 502, code: undefined, fields: {}, retryAfterSeconds: 7 })
  expect(error.message).toMatch(
    /^Status 502, but not a response of the service: <html><h1>Bad gateway<\/h1>x+$/,
  )
  expect(error.message.length).toBeLessThan(300)
})

test.each([
  [
    { body: '<html>Sign in to the network</html>' },
    'Status 200, but not a response of the service: <html>Sign',
  ],
  [{ body: '' }, 'Status 200, but not a response of the service: no text'],
  [{ body: { records: [] } }, 'The response to /v1/people/1 has no data: it is not one of the service.'],
  [{ body: [] }, 'The response to /v1/people/1 has no data'],
  [{ body: 'null' }, 'The response to /v1/people/1 has no data'],
  [
    { status: 403, body: { error: 'Blocked' } },
    'Status 403, but not a response of the service: {"error":"Blocked"}',
  ],
  [{ status: 404, body: { error: null } }, 'Status 404'],
  [{ status: 404, body: 'null' }, 'Status 404, but not a response of the service: null'],
  [{ status: 429, headers: { 'Retry-After': 'soon' }, body: 'Busy' }, 'Status 429'],
])('%j is a clear error', async (response, message) => {
  const error = await errorOf(response)
  expect(error.message).toContain(message)
  expect(error).toMatchObject({ code: undefined, retryAfterSeconds: undefined })
})

test('a list without paging information is a clear error', async () => {
  const { url } = await openScriptedServer(() => ({ body: { data: [] } }))
  const { crm } = openClient({ url, token: 'abc' })
  await expect(crm.people.list()).rejects.toThrow('The response to /v1/people has no data and meta')
})

test.each([301, 302, 303, 307, 308])(
  'status %d to another origin is an error and not followed',
  async (status) => {
    const other = await openScriptedServer(() => ({ body: { data: {} } }))
    const { url, requests } = await openScriptedServer(() => ({
      status,
      headers: { Location: `${other.url}/v1/people/1?secret=1` },
    }))
    const { crm } = openClient({ url, token: 'abc' })
    await expect(crm.people.get('1')).rejects.toMatchObject({
      status,
      message: `Redirect to ${other.url} (status ${status}) not followed: url must be that of the service.`,
    })
    await expect(crm.people.create({ full_name: 'Ana' })).rejects.toMatchObject({ status })
    expect(requests).toHaveLength(2)
    expect(other.requests).toEqual([])
  },
)

test('a redirect on the same origin and one without a target are errors too', async () => {
  const { url } = await openScriptedServer(({ url }) => ({
    status: 307,
    headers: url.endsWith('1') ? { Location: '/login' } : {},
  }))
  const { crm } = openClient({ url, token: 'abc' })
  await expect(crm.people.get('1')).rejects.toThrow(`Redirect to ${url} (status 307) not followed`)
  await expect(crm.people.get('2')).rejects.toThrow('Redirect (status 307) not followed')
})

test('a redirect of the refresh is an error, and the other origin receives no credentials', async () => {
  const other = await openScriptedServer(() => ({ body: {} }))
  const { url } = await openScriptedServer(() => ({ status: 307, headers: { Location: other.url } }))
  const credentials = { client_id: 'c', client_secret: 's', refresh_token: 'r' }
  await expect(openClient({ url, credentials }).crm.people.get('1')).rejects.toMatchObject({ status: 307 })
  expect(other.requests).toEqual([])
})

test('requests go below the path of the url, with the token in the header alone', async () => {
  const { url, requests } = await openScriptedServer(() => ({
    body: { data: {}, access_token: 'new', refresh_token: 'x' },
  }))
  for (const path of ['/crm', '/crm/', '/a/b//']) {
    const { crm } = openClient({ url: `${url}${path}`, token: 'abc' })
    await crm.taskTypes.get('1')
  }
  const credentials = { client_id: 'c', client_secret: 's', refresh_token: 'r' }
  await openClient({ url: new URL(`${url}/crm`), credentials }).crm.workspace.get()
  expect(requests.map(({ url }) => url)).toEqual([
    '/crm/v1/task-types/1',
    '/crm/v1/task-types/1',
    '/a/b/v1/task-types/1',
    '/crm/oauth/token',
    '/crm/v1/workspace',
  ])
  expect(requests[0]!.headers.authorization).toBe('Bearer abc')
})
