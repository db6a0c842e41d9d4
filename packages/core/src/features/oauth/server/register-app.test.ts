import { describe, expect, test } from 'vitest'
import { catchRejection, createTestCrm, NOON, type TestCrm } from '../../../../test/harness.ts'
import { sendAllMail } from '../../../../test/mail.ts'
import { SCOPES } from '../../../kernel/actor.ts'
import { memoryStorage } from '../../../memory/index.ts'
import { CONFIDENTIAL_DEFAULTS } from './app.ts'
import { registerApp } from './register-app.ts'

const FROM = { address: '192.0.2.7', language: 'pt-BR' }
const APP = {
  name: 'App',
  email: 'Dev@App.example',
  redirect_uris: ['https://app.example/back?x=1'],
  scopes: ['tasks:read', 'people:read'],
}

const appsOf = ({ storage }: TestCrm) => storage.read((tx) => tx.apps.find([]))
const linksOf = ({ storage }: TestCrm) => storage.read((tx) => tx.one_time_links.find([]))

describe('registering an app', () => {
  test('makes one that is not active and has no secret yet', async () => {
    const base = await createTestCrm()
    const app = await registerApp(base.ports, { ...APP, name: ' App ' }, FROM)
    expect(app).toEqual({ client_id: app.client_id, ...APP, created_at: NOON })
    expect(await appsOf(base)).toEqual([
      {
        id: app.client_id,
        ...APP,
        ...CONFIDENTIAL_DEFAULTS,
        secret_hash: null,
        active: false,
        created_at: NOON,
        updated_at: NOON,
      },
    ])
  })

  test('mails its owner a link, of which only a hash is kept', async () => {
    const base = await createTestCrm()
    const { client_id } = await registerApp(base.ports, APP, FROM)
    const stored = await base.storage.read(async (tx) =>
      JSON.stringify([await tx.one_time_links.find([]), await tx.queued_mail.find([])]),
    )
    const [letter, ...others] = await sendAllMail(base.crm)
    expect(others).toEqual([])
    expect(letter).toEqual({
      kind: 'app_registered',
      to: 'Dev@App.example',
      language: 'pt-BR',
      app_name: 'App',
      client_id,
      link: expect.stringMatching(/^https:\/\/crm\.example\/credentials\/crm_ln_[0-9a-f]{96}$/),
      address: '192.0.2.7',
    })
    const token = (letter as { link: string }).link.split('/').at(-1)!
    expect(stored).not.toContain(token)
    expect(stored).not.toContain(token.slice(-64))
    expect(await linksOf(base)).toEqual([
      {
        id: expect.any(String),
        purpose: 'credentials',
        subject_id: client_id,
        token_hash: base.ports.secrets.hash(token),
        expires_at: '2026-03-01T12:15:00.000Z',
        created_at: NOON,
        updated_at: NOON,
      },
    ])
  })

  test('for an address that is known is answered the same, and makes another app', async () => {
    const base = await createTestCrm()
    const { client_secret: _, ...known } = await base.crm.operator.createApp(APP)
    const app = await registerApp(base.ports, APP, FROM)
    expect(app).toEqual({ ...known, client_id: app.client_id })
    expect(app.client_id).not.toBe(known.client_id)
  })

  test('reports every bad and every unknown field, and makes and mails nothing', async () => {
    const base = await createTestCrm()
    const sent = {
      name: 'x'.repeat(81),
      email: 'dev@',
      redirect_uris: [],
      scopes: ['tasks:read', 'tasks:delete'],
      client_id: '1',
      nam: 1,
    }
    expect(await catchRejection(registerApp(base.ports, sent, FROM))).toEqual({
      code: 'invalid_request',
      message: 'The request is invalid.',
      fields: {
        name: 'Must be between 1 and 80 characters.',
        email: 'Must be an e-mail address.',
        redirect_uris: 'Must have between 1 and 10 URIs.',
        'scopes[1]': `Unknown scope: "tasks:delete". Must be one of: ${SCOPES.join(', ')}.`,
        client_id: 'Unknown field.',
        nam: 'Unknown field. Did you mean "name"?',
      },
    })
    expect([await appsOf(base), await linksOf(base), await sendAllMail(base.crm)]).toEqual([[], [], []])
  })

  test.each([
    [{}, { name: 'Required.', email: 'Required.', redirect_uris: 'Required.', scopes: 'Required.' }],
    [
      { ...APP, name: null, email: 5 },
      { name: 'Must not be null.', email: 'Must be a string.' },
    ],
    [
      { ...APP, email: 'dev@app.example\r\nBcc: x@y.example' },
      { email: 'Must not contain control characters.' },
    ],
    [{ ...APP, email: 'dev@app.example,x@y.example' }, { email: 'Must be an e-mail address.' }],
    [
      { ...APP, name: 'Log in at www.evil.example' },
      { name: 'Must not read as an address: no "://", "www." or "@".' },
    ],
    [{ ...APP, redirect_uris: 'https://a.co' }, { redirect_uris: 'Must be an array.' }],
    [
      { ...APP, redirect_uris: Array(11).fill('https://a.co') },
      { redirect_uris: 'Must have between 1 and 10 URIs.' },
    ],
    [
      { ...APP, redirect_uris: ['https://a.co', 'https://b.co', ' https://a.co '] },
      { redirect_uris: 'Must name none of the URIs twice.' },
    ],
    [{ ...APP, scopes: ['tasks:read', 'tasks:read'] }, { scopes: 'Must name none of the scopes twice.' }],
    [{ ...APP, scopes: [] }, { scopes: `Must have between 1 and ${SCOPES.length} scopes.` }],
    [null, { body: 'Must not be null.' }],
    ['x', { body: 'Must be an object.' }],
    [undefined, { body: 'Required.' }],
  ])('with %j is an invalid request', async (sent, fields) => {
    const { ports } = await createTestCrm()
    expect(await catchRejection(registerApp(ports, sent, FROM))).toMatchObject({
      code: 'invalid_request',
      fields,
    })
  })

  test('mails one address three times an hour at most, however it is written and whoever asks', async () => {
    const base = await createTestCrm()
    const from = (nth: number) => ({ ...FROM, address: `192.0.2.${nth}` })
    for (const [nth, email] of ['dev@app.example', 'DEV@app.example', 'dev@APP.example'].entries()) {
      await registerApp(base.ports, { ...APP, email }, from(nth))
    }
    base.clock.advance(600)
    expect(await catchRejection(registerApp(base.ports, APP, from(9)))).toEqual({
      code: 'rate_limit_exceeded',
      message: 'Rate limit exceeded. Try again in 3000 seconds.',
    })
    await registerApp(base.ports, { ...APP, email: 'other@app.example' }, FROM)
    expect(await appsOf(base)).toHaveLength(4)
    expect(await sendAllMail(base.crm)).toHaveLength(4)
    base.clock.advance(3000)
    await registerApp(base.ports, APP, FROM)
    expect(await sendAllMail(base.crm)).toHaveLength(1)
  })

  test('is done as often as one likes where limits are switched off, and uses up none of them', async () => {
    const base = await createTestCrm()
    for (let nth = 0; nth < 20; nth += 1)
      await registerApp(base.ports, APP, { ...FROM, isRateLimited: false })
    expect(await sendAllMail(base.crm)).toHaveLength(20)
    for (let nth = 0; nth < 3; nth += 1) await registerApp(base.ports, APP, { ...FROM, isRateLimited: true })
    expect(
      await catchRejection(registerApp(base.ports, APP, { ...FROM, isRateLimited: true })),
    ).toHaveProperty('code', 'rate_limit_exceeded')
    await registerApp(base.ports, APP, { ...FROM, isRateLimited: false })
  })

  test('that is refused for what was sent uses up none of them', async () => {
    const { ports } = await createTestCrm()
    for (let tries = 0; tries < 5; tries += 1)
      await catchRejection(registerApp(ports, { ...APP, name: '' }, FROM))
    expect(await registerApp(ports, APP, FROM)).toMatchObject(APP)
  })

  test('keeps app, link and letter together or not at all', async () => {
    const sound = memoryStorage()
    const base = await createTestCrm({
      storage: {
        ...sound,
        transact: (work) =>
          sound.transact((tx) => {
            const insert: typeof tx.queued_mail.insert = async () => {
              throw new Error('disk I/O error')
            }
            return work({ ...tx, queued_mail: { ...tx.queued_mail, insert } })
          }),
      },
    })
    await expect(registerApp(base.ports, APP, FROM)).rejects.toThrow('disk I/O error')
    expect([await appsOf(base), await linksOf(base)]).toEqual([[], []])
  })
})
