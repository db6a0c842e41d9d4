import type { IncomingMessage, ServerResponse } from 'node:http'
import { gzipSync } from 'node:zlib'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { documentFetcher } from '../../src/outbound-http/document-fetcher.ts'
import type { OutboundClient } from '../../src/outbound-http/outbound-client.ts'
import { fakeLookup, type Lab, openLab, PUBLIC } from './network-lab.ts'

const TEXT = '{"client_id":"x"}'
const JSON_HEAD = { 'content-type': 'application/json' }

/** What the server says at each path. */
const ANSWERS: Readonly<Record<string, (response: ServerResponse) => unknown>> = {
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
  lab = await openLab((request: IncomingMessage, response) => ANSWERS[request.url ?? '']?.(response))
})
afterEach(async () => expect(await lab.settled()).toEqual({ visits: 0 }))
afterAll(() => lab.close())

const at = (path: string, host = 'public.lab.test') => `https://${host}:${lab.port}${path}`
const createFetcher = (guard: Pick<OutboundClient, 'fetch'> = lab.guard()) => {
  let ms = 0
  const fetchDocument = documentFetcher(
    async () => guard,
    () => ms,
  )
  return {
    fetchDocument,
    pass(more: number) {
      ms += more
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
  ])('is fetched with how long it may be kept: %s', async (path, max_age) => {
    expect(await createFetcher().fetchDocument(at(path))).toEqual({ text: TEXT, max_age })
    expect(lab.seen.map(({ headers }) => headers.accept)).toEqual(['application/json'])
  })

  test('has 64 KiB at most', async () => {
    expect((await createFetcher().fetchDocument(at('/largest')))?.text).toHaveLength(65_536)
    expect(await createFetcher().fetchDocument(at('/larger'))).toBeUndefined()
  })

  test.each(['/html', '/jsonp', '/untyped', '/latin', '/packed', '/moved', '/missing', '/made', '/broken'])(
    'cannot be had at %s',
    async (path) => {
      expect(await createFetcher().fetchDocument(at(path))).toBeUndefined()
    },
  )

  test('is had from public addresses alone', async () => {
    const { lookup } = fakeLookup({
      'inside.lab.test': [['127.0.0.2']],
      'both.lab.test': [[PUBLIC, '127.0.0.2']],
    })
    const { fetchDocument } = createFetcher(lab.guard({ lookup }))
    for (const host of ['inside.lab.test', 'both.lab.test', '127.0.0.2', '[::1]', 'unknown.lab.test']) {
      expect(await fetchDocument(at('/plain', host))).toBeUndefined()
    }
    expect(lab.seen).toEqual([])
  })
})

/** A guard whose answers wait until they are let go. */
function createPendingClient() {
  const waiting: (() => void)[] = []
  const asked: { url: string; deadlineMs: number }[] = []
  const guard: Pick<OutboundClient, 'fetch'> = {
    fetch: (url, { deadlineMs }) =>
      new Promise((resolve) => {
        asked.push({ url, deadlineMs })
        waiting.push(() => resolve({ bytes: new TextEncoder().encode(TEXT), headers: JSON_HEAD }))
      }),
  }
  return { guard, asked, letGo: () => waiting.splice(0).map((go) => go()) }
}

describe('documents that many ask for', () => {
  test('are asked for once at a time, and each for five seconds at most', async () => {
    const { guard, asked, letGo } = createPendingClient()
    const { fetchDocument } = createFetcher(guard)
    const all = Array.from({ length: 20 }, () => fetchDocument('https://a.example/x'))
    await Promise.resolve()
    letGo()
    expect(new Set((await Promise.all(all)).map((document) => document?.text))).toEqual(new Set([TEXT]))
    expect(asked).toEqual([{ url: 'https://a.example/x', deadlineMs: 5000 }])
    const again = fetchDocument('https://a.example/x')
    await Promise.resolve()
    letGo()
    expect(await again).toBeDefined()
    expect(asked).toHaveLength(2)
  })

  test('are eight at once, and two of one host, and none is asked for beyond', async () => {
    const { guard, asked, letGo } = createPendingClient()
    const { fetchDocument } = createFetcher(guard)
    const ofOne = Array.from({ length: 5 }, (_, nth) => fetchDocument(`https://a.example/${nth}`))
    const ofMany = Array.from({ length: 10 }, (_, nth) => fetchDocument(`https://b${nth}.example/`))
    await Promise.resolve()
    expect(asked).toHaveLength(8)
    letGo()
    expect((await Promise.all(ofOne)).map((document) => document !== undefined)).toEqual([
      true,
      true,
      false,
      false,
      false,
    ])
    expect((await Promise.all(ofMany)).filter((document) => document !== undefined)).toHaveLength(6)
    const later = fetchDocument('https://a.example/4')
    await Promise.resolve()
    letGo()
    expect(await later).toBeDefined()
  })

  test('are not tried again for a minute once they could not be had', async () => {
    const { fetchDocument, pass } = createFetcher()
    for (let times = 0; times < 3; times += 1) expect(await fetchDocument(at('/missing'))).toBeUndefined()
    expect(lab.seen).toHaveLength(1)
    expect(await fetchDocument(at('/plain'))).toBeDefined()
    pass(59_999)
    await fetchDocument(at('/missing'))
    expect(lab.seen).toHaveLength(2)
    pass(1)
    await fetchDocument(at('/missing'))
    expect(lab.seen).toHaveLength(3)
  })

  test('are remembered a thousand at most', async () => {
    let count = 0
    const { fetchDocument } = createFetcher({
      async fetch() {
        count += 1
        return { failure: 'failed' }
      },
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
