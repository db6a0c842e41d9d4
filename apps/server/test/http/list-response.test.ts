import { Hono } from 'hono'
import { expect, test } from 'vitest'
import type { AppEnv } from '../../src/http/app-env.ts'
import { respondList } from '../../src/http/response.ts'

test.each([
  ['an empty page', { data: [], meta: { total: 0 } }],
  ['one record', { data: [{ id: 'a' }], meta: { total: 1 } }],
  ['several, beyond ASCII', { data: [{ id: 'ã' }, { id: '😀' }, { id: '\ud800' }], meta: { total: 3 } }],
  ['a large page', { data: Array(3).fill({ id: 'ã'.repeat(100_000) }), meta: { total: 3 } }],
  ['a list without pages', { data: [{ id: 'a' }] }],
])('the text of %s is its JSON', async (_, page) => {
  const app = new Hono<AppEnv>().get('/', (c) => respondList(c, page))
  expect(await (await app.request('/')).text()).toBe(JSON.stringify(page))
})
