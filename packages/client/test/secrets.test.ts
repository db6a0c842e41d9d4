import { inspect } from 'node:util'
import { expect, test } from 'vitest'
import { obtainTokens } from '../../../apps/server/test/support/oauth-requests.ts'
import { openClient, openLiveService } from './support/live-client.ts'
import { openScriptedServer } from './support/scripted-server.ts'

const CREDENTIALS = {
  client_id: 'app',
  client_secret: 'SECRET-client',
  refresh_token: 'SECRET-refresh',
  access_token: 'SECRET-access',
}

/** Returns everything a log could write of a value. */
function textsOf(value: unknown): string {
  const { message, stack } = value as Partial<Error>
  return [
    inspect(value, { depth: 20, showHidden: true }),
    JSON.stringify(value),
    String(value),
    message,
    stack,
  ].join('\n')
}

test('a client shows no secrets, before and after its calls', async () => {
  const live = await openLiveService()
  const { access_token, refresh_token } = await obtainTokens(live.service, live.acme)
  const { client_id, client_secret } = live.acme
  const { crm } = openClient({ url: live.url, credentials: { client_id, client_secret, refresh_token } })
  const list = crm.people.list()
  await list
  const text = textsOf({ crm, list, people: crm.people, webhooks: crm.webhooks })
  expect(text).toContain('webhooks')
  for (const secret of [access_token, refresh_token, client_secret]) expect(text).not.toContain(secret)
  expect(text).not.toContain('eyJ')
  expect(textsOf(openClient({ url: live.url, token: 'SECRET-token' }).crm)).not.toContain('SECRET')
})

test('no error shows a secret that a proxy repeats', async () => {
  const { url } = await openScriptedServer(({ url, headers, body }) => {
    const echo = `${headers.authorization} ${decodeURIComponent(body)}`
    if (url.endsWith('/page')) return { status: 500, headers: { 'Content-Type': 'text/html' }, body: echo }
    if (url.endsWith('/success')) return { body: echo }
    if (url.endsWith('/redirect'))
      return { status: 302, headers: { Location: `/?${encodeURIComponent(echo)}` } }
    const error = { code: 'unauthorized', message: echo, request_id: 'r', fields: { token: echo } }
    return { status: 403, body: { error } }
  })
  const withToken = openClient({ url, token: 'SECRET-token', maxRetries: 0 }).crm
  const withCredentials = openClient({ url, credentials: { ...CREDENTIALS, access_token: undefined } }).crm
  for (const path of ['page', 'success', 'redirect', 'json']) {
    for (const crm of [withToken, withCredentials]) {
      const error = await crm.people.get(path).then(undefined, (reason: unknown) => reason)
      expect(error).toBeInstanceOf(Error)
      expect(textsOf(error)).not.toContain('SECRET')
    }
  }
})

test('the error of a connection shows no secret', async () => {
  const failing = () => Promise.reject(new TypeError('fetch failed', { cause: new Error('reset') }))
  for (const auth of [{ token: 'SECRET-token' }, { credentials: CREDENTIALS }]) {
    const { crm } = openClient({ url: 'https://crm.example', ...auth, fetch: failing, maxRetries: 0 })
    const error = await crm.people.create({ full_name: 'Ana' }).catch((reason: unknown) => reason)
    expect(error).toMatchObject({ message: expect.stringContaining('fetch failed (reset)') })
    expect(textsOf(error)).not.toContain('SECRET')
  }
})

test.each(['SECRET token', 'SECRET\n', 'SECRET\u0000', 'SECRETé', ''])(
  'refuses the token %j without showing it',
  async (token) => {
    const rule = 'must be a non-empty string of visible ASCII characters.'
    const url = 'https://crm.example'
    expect(() => openClient({ url, token })).toThrow(new TypeError(`token ${rule}`))
    const { crm } = openClient({ url, token: () => token })
    await expect(crm.people.get('1')).rejects.toThrow(new TypeError(`The result of token ${rule}`))
    expect(() => openClient({ url, credentials: { ...CREDENTIALS, access_token: token } })).toThrow(
      new TypeError(`credentials.access_token ${rule}`),
    )
  },
)
