import assert from 'node:assert/strict'
import { test } from 'node:test'
import { memoryStorage } from '@sales-crm/core/memory'
import { nodePorts } from '@sales-crm/node'
import { createApp } from './app.js'

const ANN = { email: 'ann@acme.example', password: 'correct horse battery' }
const EVE = { email: 'eve@other.example', password: 'staple battery horse' }

function openApp(t) {
  const app = createApp({ ...nodePorts({ issuer: 'https://app.example/crm' }), storage: memoryStorage() })
  t.after(() => app.close())
  const call = (method, url, body, headers) => app.inject({ method, url, headers, ...(body && { body }) })
  return {
    call,
    signUp: (user) => call('POST', '/sign-up', { name: 'Ann', company: 'Acme', ...user }),
    async signIn(user) {
      const response = await call('POST', '/sign-in', user)
      return { cookie: response.headers['set-cookie']?.split(';')[0] }
    },
  }
}

test('a user of the application creates and reads people of the CRM', async (t) => {
  const { call, signUp, signIn } = openApp(t)
  assert.equal((await signUp(ANN)).statusCode, 201)
  const ann = await signIn(ANN)
  const created = await call('POST', '/crm/v1/people', { full_name: 'Bob', owner_email: ANN.email }, ann)
  assert.deepEqual([created.statusCode, created.json().data.owner.name], [201, 'Ann'])
  assert.equal((await call('GET', '/crm/v1/people', undefined, ann)).json().meta.total, 1)
})

test('each sign-up has a workspace of its own', async (t) => {
  const { call, signUp, signIn } = openApp(t)
  await Promise.all([signUp(ANN), signUp(EVE)])
  const [ann, eve] = [await signIn(ANN), await signIn(EVE)]
  const { id } = (await call('POST', '/crm/v1/people', { full_name: 'Bob' }, ann)).json().data
  assert.equal((await call('GET', `/crm/v1/people/${id}`, undefined, eve)).statusCode, 404)
})

test('nobody else gets in', async (t) => {
  const { call, signUp, signIn } = openApp(t)
  await signUp(ANN)
  assert.deepEqual(await signIn({ ...ANN, password: 'wrong horse battery' }), { cookie: undefined })
  assert.deepEqual(await signIn(EVE), { cookie: undefined })
  for (const headers of [{}, { cookie: 'session=1' }, { cookie: 'session=' }, { authorization: 'Bearer 1' }])
    assert.equal((await call('GET', '/crm/v1/people', undefined, headers)).statusCode, 401)
  assert.equal((await call('GET', '/crm/sign-in')).statusCode, 404)
  assert.equal((await call('GET', '/crm/oauth/authorize')).statusCode, 404)
})

test('an address signs up once', async (t) => {
  const { call, signUp } = openApp(t)
  const results = await Promise.all([signUp(ANN), signUp({ ...ANN, password: 'another password' })])
  assert.deepEqual(results.map(({ statusCode }) => statusCode).sort(), [201, 409])
  assert.equal((await call('POST', '/sign-up', { email: 'x' })).statusCode, 400)
})

test('a user whom the CRM refuses is not signed up', async (t) => {
  const { signUp, signIn } = openApp(t)
  const refused = await signUp({ ...ANN, name: 'Ann\u0000' })
  assert.deepEqual([refused.statusCode, Object.keys(refused.json().fields)], [422, ['owner_name']])
  assert.deepEqual(await signIn(ANN), { cookie: undefined })
  assert.equal((await signUp(ANN)).statusCode, 201)
})
