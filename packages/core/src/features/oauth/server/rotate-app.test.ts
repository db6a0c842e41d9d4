import { describe, expect, test } from 'vitest'
import { catchRejection, createTestCrm, type TestCrm, UNKNOWN_ID } from '../../../../test/harness.ts'
import { sendAllMail } from '../../../../test/mail.ts'
import type { RecordStore } from '../../../kernel/record-store.ts'
import { memoryStorage } from '../../../memory/index.ts'
import type { Storage } from '../../../ports/storage.ts'
import type { App } from '../../../schema/app.ts'
import { findAppByLink, issueSecret } from './client-secret-link.ts'
import { registerApp } from './register-app.ts'
import { rotateApp } from './rotate-app.ts'

const ORIGIN = { address: '192.0.2.7', language: 'en' }
const APP = {
  name: 'App',
  email: 'Dev@app.example',
  redirect_uris: ['https://app.example/back'],
  scopes: ['tasks:read'],
}
const NO_CLIENT = { code: 'invalid_client', message: 'There is no app with this client_id and e-mail.' }

async function withApp() {
  const base = await createTestCrm()
  const app = await base.crm.operator.createApp(APP)
  return { ...base, app, request: { client_id: app.client_id, email: 'dev@APP.example' } }
}

function rateLimitError(seconds: number) {
  return { code: 'rate_limit_exceeded', message: `Rate limit exceeded. Try again in ${seconds} seconds.` }
}

const findAppById = ({ storage }: TestCrm, id: string) => storage.read((tx) => tx.apps.get(id))

async function readMailedTokens({ crm }: TestCrm): Promise<string[]> {
  return (await sendAllMail(crm)).map((mail) => (mail as { link: string }).link.split('/').at(-1)!)
}

