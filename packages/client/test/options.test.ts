import { afterEach, describe, expect, test, vi } from 'vitest'
import { type ClientOptions, createClient } from '../src/index.ts'

const VALID = { url: 'https://crm.example', token: 'abc' }
const URL_RULE = 'url must be an http or https URL without a user name, password, query and fragment.'
const CREDENTIALS = { client_id: 'c', client_secret: 's', refresh_token: 'r' }

test.each<[string, object]>([
  [URL_RULE, { url: undefined }],
  [URL_RULE, { url: '' }],
  [URL_RULE, { url: 'crm.example' }],
  [URL_RULE, { url: 'ftp://crm.example' }],
  [URL_RULE, { url: 'https://user:SECRET@crm.example' }],
  [URL_RULE, { url: 'https://crm.example/?tenant=1' }],
  [URL_RULE, { url: 'https://crm.example/?' }],
  [URL_RULE, { url: 'https://crm.example/#x' }],
  [
    'Either token or credentials must be set, and not both. Undefined, such as an unset variable, is not set.',
    { token: undefined },
  ],
  [
    'Either token or credentials must be set, and not both. Undefined, such as an unset variable, is not set.',
    { credentials: CREDENTIALS },
  ],
  ['token must be a non-empty string of visible ASCII characters.', { token: 7 }],
  ['credentials must be an object.', { token: undefined, credentials: null }],
  [
    'credentials.refresh_token must be a non-empty string of visible ASCII characters.',
    { token: undefined, credentials: { ...CREDENTIALS, refresh_token: '' } },
  ],
  [
    'credentials.onTokens must be a function.',
    { token: undefined, credentials: { ...CREDENTIALS, onTokens: 'x' } },
  ],
  [
    'Unknown option "credentials.clientId". Did you mean "credentials.client_id"?',
    { token: undefined, credentials: { ...CREDENTIALS, clientId: 'c' } },
  ],
  ['fetch must be a function.', { fetch: 'x' }],
  ['timeoutMs must be an integer from 1 to 2147483647.', { timeoutMs: 0 }],
  ['timeoutMs must be an integer from 1 to 2147483647.', { timeoutMs: -1 }],
  ['timeoutMs must be an integer from 1 to 2147483647.', { timeoutMs: Number.POSITIVE_INFINITY }],
  ['timeoutMs must be an integer from 1 to 2147483647.', { timeoutMs: '30' }],
  ['maxRetries must be an integer from 0 to 100.', { maxRetries: -1 }],
  ['maxRetries must be an integer from 0 to 100.', { maxRetries: 1.5 }],
  ['maxOutageMs must be an integer from 0 to 2147483647.', { maxOutageMs: -1 }],
  ['maxOutageMs must be an integer from 0 to 2147483647.', { maxOutageMs: -1 }],
  ['Unknown option "timeout". Did you mean "timeoutMs"?', { timeout: 1 }],
  ['Unknown option "maxRetrys". Did you mean "maxRetries"?', { maxRetrys: 1 }],
  [
    'Unknown option "proxy". Known: url, token, credentials, fetch, timeoutMs, maxRetries, maxOutageMs, maxWriteOutageMs.',
    { proxy: 'x' },
  ],
])('says %j', (message, options) => {
  expect(() => createClient({ ...VALID, ...options } as ClientOptions)).toThrow(new TypeError(message))
})

test('refuses options that are not an object', () => {
  expect(() => createClient('https://crm.example' as unknown as ClientOptions)).toThrow(
    new TypeError('The options must be an object.'),
  )
})

test.each<[string, object]>([
  ['signal must be an AbortSignal.', { signal: new AbortController() }],
  ['timeoutMs must be an integer from 1 to 2147483647.', { timeoutMs: 0 }],
  ['maxOutageMs must be an integer from 0 to 2147483647.', { maxOutageMs: -1 }],
  ['Unknown option "timeout". Did you mean "timeoutMs"?', { timeout: 1 }],
  [
    'Unknown option "idempotencyKey". Known: signal, timeoutMs, maxOutageMs, keepalive.',
    { idempotencyKey: 'x' },
  ],
])('says %j of every call', async (message, options) => {
  const { people, webhooks } = createClient(VALID)
  const error = new TypeError(message)
  expect(() => people.list({}, options)).toThrow(error)
  await expect(people.get('1', options)).rejects.toThrow(error)
  await expect(webhooks.update('1', {}, options)).rejects.toThrow(error)
  await expect(people.delete('1', options)).rejects.toThrow(error)
  const webhook = { url: 'https://hooks.example/', events: ['deal.won' as const] }
  await expect(webhooks.create(webhook, options)).rejects.toThrow(error)
  await expect(webhooks.test('1', options)).rejects.toThrow(error)
  await expect(webhooks.deliveries.redeliver('1', '2', options)).rejects.toThrow(error)
})

test.each(['', 'two words', 'é', 'x'.repeat(256)])(
  'refuses the idempotency key %j',
  async (idempotencyKey) => {
    const { deals } = createClient(VALID)
    await expect(deals.create({ name: 'x' }, { idempotencyKey })).rejects.toThrow(
      new TypeError('idempotencyKey must be 1 to 255 visible ASCII characters.'),
    )
  },
)

test('a fetch of the host may authenticate the requests', async () => {
  const sent: Headers[] = []
  const crm = createClient({
    url: 'https://crm.example',
    async fetch(_, init) {
      sent.push(new Headers(init?.headers))
      return Response.json({ data: { name: 'Acme' } })
    },
  })
  expect(await crm.workspace.get()).toEqual({ name: 'Acme' })
  expect(sent.map((headers) => headers.has('Authorization'))).toEqual([false])
})

describe('in a browser', () => {
  afterEach(() => vi.unstubAllGlobals())

  test('a path is one of the own origin', async () => {
    vi.stubGlobal('location', { origin: 'https://shop.example' })
    const urls: string[] = []
    const fetch: typeof globalThis.fetch = async (input) => {
      urls.push(String(input))
      return Response.json({ data: [], meta: { total: 0, page: 1, per_page: 50, has_more: false } })
    }
    await createClient({ url: '/crm/', fetch }).people.list()
    await createClient({ url: '/', fetch }).people.list()
    expect(urls).toEqual(['https://shop.example/crm/v1/people', 'https://shop.example/v1/people'])
  })

  test.each(['//other.example', '/\\other.example', '/\t/other.example', '', 'crm', undefined])(
    '%j is no path of the own origin',
    (url) => {
      vi.stubGlobal('location', { origin: 'https://shop.example' })
      expect(() => createClient({ ...VALID, url: url as string })).toThrow(URL_RULE)
    },
  )
})
