import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp } from 'node:fs/promises'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { openIndex } from './people-index.js'
import { createListener } from './receiver.js'

const OLD = 'whsec_old'
const NEXT = 'whsec_next'
const ANA = {
  id: '01a1fc31-2860-78c5-98aa-1e202d361899',
  full_name: 'Ana Lima',
  emails: [{ email: 'ana@lima.example', type: 'work' }],
  updated_at: '2026-03-01T12:00:00.000Z',
}
const RENAMED = { ...ANA, full_name: 'Ana Souza', updated_at: '2026-03-01T12:00:01.000Z' }

async function openService(t, secrets = [OLD, undefined]) {
  const file = join(await mkdtemp(join(tmpdir(), 'search-index-')), 'people.db')
  const listener = createListener({ secrets, writer: openIndex(file), reader: openIndex(file) })
  const server = createServer(listener).listen(0, '127.0.0.1')
  t.after(() => server.close().closeAllConnections())
  await once(server, 'listening')
  const url = `http://127.0.0.1:${server.address().port}`
  return {
    async deliver(id, event, person, secret = OLD) {
      const body = JSON.stringify({ id, event, version: 'v1', created_at: person.updated_at, person })
      const signature = createHmac('sha256', secret).update(body).digest('hex')
      const headers = { 'Webhook-Signature': `sha256=${signature}` }
      const response = await fetch(`${url}/webhooks`, { method: 'POST', headers, body })
      return [response.status, (await response.json()).status]
    },
    async search(text) {
      const response = await fetch(`${url}/search?q=${encodeURIComponent(text)}`)
      return (await response.json()).map(({ full_name }) => full_name)
    },
  }
}

test('finds people by the beginnings of words, as they are now', async (t) => {
  const { deliver, search } = await openService(t)
  assert.deepEqual(await deliver('1', 'person.created', ANA), [200, 'processed'])
  assert.deepEqual(await search('lim an'), ['Ana Lima'])
  await deliver('2', 'person.updated', RENAMED)
  assert.deepEqual(await search('lima.example'), ['Ana Souza'])
  assert.deepEqual(await search('ana lima souz'), ['Ana Souza'])
  await deliver('3', 'person.deleted', RENAMED)
  assert.deepEqual(await search('ana'), [])
})

test('ignores repeated and late deliveries', async (t) => {
  const { deliver, search } = await openService(t)
  await deliver('2', 'person.updated', RENAMED)
  await deliver('1', 'person.created', ANA)
  assert.deepEqual(await search('ana'), ['Ana Souza'])
  assert.deepEqual(await deliver('2', 'person.updated', RENAMED), [200, 'duplicate'])
  await deliver('4', 'person.deleted', ANA)
  await deliver('3', 'person.updated', { ...RENAMED, updated_at: '2026-03-01T12:00:02.000Z' })
  assert.deepEqual(await search('ana'), [])
})

test('accepts both secrets during a rotation, and no other', async (t) => {
  const { deliver, search } = await openService(t, [OLD, NEXT])
  assert.deepEqual(await deliver('1', 'person.created', ANA, OLD), [200, 'processed'])
  assert.deepEqual(await deliver('2', 'person.created', ANA, NEXT), [200, 'processed'])
  assert.deepEqual(await deliver('3', 'person.deleted', ANA, 'whsec_guess'), [401, undefined])
  assert.deepEqual(await search('ana'), ['Ana Lima'])
})

test('stores neither the id nor the person if the change fails, so that it is delivered again', async (t) => {
  t.mock.method(console, 'error', () => {})
  const { deliver, search } = await openService(t)
  assert.deepEqual(await deliver('1', 'person.created', { ...ANA, emails: null }), [500, undefined])
  assert.deepEqual(await search('ana'), [])
  assert.deepEqual(await deliver('1', 'person.created', ANA), [200, 'processed'])
  assert.deepEqual(await search('ana'), ['Ana Lima'])
})

test('a search is text, not a query of FTS5', async (t) => {
  const { deliver, search } = await openService(t)
  await deliver('1', 'person.created', ANA)
  for (const text of ['"', '*', 'ana"', 'ana*', '(ana)', ''])
    assert.deepEqual(await search(text), /ana/.test(text) ? ['Ana Lima'] : [])
  assert.deepEqual(await search('ana OR bob'), [])
})
