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

const FROM = { address: '192.0.2.7', language: 'en' }
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
  return { ...base, app, asked: { client_id: app.client_id, email: 'dev@APP.example' } }
}

function waiting(seconds: number) {
  return { code: 'rate_limit_exceeded', message: `Rate limit exceeded. Try again in ${seconds} seconds.` }
}

const appNamed = ({ storage }: TestCrm, id: string) => storage.read((tx) => tx.apps.get(id))

async function linksMailed({ crm }: TestCrm): Promise<string[]> {
  return (await sendAllMail(crm)).map((letter) => (letter as { link: string }).link.split('/').at(-1)!)
}

describe('rotating an app', () => {
  test('ends its secret at once and mails its owner a link, with the address of whoever asked', async () => {
    const { app, asked, ...base } = await withApp()
    base.clock.advance(60)
    expect(await rotateApp(base.ports, asked, FROM)).toEqual({ client_id: app.client_id })
    expect(await appNamed(base, app.client_id)).toMatchObject({
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

  test('takes a client_id in capitals', async () => {
    const { app, asked, ...base } = await withApp()
    const rotated = await rotateApp(base.ports, { ...asked, client_id: app.client_id.toUpperCase() }, FROM)
    expect(rotated).toEqual({ client_id: app.client_id })
  })

  test('makes another secret', async () => {
    const { app, asked, ...base } = await withApp()
    await rotateApp(base.ports, asked, FROM)
    const [token] = await linksMailed(base)
    const taken = await issueSecret(base.ports, token!)
    expect(taken!.client_secret).not.toBe(app.client_secret)
    expect((await appNamed(base, app.client_id))!.secret_hash).toBe(
      base.ports.secrets.hash(taken!.client_secret),
    )
  })

  test('ends a secret that was taken after the last rotation', async () => {
    const { app, asked, ...base } = await withApp()
    await rotateApp(base.ports, asked, FROM)
    await issueSecret(base.ports, (await linksMailed(base))[0]!)
    await rotateApp(base.ports, asked, FROM)
    expect((await appNamed(base, app.client_id))!.secret_hash).toBeNull()
  })

  test('makes the links before good for nothing, and those of no other app', async () => {
    const { asked, ...base } = await withApp()
    const other = await registerApp(base.ports, { ...APP, email: 'other@app.example' }, FROM)
    const [others] = await linksMailed(base)
    await rotateApp(base.ports, asked, FROM)
    const [first] = await linksMailed(base)
    await rotateApp(base.ports, asked, FROM)
    const [second] = await linksMailed(base)
    expect(await issueSecret(base.ports, first!)).toBeUndefined()
    expect(await findAppByLink(base.ports, second!)).toEqual({ client_id: asked.client_id, name: 'App' })
    expect(await findAppByLink(base.ports, others!)).toEqual({ client_id: other.client_id, name: 'App' })
  })

  test('that was not active yet sends another link, and leaves it so', async () => {
    const base = await createTestCrm()
    const { client_id } = await registerApp(base.ports, APP, FROM)
    const [first] = await linksMailed(base)
    await rotateApp(base.ports, { client_id, email: APP.email }, FROM)
    expect(await appNamed(base, client_id)).toMatchObject({ secret_hash: null, active: false })
    const [second] = await linksMailed(base)
    expect(await issueSecret(base.ports, first!)).toBeUndefined()
    expect(await issueSecret(base.ports, second!)).toMatchObject({ client_id })
    expect(await appNamed(base, client_id)).toMatchObject({ active: true })
  })

  test('with an e-mail that is not its own is refused as one that does not exist, and changes and mails nothing', async () => {
    const { app, asked, ...base } = await withApp()
    const wrong = [
      { ...asked, email: 'ann@app.example' },
      { ...asked, client_id: UNKNOWN_ID },
      { ...asked, client_id: 'app' },
      { ...asked, client_id: `${app.client_id} ` },
      { ...asked, client_id: '\ud800\0' },
      { ...asked, client_id: "' or 1=1 --" },
    ]
    for (const sent of wrong)
      expect(await catchRejection(rotateApp(base.ports, sent, FROM))).toEqual(NO_CLIENT)
    expect((await appNamed(base, app.client_id))!.secret_hash).toBe(
      base.ports.secrets.hash(app.client_secret),
    )
    expect(await sendAllMail(base.crm)).toEqual([])
    await rotateApp(base.ports, asked, FROM)
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
    [[], { client_id: 'Required.', email: 'Required.' }],
    ['x', { body: 'Must be an object.' }],
  ])('with %j is an invalid request', async (sent, fields) => {
    const { ports } = await createTestCrm()
    const refusal = await catchRejection(rotateApp(ports, sent, FROM))
    expect(refusal).toEqual({ code: 'invalid_request', message: 'The request is invalid.', fields })
  })

  test('happens to one app ten times an hour at most', async () => {
    const { app, asked, ...base } = await withApp()
    const other = await base.crm.operator.createApp(APP)
    for (let nth = 0; nth < 10; nth += 1) await rotateApp(base.ports, asked, FROM)
    await issueSecret(base.ports, (await linksMailed(base)).at(-1)!)
    const again = { client_id: app.client_id.toUpperCase(), email: APP.email }
    expect(await catchRejection(rotateApp(base.ports, again, { ...FROM, address: '192.0.2.8' }))).toEqual(
      waiting(3600),
    )
    expect((await appNamed(base, app.client_id))!.secret_hash).not.toBeNull()
    expect(await sendAllMail(base.crm)).toEqual([])
    await rotateApp(base.ports, { ...asked, client_id: other.client_id }, FROM)
    base.clock.advance(3600)
    expect(await rotateApp(base.ports, asked, FROM)).toEqual({ client_id: app.client_id })
  })

  test('is mailed to one address twenty times an hour at most, whatever the apps', async () => {
    const { app, asked, ...base } = await withApp()
    const [other, third] = [
      await base.crm.operator.createApp(APP),
      await base.crm.operator.createApp({ ...APP, email: 'DEV@app.example' }),
    ]
    const elses = await base.crm.operator.createApp({ ...APP, email: 'ann@app.example' })
    for (const client_id of [app.client_id, other.client_id]) {
      for (let nth = 0; nth < 10; nth += 1) await rotateApp(base.ports, { ...asked, client_id }, FROM)
    }
    const once = { client_id: third.client_id, email: 'DEV@app.example' }
    expect(await catchRejection(rotateApp(base.ports, once, FROM))).toEqual(waiting(3600))
    expect((await appNamed(base, third.client_id))!.secret_hash).toBe(
      base.ports.secrets.hash(third.client_secret),
    )
    await rotateApp(base.ports, { client_id: elses.client_id, email: 'ann@app.example' }, FROM)
    base.clock.advance(3600)
    expect(await rotateApp(base.ports, once, FROM)).toEqual({ client_id: third.client_id })
  })

  test('that is refused uses up no rotation of whoever owns the app', async () => {
    const { app, asked, ...base } = await withApp()
    for (let nth = 0; nth < 20; nth += 1) {
      await catchRejection(rotateApp(base.ports, { ...asked, email: 'ann@app.example' }, FROM))
      await catchRejection(rotateApp(base.ports, { ...asked, client_id: UNKNOWN_ID }, FROM))
    }
    expect(await rotateApp(base.ports, asked, FROM)).toEqual({ client_id: app.client_id })
  })

  test('happens as often as one likes where limits are switched off, and uses up none of them', async () => {
    const { app, asked, ...base } = await withApp()
    for (let nth = 0; nth < 30; nth += 1)
      await rotateApp(base.ports, asked, { ...FROM, isRateLimited: false })
    for (let nth = 0; nth < 10; nth += 1) await rotateApp(base.ports, asked, { ...FROM, isRateLimited: true })
    expect(await catchRejection(rotateApp(base.ports, asked, { ...FROM, isRateLimited: true }))).toEqual(
      waiting(3600),
    )
    expect(await rotateApp(base.ports, asked, { ...FROM, isRateLimited: false })).toEqual({
      client_id: app.client_id,
    })
  })

  test('with a client_id that no app can have does not trouble the store with it', async () => {
    const sound = memoryStorage()
    const strict = (apps: RecordStore<App>) => ({
      ...apps,
      get: async () => Promise.reject(new Error('invalid input syntax for type uuid')),
    })
    const storage: Storage = {
      ...sound,
      read: (work) => sound.read((tx) => work({ ...tx, apps: strict(tx.apps) })),
    }
    const { ports } = await createTestCrm({ storage })
    expect(await catchRejection(rotateApp(ports, { client_id: 'app', email: 'a@b.co' }, FROM))).toEqual(
      NO_CLIENT,
    )
  })

  test('at once with taking its secret leaves no secret behind from before', async () => {
    const { app, asked, ...base } = await withApp()
    await rotateApp(base.ports, asked, FROM)
    const [token] = await linksMailed(base)
    await Promise.all([
      issueSecret(base.ports, token!),
      rotateApp(base.ports, asked, FROM),
      issueSecret(base.ports, token!),
    ])
    expect((await appNamed(base, app.client_id))!.secret_hash).toBeNull()
    expect(await findAppByLink(base.ports, token!)).toBeUndefined()
  })
})
