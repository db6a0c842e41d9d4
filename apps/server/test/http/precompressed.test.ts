import { gunzipSync } from 'node:zlib'
import { memoryStorage } from '@sales-crm/core/memory'
import { expect, test } from 'vitest'
import { servePrecompressed } from '../../src/http/precompressed.ts'
import { openService } from '../support/test-service.ts'

const LARGE = [
  '/docs/swagger-ui-5.35.0/swagger-ui-bundle.js',
  '/docs/swagger-ui-5.35.0/swagger-ui.css',
  '/openapi.json',
]

async function fetchAsset(path: string, acceptEncoding?: string) {
  const { app } = await openService(memoryStorage())
  const { status, headers, ...response } = await bytesOf(
    await app.request(path, acceptEncoding ? { headers: { 'Accept-Encoding': acceptEncoding } } : {}),
  )
  return {
    status,
    encoding: headers.get('Content-Encoding'),
    vary: headers.get('Vary'),
    type: headers.get('Content-Type'),
    ...response,
  }
}

async function bytesOf(response: Response) {
  return {
    status: response.status,
    headers: response.headers,
    bytes: Buffer.from(await response.arrayBuffer()),
  }
}

test.each(LARGE)('%s is compressed only for clients that accept gzip', async (path) => {
  const plain = await fetchAsset(path)
  expect(plain).toMatchObject({ status: 200, encoding: null, vary: 'Accept-Encoding' })
  const compressed = await fetchAsset(path, 'br;q=1, GZIP;q=0.8')
  expect(compressed).toMatchObject({
    status: 200,
    encoding: 'gzip',
    vary: 'Accept-Encoding',
    type: plain.type,
  })
  expect(gunzipSync(compressed.bytes).equals(plain.bytes)).toBe(true)
  expect(compressed.bytes.length * 3).toBeLessThan(plain.bytes.length)
  for (const acceptEncoding of ['gzip;q=0', 'br', 'identity', '*'])
    expect((await fetchAsset(path, acceptEncoding)).encoding).toBeNull()
})

test('builds and compresses a response once, and builds it again after a failure', async () => {
  let builds = 0
  const serve = servePrecompressed(async () => {
    builds += 1
    if (builds === 1) throw new Error('not now')
    return { status: 200, raw: 'x'.repeat(1000), headers: { 'Content-Type': 'text/plain' } }
  })
  const request = (acceptEncoding: string) =>
    ({ req: { header: () => acceptEncoding } }) as unknown as Parameters<typeof serve>[0]
  await expect(serve(request('gzip'))).rejects.toThrow('not now')
  const [first, second] = await Promise.all([serve(request('gzip')), serve(request('gzip'))])
  expect(first).toBe(second)
  expect(await serve(request(''))).toMatchObject({
    raw: 'x'.repeat(1000),
    headers: { 'Content-Type': 'text/plain' },
  })
  expect(builds).toBe(2)
})
