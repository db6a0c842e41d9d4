import { describe, expect, test } from 'vitest'
import { faultsOf, NOON, office, secrets } from '../../test/harness.ts'
import { SCOPES } from '../actor.ts'

const APP = {
  name: 'App',
  email: 'dev@app.example',
  redirect_uris: ['https://app.example/back?x=1'],
  scopes: ['tasks:read', 'people:read'],
}

describe('making an app', () => {
  test('gives its secret once and keeps the hash', async () => {
    const { crm, storage } = await office()
    const app = await crm.operator.createApp(APP)
    expect(app).toEqual({ client_id: app.client_id, ...APP, created_at: NOON, client_secret: expect.stringMatching(/^[0-9a-f]{64}$/) })
    expect(await storage.read((tx) => tx.apps.get(app.client_id))).toEqual({
      id: app.client_id,
      ...APP,
      secret_hash: secrets.hash(app.client_secret),
      active: true,
      created_at: NOON,
      updated_at: NOON,
    })
  })

  test('reports every bad field', async () => {
    const { crm } = await office()
    const sent = { name: 'x'.repeat(81), email: 'dev', redirect_uris: [], scopes: ['tasks:read', 'tasks:delete'] }
    expect(await faultsOf(crm.operator.createApp(sent))).toEqual({
      name: 'Must be between 1 and 80 characters.',
      email: 'Must be an e-mail address.',
      redirect_uris: 'Must have between 1 and 10 URIs.',
      'scopes[1]': `Unknown scope: "tasks:delete". Must be one of: ${SCOPES.join(', ')}.`,
    })
  })

  test.each([
    'https://a.co',
    'https://a.co:8443/x?y=1',
    'http://localhost/back',
    'http://localhost:3000',
    'http://127.0.0.1:8080/x',
    'http://[::1]:1/x',
  ])('may send users back to %s', async (uri) => {
    const { crm } = await office()
    expect((await crm.operator.createApp({ ...APP, redirect_uris: [uri] })).redirect_uris).toEqual([uri])
  })

  test.each([
    'http://a.co/',
    'https://a.co/#x',
    'https://a.co/x#',
    'https://user@a.co/',
    'https://a.co\\@b.co/',
    'http://localhost.a.co/',
    'http://localhost@a.co/',
    'http://127.0.0.2/',
    'https://',
    'https:///x',
    'app://back',
    'javascript:alert(1)',
    'https://a.co/ x',
  ])('may not send users back to %s', async (uri) => {
    const { crm } = await office()
    expect(await faultsOf(crm.operator.createApp({ ...APP, redirect_uris: ['https://a.co/', uri] }))).toEqual({
      'redirect_uris[1]': 'Must be an https URL, or http on localhost, without a fragment.',
    })
  })
})
