import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createClient } from '@sales-crm/client'
import { createCrm } from '@sales-crm/core'
import { memoryStorage } from '@sales-crm/core/memory'
import { nodePorts } from '@sales-crm/node'
import { createServer } from '@sales-crm/server'
import { createSite } from './site.js'

async function openSite() {
  const ports = { ...nodePorts(), storage: memoryStorage() }
  const crm = createCrm(ports)
  const olga = { workspace: 'acme', user_email: 'olga@acme.example' }
  const owner = { owner_name: 'Olga', owner_email: olga.user_email }
  await crm.operator.createWorkspace({ name: 'Acme', slug: olga.workspace, ...owner })
  const { client_id } = await crm.operator.createApp({
    name: 'Site',
    email: 'dev@acme.example',
    redirect_uris: ['https://site.example/callback'],
    scopes: ['people:read', 'people:write'],
  })
  const { access_token } = await crm.operator.createToken({ ...olga, client_id })
  const server = createServer({ crm, ports })
  const fetch = (url, init) => server.fetch(new Request(url, init))
  return createSite(createClient({ url: ports.issuer, token: access_token, fetch }))
}

/** Sends the form as a browser does. */
function add(site, fields, origin = 'http://localhost') {
  const headers = { Origin: origin }
  return site.request('/people', { method: 'POST', headers, body: new URLSearchParams(fields) })
}

async function pageOf(site, path = '/') {
  return (await site.request(path)).text()
}

test('lists, searches and adds people', async () => {
  const site = await openSite()
  const added = await add(site, { full_name: 'Ana Lima', email: 'ana@lima.example' })
  assert.deepEqual([added.status, added.headers.get('Location')], [303, '/'])
  await add(site, { full_name: 'Bob', email: '' })
  assert.match(await pageOf(site), /Ana Lima<\/td><td>ana@lima\.example[\s\S]*Bob/)
  assert.match(await pageOf(site, '/?search=bo'), /1 of 1[\s\S]*Bob/)
})

test('escapes what people typed', async () => {
  const site = await openSite()
  await add(site, { full_name: '<script>alert(1)</script>' })
  const page = await pageOf(site, '/?search=%22%3E%3Cscript')
  assert.doesNotMatch(page, /<script/)
  assert.match(page, /<td>&lt;script&gt;alert\(1\)/)
})

test('shows the rule that each field breaks, and what was typed', async () => {
  const site = await openSite()
  const response = await add(site, { full_name: '', email: 'ana' })
  assert.equal(response.status, 422)
  const page = await response.text()
  assert.match(page, /value="ana"/)
  assert.doesNotMatch(page, /<table/)
  assert.match(page, /id="full_name-error" role="alert">Required\./)
  assert.match(page, /id="email-error" role="alert">Must be an e-mail address\./)
  assert.equal((await site.request('/?search=!')).status, 422)
})

test('adds one person if a form is sent twice', async () => {
  const site = await openSite()
  const form = { full_name: 'Ana Lima', email: '', key: '55c8b5dd-2e52-4fa0-8c52-6b7a4c9c1f11' }
  await Promise.all([add(site, form), add(site, form)])
  assert.match(await pageOf(site), /1 of 1/)
})

test('refuses the form of another site', async () => {
  const site = await openSite()
  assert.equal((await add(site, { full_name: 'Eve' }, 'https://evil.example')).status, 403)
  assert.match(await pageOf(site), /0 of 0/)
})

test('labels every field', async () => {
  const page = await pageOf(await openSite())
  const ids = [...page.matchAll(/<input id="([^"]+)"/g)].map(([, id]) => id)
  assert.deepEqual(ids, ['search', 'full_name', 'email'])
  for (const id of ids) assert.ok(page.includes(`<label for="${id}">`))
})