describe('rotateApp', () => {
  test('invalidates the secret and mails the owner a link with the IP address of the request', async () => {
    const { app, request, ...base } = await withApp()
    base.clock.advance(60)
    expect(await rotateApp(base.ports, request, ORIGIN)).toEqual({ client_id: app.client_id })
    expect(await findAppById(base, app.client_id)).toMatchObject({
      secret_hash: null,
      active: true,
      updated_at: '2026-03-01T12:01:00.000Z',
    })
    expect(await sendAllMail(base.crm)).toEqual([
      {
        kind: 'app_rotated',
        to: 'Dev@app.example',
        language: 'en',
        app_name: 'App',
        client_id: app.client_id,
        link: expect.stringMatching(/^https:\/\/crm\.example\/credentials\/crm_ln_[0-9a-f]{96}$/),
        address: '192.0.2.7',
      },
    ])
  })

  test('accepts a client_id in upper case', async () => {
    const { app, request, ...base } = await withApp()
    const rotated = await rotateApp(
      base.ports,
      { ...request, client_id: app.client_id.toUpperCase() },
      ORIGIN,
    )
    expect(rotated).toEqual({ client_id: app.client_id })
  })

  test('mails a link that issues a different secret', async () => {
    const { app, request, ...base } = await withApp()
    await rotateApp(base.ports, request, ORIGIN)
    const [token] = await readMailedTokens(base)
    const issued = await issueSecret(base.ports, token!)
    expect(issued!.client_secret).not.toBe(app.client_secret)
    expect((await findAppById(base, app.client_id))!.secret_hash).toBe(
      base.ports.secrets.hash(issued!.client_secret),
    )
  })

  test('invalidates a secret issued after the last rotation', async () => {
    const { app, request, ...base } = await withApp()
    await rotateApp(base.ports, request, ORIGIN)
    await issueSecret(base.ports, (await readMailedTokens(base))[0]!)
    await rotateApp(base.ports, request, ORIGIN)
    expect((await findAppById(base, app.client_id))!.secret_hash).toBeNull()
  })

  test('invalidates earlier links of the app, but not those of other apps', async () => {
    const { request, ...base } = await withApp()
    const otherApp = await registerApp(base.ports, { ...APP, email: 'other@app.example' }, ORIGIN)
    const [otherLink] = await readMailedTokens(base)
    await rotateApp(base.ports, request, ORIGIN)
    const [firstLink] = await readMailedTokens(base)
    await rotateApp(base.ports, request, ORIGIN)
    const [secondLink] = await readMailedTokens(base)
    expect(await issueSecret(base.ports, firstLink!)).toBeUndefined()
    expect(await findAppByLink(base.ports, secondLink!)).toEqual({
      client_id: request.client_id,
      name: 'App',
    })
    expect(await findAppByLink(base.ports, otherLink!)).toEqual({
      client_id: otherApp.client_id,
      name: 'App',
    })
  })

  test('mails another link for an app that is not active yet and leaves it inactive', async () => {
    const base = await createTestCrm()
    const { client_id } = await registerApp(base.ports, APP, ORIGIN)
    const [firstLink] = await readMailedTokens(base)
    await rotateApp(base.ports, { client_id, email: APP.email }, ORIGIN)
    expect(await findAppById(base, client_id)).toMatchObject({ secret_hash: null, active: false })
    const [secondLink] = await readMailedTokens(base)
    expect(await issueSecret(base.ports, firstLink!)).toBeUndefined()
    expect(await issueSecret(base.ports, secondLink!)).toMatchObject({ client_id })
    expect(await findAppById(base, client_id)).toMatchObject({ active: true })
  })

  test('rejects a wrong e-mail address like an unknown app, and changes and mails nothing', async () => {
    const { app, request, ...base } = await withApp()
    const wrongRequests = [
      { ...request, email: 'ann@app.example' },
      { ...request, client_id: UNKNOWN_ID },
      { ...request, client_id: 'app' },
      { ...request, client_id: `${app.client_id} ` },
      { ...request, client_id: '\ud800\0' },
      { ...request, client_id: "' or 1=1 --" },
    ]
    for (const wrongRequest of wrongRequests)
      expect(await catchRejection(rotateApp(base.ports, wrongRequest, ORIGIN))).toEqual(NO_CLIENT)
    expect((await findAppById(base, app.client_id))!.secret_hash).toBe(
      base.ports.secrets.hash(app.client_secret),
    )
    expect(await sendAllMail(base.crm)).toEqual([])
    await rotateApp(base.ports, request, ORIGIN)
    expect(await sendAllMail(base.crm)).toHaveLength(1)
  })

  test.each([
    [{}, { client_id: 'Required.', email: 'Required.' }],
    [
      { client_id: '', email: '' },
      { client_id: 'Required.', email: 'Must be an e-mail address.' },
    ],
    [
      { client_id: 5, email: null },
      { client_id: 'Must be a string.', email: 'Must not be null.' },
    ],
    [{ client_id: UNKNOWN_ID, email: 'a@b.co', client_secret: 'x' }, { client_secret: 'Unknown field.' }],
    [[], { body: 'Must be an object.' }],
    ['x', { body: 'Must be an object.' }],
  ])('rejects %j', async (input, fields) => {
    const { ports } = await createTestCrm()
    const error = await catchRejection(rotateApp(ports, input, ORIGIN))
    expect(error).toEqual({ code: 'invalid_request', message: 'The request is invalid.', fields })
  })

  test('is limited to ten per hour and app', async () => {
    const { app, request, ...base } = await withApp()
    const otherApp = await base.crm.operator.createApp(APP)
    for (let nth = 0; nth < 10; nth += 1) await rotateApp(base.ports, request, ORIGIN)
    await issueSecret(base.ports, (await readMailedTokens(base)).at(-1)!)
    const sameApp = { client_id: app.client_id.toUpperCase(), email: APP.email }
    expect(await catchRejection(rotateApp(base.ports, sameApp, { ...ORIGIN, address: '192.0.2.8' }))).toEqual(
      rateLimitError(3600),
    )
    expect((await findAppById(base, app.client_id))!.secret_hash).not.toBeNull()
    expect(await sendAllMail(base.crm)).toEqual([])
    await rotateApp(base.ports, { ...request, client_id: otherApp.client_id }, ORIGIN)
    base.clock.advance(3600)
    expect(await rotateApp(base.ports, request, ORIGIN)).toEqual({ client_id: app.client_id })
  })

  test('is limited to twenty mails per hour and e-mail address, across apps', async () => {
    const { app, request, ...base } = await withApp()
    const [secondApp, thirdApp] = [
      await base.crm.operator.createApp(APP),
      await base.crm.operator.createApp({ ...APP, email: 'DEV@app.example' }),
    ]
    const otherOwnerApp = await base.crm.operator.createApp({ ...APP, email: 'ann@app.example' })
    for (const client_id of [app.client_id, secondApp.client_id]) {
      for (let nth = 0; nth < 10; nth += 1) await rotateApp(base.ports, { ...request, client_id }, ORIGIN)
    }
    const thirdRequest = { client_id: thirdApp.client_id, email: 'DEV@app.example' }
    expect(await catchRejection(rotateApp(base.ports, thirdRequest, ORIGIN))).toEqual(rateLimitError(3600))
    expect((await findAppById(base, thirdApp.client_id))!.secret_hash).toBe(
      base.ports.secrets.hash(thirdApp.client_secret),
    )
    await rotateApp(base.ports, { client_id: otherOwnerApp.client_id, email: 'ann@app.example' }, ORIGIN)
    base.clock.advance(3600)
    expect(await rotateApp(base.ports, thirdRequest, ORIGIN)).toEqual({ client_id: thirdApp.client_id })
  })

  test('does not count rejected requests', async () => {
    const { app, request, ...base } = await withApp()
    for (let nth = 0; nth < 20; nth += 1) {
      await catchRejection(rotateApp(base.ports, { ...request, email: 'ann@app.example' }, ORIGIN))
      await catchRejection(rotateApp(base.ports, { ...request, client_id: UNKNOWN_ID }, ORIGIN))
    }
    expect(await rotateApp(base.ports, request, ORIGIN)).toEqual({ client_id: app.client_id })
  })

  test('is not limited or counted if rate limits are off', async () => {
    const { app, request, ...base } = await withApp()
    for (let nth = 0; nth < 30; nth += 1)
      await rotateApp(base.ports, request, { ...ORIGIN, isRateLimited: false })
    for (let nth = 0; nth < 10; nth += 1)
      await rotateApp(base.ports, request, { ...ORIGIN, isRateLimited: true })
    expect(await catchRejection(rotateApp(base.ports, request, { ...ORIGIN, isRateLimited: true }))).toEqual(
      rateLimitError(3600),
    )
    expect(await rotateApp(base.ports, request, { ...ORIGIN, isRateLimited: false })).toEqual({
      client_id: app.client_id,
    })
  })

  test('does not query the store for a malformed client_id', async () => {
    const memory = memoryStorage()
    const strict = (apps: RecordStore<App>) => ({
      ...apps,
      get: async () => Promise.reject(new Error('invalid input syntax for type uuid')),
    })
    const storage: Storage = {
      ...memory,
      read: (work) => memory.read((tx) => work({ ...tx, apps: strict(tx.apps) })),
    }
    const { ports } = await createTestCrm({ storage })
    expect(await catchRejection(rotateApp(ports, { client_id: 'app', email: 'a@b.co' }, ORIGIN))).toEqual(
      NO_CLIENT,
    )
  })

  test('leaves no earlier secret valid when one is issued concurrently', async () => {
    const { app, request, ...base } = await withApp()
    await rotateApp(base.ports, request, ORIGIN)
    const [token] = await readMailedTokens(base)
    await Promise.all([
      issueSecret(base.ports, token!),
      rotateApp(base.ports, request, ORIGIN),
      issueSecret(base.ports, token!),
    ])
    expect((await findAppById(base, app.client_id))!.secret_hash).toBeNull()
    expect(await findAppByLink(base.ports, token!)).toBeUndefined()
  })
})
