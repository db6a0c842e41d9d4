import type { IncomingMessage, ServerResponse } from 'node:http'
import { gzipSync } from 'node:zlib'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { documentFetcher } from '../../src/outbound-http/document-fetcher.ts'
import type { FetchUrl } from '../../src/outbound-http/fetch-public-url.ts'
import { fakeLookup, type Lab, openLab, PUBLIC } from './network-lab.ts'

const TEXT = '{"client_id":"x"}'
const JSON_HEAD = { 'content-type': 'application/json' }

/** The response of the server for each path. */
const RESPONSES: Readonly<Record<string, (response: ServerResponse) => unknown>> = {
  '/plain': (response) => response.writeHead(200, JSON_HEAD).end(TEXT),
  '/structured': (response) =>
    response.writeHead(200, { 'content-type': 'Application/vnd.x+JSON ; charset=utf-8' }).end(TEXT),
  '/minutes': (response) =>
    response.writeHead(200, { ...JSON_HEAD, 'cache-control': 'public, Max-Age=600' }).end(TEXT),
  '/quoted': (response) =>
    response.writeHead(200, { ...JSON_HEAD, 'cache-control': 's-maxage=1, max-age="7"' }).end(TEXT),
  '/never': (response) =>
    response.writeHead(200, { ...JSON_HEAD, 'cache-control': 'max-age=600, no-store' }).end(TEXT),
  '/asks': (response) =>
    response.setHeader('cache-control', ['max-age=600', 'no-cache']).writeHead(200, JSON_HEAD).end(TEXT),
  '/odd': (response) =>
    response.writeHead(200, { ...JSON_HEAD, 'cache-control': 'x-no-store-x, max-age=-1' }).end(TEXT),
  '/largest': (response) => response.writeHead(200, JSON_HEAD).end('x'.repeat(65_536)),
  '/larger': (response) => response.writeHead(200, JSON_HEAD).end('x'.repeat(65_537)),
  '/html': (response) => response.writeHead(200, { 'content-type': 'text/html' }).end(TEXT),
  '/jsonp': (response) => response.writeHead(200, { 'content-type': 'application/jsonp' }).end(TEXT),
  '/untyped': (response) => response.writeHead(200).end(TEXT),
  '/latin': (response) => response.writeHead(200, JSON_HEAD).end(Buffer.from([0x22, 0xe9, 0x22])),
  '/packed': (response) =>
    response.writeHead(200, { ...JSON_HEAD, 'content-encoding': 'gzip' }).end(gzipSync(TEXT)),
  '/moved': (response) => response.writeHead(302, { location: '/plain' }).end(),
  '/missing': (response) => response.writeHead(404, JSON_HEAD).end(TEXT),
  '/made': (response) => response.writeHead(201, JSON_HEAD).end(TEXT),
  '/broken': (response) => response.socket?.destroy(),
}

let lab: Lab

beforeAll(async () => {
  lab = await openLab((request: IncomingMessage, response) => RESPONSES[request.url ?? '']?.(response))
})
afterEach(async () => expect(await lab.reset()).toEqual({ visits: 0 }))
afterAll(() => lab.close())

const urlOf = (path: string, host = 'public.lab.test') => `https://${host}:${lab.port}${path}`
const createFetcher = (fetchUrl: FetchUrl = lab.createFetch()) => {
  let now = 0
  const fetchDocument = documentFetcher(fetchUrl, () => now)
  return {
    fetchDocument,
    advanceTime(ms: number) {
      now += ms
    },
  }
}

describe('a document', () => {
  test.each([
    ['/plain', undefined],
    ['/structured', undefined],
    ['/minutes', 600],
    ['/quoted', 7],
    ['/never', 0],
    ['/asks', 0],
    ['/odd', undefined],
  ])('is fetched with its maximum age: %s', async (path, max_age) => {
    expect(await createFetcher().fetchDocument(urlOf(path))).toEqual({ text: TEXT, max_age })
    expect(lab.requests.map(({ headers }) => headers.accept)).toEqual(['application/json'])
  })

  test('has at most 64 KiB', async () => {
    expect((await createFetcher().fetchDocument(urlOf('/largest')))?.text).toHaveLength(65_536)
    expect(await createFetcher().fetchDocument(urlOf('/larger'))).toBeUndefined()
  })

  test.each(['/html', '/jsonp', '/untyped', '/latin', '/packed', '/moved', '/missing', '/made', '/broken'])(
    'is not fetched from %s',
    async (path) => {
      expect(await createFetcher().fetchDocument(urlOf(path))).toBeUndefined()
    },
  )

  test('is fetched only from public addresses', async () => {
    const { lookup } = fakeLookup({
      'inside.lab.test': [['127.0.0.2']],
      'both.lab.test': [[PUBLIC, '127.0.0.2']],
    })
    const { fetchDocument } = createFetcher(lab.createFetch({ lookup }))
    for (const host of ['inside.lab.test', 'both.lab.test', '127.0.0.2', '[::1]', 'unknown.lab.test']) {
      expect(await fetchDocument(urlOf('/plain', host))).toBeUndefined()
    }
    expect(lab.requests).toEqual([])
  })
})

