import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { memoryStorage } from '@sales-crm/core/memory'
import { Hono } from 'hono'
import { expect, test } from 'vitest'
import type { AppEnv } from '../../src/http/app-env.ts'
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

test.each(LARGE)(
  '%s is compressed only for clients that accept it, by brotli rather than gzip',
  async (path) => {
    const plain = await fetchAsset(path)
    expect(plain).toMatchObject({ status: 200, encoding: null, vary: 'Accept-Encoding' })
    const gzipped = await fetchAsset(path, 'br;q=0, GZIP;q=0.8')
    const brotli = await fetchAsset(path, 'gzip, deflate, br, zstd')
    expect(gunzipSync(gzipped.bytes).equals(plain.bytes)).toBe(true)
    expect(brotliDecompressSync(brotli.bytes).equals(plain.bytes)).toBe(true)
    const { status, vary, type } = plain
    expect(gzipped).toMatchObject({ status, vary, type, encoding: 'gzip' })
    expect(brotli).toMatchObject({ status, vary, type, encoding: 'br' })
    expect(gzipped.bytes.length * 3).toBeLessThan(plain.bytes.length)
    expect(brotli.bytes.length).toBeLessThan(gzipped.bytes.length)
    for (const acceptEncoding of ['gzip;q=0', 'br;q=0.0', 'identity', '*'])
      expect((await fetchAsset(path, acceptEncoding)).encoding).toBeNull()
  },
)

test('builds and compresses a response once, and builds it again after a failure', async () => {
  let builds = 0
  const serve = servePrecompressed(async () => {
    builds += 1
    if (builds === 1) throw new Error('not now')
    return { body: 'x'.repeat(1000), headers: { 'Content-Type': 'text/plain' } }
  })
  const app = new Hono<AppEnv>().get('/', serve)
  const request = (acceptEncoding: string) =>
    app.request('/', { headers: { 'Accept-Encoding': acceptEncoding } })
  expect((await request('gzip')).status).toBe(500)
  const responses = await Promise.all([request('gzip'), request('gzip'), request('')])
  const bodies = await Promise.all(responses.map(async (each) => Buffer.from(await each.arrayBuffer())))
  expect(bodies[0]!.equals(bodies[1]!)).toBe(true)
  expect([gunzipSync(bodies[0]!).toString(), bodies[2]!.toString()]).toEqual([
    'x'.repeat(1000),
    'x'.repeat(1000),
  ])
  expect(responses[2]!.headers.get('Content-Type')).toBe('text/plain')
  expect(builds).toBe(2)
})
