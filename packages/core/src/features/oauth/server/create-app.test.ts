import { describe, expect, test } from 'vitest'
import { catchFieldErrors, createTestCrm, NOON, secrets } from '../../../../test/harness.ts'
import { SCOPES } from '../../../kernel/actor.ts'

const APP = {
  name: 'App',
  email: 'dev@app.example',
  redirect_uris: ['https://app.example/back?x=1'],
  scopes: ['tasks:read', 'people:read'],
}

describe('createApp', () => {
  test('returns the secret once and stores its hash', async () => {
    const { crm, storage } = await createTestCrm()
    const app = await crm.operator.createApp(APP)
    expect(app).toEqual({
      client_id: app.client_id,
      ...APP,
      created_at: NOON,
      client_secret: expect.stringMatching(/^[0-9a-f]{64}$/),
    })
    expect(await storage.read((tx) => tx.apps.get(app.client_id))).toEqual({
      id: app.client_id,
      ...APP,
      kind: 'confidential',
      metadata_url: null,
      fetched_at: null,
      fresh_until: null,
      unused_since: null,
      secret_hash: secrets.hash(app.client_secret),
      active: true,
      created_at: NOON,
      updated_at: NOON,
    })
  })

  test('reports every invalid field', async () => {
    const { crm } = await createTestCrm()
    const input = {
      name: 'x'.repeat(81),
      email: 'dev',
      redirect_uris: [],
      scopes: ['tasks:read', 'tasks:delete'],
    }
    expect(await catchFieldErrors(crm.operator.createApp(input))).toEqual({
      name: 'Must be between 1 and 80 characters.',
      email: 'Must be an e-mail address.',
      redirect_uris: 'Must have between 1 and 10 URIs.',
      'scopes[1]': `Unknown scope: "tasks:delete". Must be one of: ${SCOPES.join(', ')}.`,
    })
  })

  test.each([
    'Café do João',
    'Node.js + CRM',
    '株式会社',
    '<b>x</b>',
    'wwwhat',
    'www',
    'a / b: c',
    '👩\u200d💻 Studio',
    'می\u200cخواهم',
  ])('accepts the name %j', async (name) => {
    const { crm } = await createTestCrm()
    expect((await crm.operator.createApp({ ...APP, name })).name).toBe(name)
  })

  test.each([
    'Acme\u202eppA',
    'Ac\u200bme',
    'Ac\ufeffme',
    'Ac\u00adme',
    'Ac\u2066me\u2069',
    'Ac\u{e0041}me',
    'Ac\u0085me',
    'Ac\u007fme',
    'Ac\u2028me',
    'Ac\u2029me',
  ])('accepts the name %j and stores its invisible characters', async (name) => {
    const { crm, storage } = await createTestCrm()
    const { client_id } = await crm.operator.createApp({ ...APP, name })
    expect(await storage.read((tx) => tx.apps.get(client_id))).toMatchObject({ name })
  })

  test.each(['Ac\nme', 'Ac\tme', 'Ac\0me', 'Ac\u001bme'])(
    'rejects the control character in the name %j',
    async (name) => {
      const { crm } = await createTestCrm()
      expect(await catchFieldErrors(crm.operator.createApp({ ...APP, name }))).toEqual({
        name: 'Must not contain control characters.',
      })
    },
  )

  test.each([
    'Log in at https://evil.example',
    'evil://',
    'www.evil.example',
    'See WWW.evil.example',
    'help@evil.example',
    'help＠evil',
    'https：／／evil',
    'ｗｗｗ．evil',
    '﹫evil',
    'www․evil',
    'www。evil',
    'www\u200b.',
    'w\u00adw\u2060w\ufeff.evil',
    'w\u034fww\ufe0f.evil',
    'w\u{e0041}ww.evil',
    'ww\ue000w.evil',
    'ww\ufff9w.evil',
    'ｗ\u200bｗｗ．evil',
    'https:\u200d/\u202e/evil',
    'https:\u115f/\u3164/evil',
  ])('rejects the name %j, which looks like an address', async (name) => {
    const { crm } = await createTestCrm()
    expect(await catchFieldErrors(crm.operator.createApp({ ...APP, name }))).toEqual({
      name: 'Must not read as an address: no "://", "www." or "@".',
    })
  })

  test('rejects a name of 300,000 combining marks without normalizing it', async () => {
    const { crm } = await createTestCrm()
    const name = '\u0301\u0327'.repeat(150_000)
    expect(await catchFieldErrors(crm.operator.createApp({ ...APP, name }))).toEqual({
      name: 'Must be between 1 and 80 characters.',
    })
  })

  test('reports the index of an invalid redirect URI', async () => {
    const { crm } = await createTestCrm()
    expect(
      await catchFieldErrors(
        crm.operator.createApp({ ...APP, redirect_uris: ['https://a.co/', 'http://a.co/'] }),
      ),
    ).toEqual({
      'redirect_uris[1]':
        'Must be an https URL, or http on localhost, 127.0.0.1 or [::1], without a fragment, user name or password.',
    })
  })
})
