import { createServer } from 'node:net'
import { memoryStorage } from '@sales-crm/core/memory'
import { expect, onTestFinished, test } from 'vitest'
import { errorOf, openService, openWorkspace } from '../support/test-service.ts'

const PNG = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
const MAX_IMAGE_BYTES = 2_097_152
const NO_IMAGE = 'Must be a PNG, JPEG, GIF, WebP or AVIF image.'
const MIB = 1_048_576

async function openTestService() {
  const service = await openService(memoryStorage())
  const acme = await openWorkspace(service)
  await acme.createRecord('/v1/pipelines', { name: 'Sales', stages: [{ name: 'New' }] })
  return { ...service, ...acme }
}

function pngOf(bytes: number): string {
  const png = Buffer.from(PNG, 'base64')
  return Buffer.concat([png, Buffer.alloc(bytes - png.length)]).toString('base64')
}

/** Returns a body of `bytes` bytes in chunks, without a Content-Length. */
function streamBody(body: string, bytes: number): ReadableStream<Uint8Array> {
  const pieces = [Buffer.from(body)]
  for (let rest = bytes - body.length; rest > 0; rest -= 65_536)
    pieces.push(Buffer.alloc(Math.min(rest, 65_536), ' '))
  return ReadableStream.from(pieces)
}

test.each([
  ['people', { full_name: 'Ana' }, 1],
  ['companies', { full_name: 'Acme' }, 1],
  ['deals', { name: 'Chairs' }, 1],
  ['pipelines', { name: 'Sales', stages: [{ name: 'New' }] }, 1],
  ['tasks', { title: 'Call' }, 1],
  ['task-types', { title: 'Visit' }, 1],
  ['tags', { name: 'Hot' }, 1],
  ['lists', { name: 'Fair' }, 1],
  ['custom-fields', { label: 'Size', key: 'size', type: 'text' }, 1],
  ['products', { name: 'Chair', currency: 'BRL' }, 4],
  ['activities', { content_html: 'Hi' }, 32],
])(
  'reads a body for /v1/%s up to its limit, with and without Content-Length',
  async (kind, record, limit) => {
    const { app, token } = await openTestService()
    const body = JSON.stringify(record)
    const headers = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' }
    const post = (bytes: number, more: object = {}) => {
      const request = {
        method: 'POST',
        headers: { ...headers, ...more },
        body: streamBody(body, bytes),
        duplex: 'half',
      } as const
      return app.request(`/v1/${kind}`, request)
    }
    for (const errorResponse of [
      await post(limit * MIB + 1),
      await post(limit * MIB + 1, { 'Content-Length': String(limit * MIB + 1) }),
    ]) {
      const { error } = (await errorResponse.json()) as { error: object }
      expect([errorResponse.status, error]).toMatchObject([
        400,
        { code: 'bad_request', message: 'Request body is too large.' },
      ])
      expect(errorResponse.headers.get('Connection')).toBe('close')
    }
    expect((await post(limit * MIB)).status).toBe(201)
  },
)

test('rejects an endless body once it exceeds the limit', async () => {
  const { app, token } = await openTestService()
  let producedBytes = 0
  const endless = new ReadableStream({
    pull(controller) {
      producedBytes += 65_536
      controller.enqueue(new Uint8Array(65_536))
    },
  })
  const headers = { Authorization: `Bearer ${token}` }
  expect(
    (
      await app.request('/v1/products', {
        method: 'POST',
        headers,
        body: endless,
        duplex: 'half',
      } as RequestInit)
    ).status,
  ).toBe(400)
  expect(producedBytes).toBeLessThan(5 * MIB)
})

test('accepts an image of 2 097 152 bytes and returns 422 for one byte more', async () => {
  const { call } = await openTestService()
  for (const head of ['', 'data:image/png;base64,']) {
    const postImage = (bytes: number) =>
      call('POST', '/v1/products', { name: 'Chair', currency: 'BRL', image: `${head}${pngOf(bytes)}` })
    expect((await postImage(MAX_IMAGE_BYTES)).status).toBe(201)
    const errorResponse = await postImage(MAX_IMAGE_BYTES + 1)
    expect([errorResponse.status, errorOf(errorResponse)['fields']]).toEqual([
      422,
      { image: 'Must be at most 2 MB.' },
    ])
  }
})

test('accepts ten attachments of 2 097 152 bytes and returns 422 for one byte more', async () => {
  const { call } = await openTestService()
  const postAttachments = (bytes: number) => {
    const last = { filename: 'last', content: Buffer.alloc(bytes, 'x').toString('base64') }
    const content = Buffer.alloc(MAX_IMAGE_BYTES, 'x').toString('base64')
    const attachments = [...Array.from({ length: 9 }, (_, n) => ({ filename: `${n}`, content })), last]
    return call('POST', '/v1/activities', { content_html: 'Hi', attachments })
  }
  expect((await postAttachments(MAX_IMAGE_BYTES)).json).toMatchObject({ data: { attachments_count: 10 } })
  const errorResponse = await postAttachments(MAX_IMAGE_BYTES + 1)
  expect([errorResponse.status, errorOf(errorResponse)['fields']]).toEqual([
    422,
    { 'attachments[9].content': 'Must be at most 2 MB.' },
  ])
})

