import { memoryStorage } from '@sales-crm/core/memory'
import { expect, test } from 'vitest'
import { UNKNOWN_ID } from '../../support/record-kind-cases.ts'
import { describeEachStore } from '../../support/stores.ts'
import {
  errorOf,
  openService,
  openWorkspace,
  type Service,
  sendRequest,
  type TestResponse,
  type Workspace,
} from '../../support/test-service.ts'

const PNG = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
const GIF = 'R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7'
const CHAIR = { name: 'Chair', currency: 'BRL' }
const FILE_NOT_FOUND = { code: 'not_found', message: 'File not found.' }
const BUSY = { code: 'rate_limit_exceeded', message: 'Rate limit exceeded. Try again in 60 seconds.' }

const base64 = (text: string) => Buffer.from(text).toString('base64')

/** Fetches a file without a token, as a browser does. */
async function fetchFile({ app }: Service, url: string, method = 'GET') {
  const response = await app.request(new URL(url).pathname, { method })
  return {
    status: response.status,
    headers: response.headers,
    bytes: Buffer.from(await response.arrayBuffer()),
  }
}

async function fileError({ app }: Service, path: string, method = 'GET') {
  const response = await sendRequest(app, method, path)
  expect(response.headers.get('Content-Type')).toBe('application/json; charset=utf-8')
  return [response.status, errorOf(response)]
}

function imageUrl({ json }: Pick<TestResponse, 'json'>): string {
  return (json as { data: { image_url: string } }).data.image_url
}

async function attachmentUrls(acme: Workspace, attachments: readonly object[]): Promise<string[]> {
  const activity = await acme.createRecord('/v1/activities', { content_html: 'Hi', attachments })
  return (activity['attachments'] as { url: string }[]).map(({ url }) => url)
}

describeEachStore('an image', (open) => {
  test.each([
    ['bare Base64', PNG],
    ['a data URI', `data:image/png;base64,${PNG}`],
    ['a data URI with a parameter, in odd case', `DATA:Image/PNG;x=y;BASE64,${PNG}`],
  ])('in %s is served byte for byte with restrictive headers', async (_, image) => {
    const service = await openService(await open())
    const acme = await openWorkspace(service)
    const url = imageUrl(await acme.call('POST', '/v1/products', { ...CHAIR, image }))
    expect(url).toMatch(new RegExp(`^http://127\\.0\\.0\\.1:3000/files/${acme.id}/[0-9a-f]{64}$`))
    const { status, headers, bytes } = await fetchFile(service, url)
    expect([status, bytes.toString('base64')]).toEqual([200, PNG])
    expect(Object.fromEntries(headers)).toMatchObject({
      'content-type': 'image/png',
      'content-disposition': "inline; filename*=UTF-8''image.png",
      'content-security-policy': "sandbox; default-src 'none'",
      'x-content-type-options': 'nosniff',
      'cache-control': 'public, max-age=31536000, immutable',
      'x-request-id': expect.stringMatching(/^[0-9a-f-]{36}$/),
    })
    const head = await fetchFile(service, url, 'HEAD')
    expect([head.status, head.bytes.length, head.headers.get('Content-Type')]).toEqual([200, 0, 'image/png'])
    expect(await fileError(service, new URL(url).pathname, 'POST')).toEqual([
      404,
      { code: 'not_found', message: 'Route not found.' },
    ])
  })

  test('is deleted when it is replaced, cleared or its product is deleted, but not before', async () => {
    const service = await openService(await open())
    const acme = await openWorkspace(service)
    const { id, image_url: first } = (await acme.createRecord('/v1/products', { ...CHAIR, image: PNG })) as {
      id: string
      image_url: string
    }
    const path = `/v1/products/${id}`
    const updateImage = (change: object) => acme.call('PATCH', path, change).then(imageUrl)
    const statuses = (...urls: string[]) =>
      Promise.all(urls.map((url) => fetchFile(service, url).then(({ status }) => status)))

    expect([await updateImage({ name: 'Stool' }), await statuses(first)]).toEqual([first, [200]])
    const second = await updateImage({ image: GIF })
    expect((await fetchFile(service, second)).headers.get('Content-Type')).toBe('image/gif')
    expect(await statuses(first, second)).toEqual([404, 200])
    expect([await updateImage({ image: null }), await statuses(second)]).toEqual([null, [404]])
    const third = await updateImage({ image: PNG })
    expect([third === first, await statuses(first, third)]).toEqual([false, [404, 200]])
    await acme.call('DELETE', path)
    expect(await fileError(service, new URL(third).pathname)).toEqual([404, FILE_NOT_FOUND])
  })

  test('is not found under any other path', async () => {
    const service = await openService(await open())
    const [acme, rival] = [await openWorkspace(service, 'Acme'), await openWorkspace(service, 'Rival')]
    const { pathname } = new URL(imageUrl(await acme.call('POST', '/v1/products', { ...CHAIR, image: PNG })))
    const key = pathname.slice(-64)
    for (const [workspace, fileKey] of [
      [rival.id, key],
      [UNKNOWN_ID, key],
      ['x', key],
      ['%00', key],
      ['constructor', '__proto__'],
      [acme.id, `${key}0`],
      [acme.id, key.slice(1)],
      [acme.id, '0'.repeat(64)],
      [acme.id, '%27%20or%201=1'],
      [acme.id, `..%2F..%2Fetc%2Fpasswd`],
      [acme.id, `${key}%00`],
      [acme.id, '%FF'],
      [acme.id, 'k'.repeat(5000)],
    ])
      expect([fileKey, ...(await fileError(service, `/files/${workspace}/${fileKey}`))]).toEqual([
        fileKey,
        404,
        FILE_NOT_FOUND,
      ])
    const response = await sendRequest(service.app, 'GET', `${pathname}?size=big`)
    expect([response.status, errorOf(response)['fields']]).toEqual([422, { size: 'Unknown parameter.' }])
    expect((await service.app.request(pathname)).status).toBe(200)
  })

  test('counts as a GET of its address', async () => {
    const service = await openService(await open(), {
      limits: { GET: 3, POST: 9, PATCH: 9, DELETE: 9 },
      gate: (local) => local,
    })
    const acme = await openWorkspace(service)
    const { pathname } = new URL(imageUrl(await acme.call('POST', '/v1/products', { ...CHAIR, image: PNG })))
    const fetchPath = (method: string, path = pathname) => service.app.request(path, { method })
    const responses = [
      await fetchPath('GET'),
      await fetchPath('HEAD'),
      await fetchPath('GET', `/files/${acme.id}/x`),
    ]
    expect(responses.map(({ status, headers }) => [status, headers.get('X-RateLimit-Remaining')])).toEqual([
      [200, '2'],
      [200, '1'],
      [404, '0'],
    ])
    expect(await fileError(service, pathname)).toEqual([429, BUSY])
    expect((await fetchPath('HEAD')).headers.get('Retry-After')).toBe('60')
    expect((await acme.call('GET', '/v1/products')).status).toBe(200)
    service.advanceClock(60_000)
    expect((await fetchPath('GET')).status).toBe(200)
  })
})

