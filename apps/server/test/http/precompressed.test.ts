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

async function asked(path: string, acceptEncoding?: string) {
  const { app } = await openService(memoryStorage())
  const { status, headers, ...answer } = await bytesOf(
    await app.request(path, acceptEncoding ? { headers: { 'Accept-Encoding': acceptEncoding } } : {}),
  )
  return {
    status,
    encoding: headers.get('Content-Encoding'),
    vary: headers.get('Vary'),
    type: headers.get('Content-Type'),
    ...answer,
  }
}

async function bytesOf(answer: Response) {
  return { status: answer.status, headers: answer.headers, bytes: Buffer.from(await answer.arrayBuffer()) }
}

test.each(LARGE)('%s is packed for whoever takes gzip, and for nobody else', async (path) => {
  const whole = await asked(path)
  expect(whole).toMatchObject({ status: 200, encoding: null, vary: 'Accept-Encoding' })
  const small = await asked(path, 'br;q=1, GZIP;q=0.8')
  expect(small).toMatchObject({ status: 200, encoding: 'gzip', vary: 'Accept-Encoding', type: whole.type })
  expect(gunzipSync(small.bytes).equals(whole.bytes)).toBe(true)
  expect(small.bytes.length * 3).toBeLessThan(whole.bytes.length)
  for (const none of ['gzip;q=0', 'br', 'identity', '*'])
    expect((await asked(path, none)).encoding).toBeNull()
})

test('what is sent is made once and packed once, and made again after it could not be', async () => {
  let made = 0
  const reply = servePrecompressed(async () => {
    made += 1
    if (made === 1) throw new Error('not now')
    return { status: 200, raw: 'x'.repeat(1000), headers: { 'Content-Type': 'text/plain' } }
  })
  const request = (acceptEncoding: string) =>
    ({ req: { header: () => acceptEncoding } }) as unknown as Parameters<typeof reply>[0]
  await expect(reply(request('gzip'))).rejects.toThrow('not now')
  const [one, other] = await Promise.all([reply(request('gzip')), reply(request('gzip'))])
  expect(one).toBe(other)
  expect(await reply(request(''))).toMatchObject({
    raw: 'x'.repeat(1000),
    headers: { 'Content-Type': 'text/plain' },
  })
  expect(made).toBe(2)
})