/** A fetch whose responses are held until `releaseAll` is called. */
function createPendingFetch() {
  const held: (() => void)[] = []
  const requests: { url: string; deadlineMs: number }[] = []
  const fetchUrl: FetchUrl = (url, { deadlineMs }) =>
    new Promise((resolve) => {
      requests.push({ url, deadlineMs })
      held.push(() => resolve({ bytes: new TextEncoder().encode(TEXT), headers: JSON_HEAD }))
    })
  return { fetchUrl, requests, releaseAll: () => held.splice(0).map((release) => release()) }
}

describe('concurrent document fetches', () => {
  test('share one request for one URL, with a deadline of five seconds', async () => {
    const { fetchUrl, requests, releaseAll } = createPendingFetch()
    const { fetchDocument } = createFetcher(fetchUrl)
    const fetches = Array.from({ length: 20 }, () => fetchDocument('https://a.example/x'))
    await Promise.resolve()
    releaseAll()
    expect(new Set((await Promise.all(fetches)).map((document) => document?.text))).toEqual(new Set([TEXT]))
    expect(requests).toEqual([{ url: 'https://a.example/x', deadlineMs: 5000 }])
    const later = fetchDocument('https://a.example/x')
    await Promise.resolve()
    releaseAll()
    expect(await later).toBeDefined()
    expect(requests).toHaveLength(2)
  })

  test('are limited to eight, and to two for one host; others fail without a request', async () => {
    const { fetchUrl, requests, releaseAll } = createPendingFetch()
    const { fetchDocument } = createFetcher(fetchUrl)
    const toOneHost = Array.from({ length: 5 }, (_, nth) => fetchDocument(`https://a.example/${nth}`))
    const toManyHosts = Array.from({ length: 10 }, (_, nth) => fetchDocument(`https://b${nth}.example/`))
    await Promise.resolve()
    expect(requests).toHaveLength(8)
    releaseAll()
    expect((await Promise.all(toOneHost)).map((document) => document !== undefined)).toEqual([
      true,
      true,
      false,
      false,
      false,
    ])
    expect((await Promise.all(toManyHosts)).filter((document) => document !== undefined)).toHaveLength(6)
    const later = fetchDocument('https://a.example/4')
    await Promise.resolve()
    releaseAll()
    expect(await later).toBeDefined()
  })
})

describe('failed document fetches', () => {
  test('are not repeated for a minute', async () => {
    const { fetchDocument, advanceTime } = createFetcher()
    for (let call = 0; call < 3; call += 1) expect(await fetchDocument(urlOf('/missing'))).toBeUndefined()
    expect(lab.requests).toHaveLength(1)
    expect(await fetchDocument(urlOf('/plain'))).toBeDefined()
    advanceTime(59_999)
    await fetchDocument(urlOf('/missing'))
    expect(lab.requests).toHaveLength(2)
    advanceTime(1)
    await fetchDocument(urlOf('/missing'))
    expect(lab.requests).toHaveLength(3)
  })

  test('are cached for at most a thousand URLs', async () => {
    let count = 0
    const { fetchDocument } = createFetcher(async () => {
      count += 1
      return { failure: 'failed' }
    })
    for (let nth = 0; nth <= 1000; nth += 1) await fetchDocument(`https://a.example/${nth}`)
    expect(count).toBe(1001)
    await fetchDocument('https://a.example/1000')
    await fetchDocument('https://a.example/1')
    expect(count).toBe(1001)
    await fetchDocument('https://a.example/0')
    expect(count).toBe(1002)
  })
})