describeEachStore('an attachment', (open) => {
  test('is always downloaded, under its encoded name, never rendered', async () => {
    const service = await openService(await open())
    const acme = await openWorkspace(service)
    const rows = [
      ['a.txt', 'hello', 'text/plain; charset=utf-8', 'a.txt'],
      ['page.html', '<!doctype html><script>alert(1)</script>', 'text/plain; charset=utf-8', 'page.html'],
      [
        'x.svg',
        '<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg"/>',
        'application/octet-stream',
        'x.svg',
      ],
      [`a"b'c;d=e (1)*.txt`, 'x', 'text/plain; charset=utf-8', 'a%22b%27c%3Bd%3De%20%281%29%2A.txt'],
      [
        'résumé 😀 日本.pdf',
        'x',
        'text/plain; charset=utf-8',
        'r%C3%A9sum%C3%A9%20%F0%9F%98%80%20%E6%97%A5%E6%9C%AC.pdf',
      ],
      ['%2e%2e%0d%0a', 'x', 'text/plain; charset=utf-8', '%252e%252e%250d%250a'],
      ['a\u007f\u0085\u2028\u202eb', 'x', 'text/plain; charset=utf-8', 'a%7F%C2%85%E2%80%A8%E2%80%AEb'],
    ] as const
    const urls = await attachmentUrls(
      acme,
      rows.map(([filename, content]) => ({ filename, content: base64(content) })),
    )
    for (const [index, [, content, type, name]] of rows.entries()) {
      const { status, headers, bytes } = await fetchFile(service, urls[index]!)
      expect([status, bytes.toString(), headers.get('Content-Type')]).toEqual([200, content, type])
      expect(headers.get('Content-Disposition')).toBe(`attachment; filename*=UTF-8''${name}`)
      expect([headers.get('X-Content-Type-Options'), headers.get('Content-Security-Policy')]).toEqual([
        'nosniff',
        "sandbox; default-src 'none'",
      ])
    }
  })

  test('rejects filenames with control characters or path segments', async () => {
    const acme = await openWorkspace(await openService(await open()))
    for (const filename of [
      'a\r\nSet-Cookie: x=1',
      'a\nb',
      'a\0b',
      '../a',
      '..\\a',
      '..',
      '.',
      ' ',
      '\ud800',
      'a'.repeat(256),
    ]) {
      const response = await acme.call('POST', '/v1/activities', {
        content_html: 'Hi',
        attachments: [{ filename, content: 'aGk=' }],
      })
      const fields = errorOf(response)['fields'] as object
      expect([filename, response.status, Object.keys(fields)]).toEqual([
        filename,
        422,
        ['attachments[0].filename'],
      ])
    }
  })

  test('is deleted with its activity and kept when that changes', async () => {
    const service = await openService(await open())
    const acme = await openWorkspace(service)
    const activity = await acme.createRecord('/v1/activities', {
      content_html: 'Hi',
      attachments: [{ filename: 'a', content: 'aGk=' }],
    })
    const [{ url }] = activity['attachments'] as [{ url: string }]
    await acme.call('PATCH', `/v1/activities/${activity.id}`, { content_html: 'Ho' })
    expect((await fetchFile(service, url)).status).toBe(200)
    await acme.call('DELETE', `/v1/activities/${activity.id}`)
    expect(await fileError(service, new URL(url).pathname)).toEqual([404, FILE_NOT_FOUND])
  })
})

test('stores an attachment of 2 097 152 bytes completely', async () => {
  const service = await openService(memoryStorage())
  const acme = await openWorkspace(service)
  const content = Buffer.alloc(2_097_152, 'x').toString('base64')
  const [url] = await attachmentUrls(acme, [{ filename: 'a', content }])
  expect((await fetchFile(service, url!)).bytes.toString('base64') === content).toBe(true)
})