test.each([
  [
    'SVG',
    Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>1</script></svg>').toString('base64'),
    NO_IMAGE,
  ],
  [
    'SVG with its own media type',
    `data:image/svg+xml;base64,${Buffer.from('<svg/>').toString('base64')}`,
    NO_IMAGE,
  ],
  ['HTML', Buffer.from('<!doctype html><img>').toString('base64'), NO_IMAGE],
  [
    'HTML declared as PNG',
    `data:image/png;base64,${Buffer.from('<!doctype html>').toString('base64')}`,
    NO_IMAGE,
  ],
  ['a PDF', Buffer.from('%PDF-1.7\n').toString('base64'), NO_IMAGE],
  ['nothing', '', NO_IMAGE],
  [
    'a PNG declared as GIF',
    `data:image/gif;base64,${PNG}`,
    'The data URI must say image/png, as the image does.',
  ],
  [
    'a PNG declared as HTML',
    `data:text/html;base64,${PNG}`,
    'The data URI must say image/png, as the image does.',
  ],
  ['a data URI without Base64', 'data:image/png,%89PNG', 'A data URI must be in Base64.'],
  [
    'text that is not Base64',
    'hello world',
    'Must be an https URL, a data URI or valid Base64: it contains a space.',
  ],
  [
    'half a surrogate pair',
    '\ud800',
    'Must be an https URL, a data URI or valid Base64: it contains a character of no Base64 alphabet.',
  ],
  ['a number', 7, 'Must be a string.'],
])('rejects %s as an image', async (_, image, message) => {
  const { call } = await openTestService()
  const response = await call('POST', '/v1/products', { name: 'Chair', currency: 'BRL', image })
  expect([response.status, errorOf(response)['fields']]).toEqual([422, { image: message }])
})

test('accepts an image in Base64 over two lines, in the alphabet of URLs and without padding', async () => {
  const { call } = await openTestService()
  const urlSafe = PNG.replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')
  for (const image of [`${PNG.slice(0, 40)}\n${PNG.slice(40)}`, urlSafe]) {
    const response = await call('POST', '/v1/products', { name: 'Chair', currency: 'BRL', image })
    expect([response.status, response.json]).toMatchObject([201, { data: { image_url: expect.any(String) } }])
  }
})

test('sends no request to a private address for an image', async () => {
  let connectionCount = 0
  const server = createServer((socket) => {
    connectionCount += 1
    socket.destroy()
  })
  onTestFinished(() => void server.close())
  const port = await new Promise<number>((resolve) => {
    server.listen(0, () => resolve((server.address() as { port: number }).port))
  })
  const { call, createRecord } = await openTestService()
  const { id } = await createRecord('/v1/products', { name: 'Chair', currency: 'BRL', image: PNG })
  const loopbackHosts = [
    '127.0.0.1',
    '[::1]',
    '[::ffff:7f00:1]',
    '[::]',
    '0.0.0.0',
    '0',
    '2130706433',
    '0x7f000001',
    '0177.0.0.1',
    '127.1',
  ]
  const hosts = [
    ...loopbackHosts,
    'localhost',
    'LOCALHOST.',
    'a.localhost',
    '10.0.0.1',
    '169.254.169.254',
    '[fe80::1]',
    '[64:ff9b::7f00:1]',
  ]
  for (const host of hosts) {
    const image = `https://${host}:${port}/a.png`
    for (const response of [
      await call('POST', '/v1/products', { name: 'Chair', currency: 'BRL', image }),
      await call('PATCH', `/v1/products/${id}`, { image }),
    ])
      expect([host, response.status, errorOf(response)['fields']]).toEqual([
        host,
        422,
        { image: 'Must be a public address.' },
      ])
  }
  for (const start of [
    'http://127.0.0.1',
    'https://a@127.0.0.1',
    'https://[::ffff:127.0.0.1]',
    'https://127。0。0。1',
    'https://\t127.0.0.1',
  ]) {
    const image = `${start}:${port}/a.png`
    const response = await call('PATCH', `/v1/products/${id}`, { image })
    expect([image, response.status, Object.keys(errorOf(response)['fields'] as object)]).toEqual([
      image,
      422,
      ['image'],
    ])
  }
  expect(connectionCount).toBe(0)
  expect((await call('GET', `/v1/products/${id}`)).json).toMatchObject({
    data: { image_url: expect.stringContaining('/files/') },
  })
})
