import { describe, expect, test } from 'vitest'
import { catchRejection, createTestCrm, NOON, type TestCrm } from '../../../../test/harness.ts'
import { sendAllMail } from '../../../../test/mail.ts'
import { SCOPES } from '../../../kernel/actor.ts'
import { memoryStorage } from '../../../memory/index.ts'
import { CONFIDENTIAL_DEFAULTS } from './app.ts'
import { registerApp } from './register-app.ts'

const ORIGIN = { address: '192.0.2.7', language: 'pt-BR' }
const APP = {
  name: 'App',
  email: 'Dev@App.example',
  redirect_uris: ['https://app.example/back?x=1'],
  scopes: ['tasks:read', 'people:read'],
}

const findApps = ({ storage }: TestCrm) => storage.read((tx) => tx.apps.find([]))
const findLinks = ({ storage }: TestCrm) => storage.read((tx) => tx.one_time_links.find([]))

describe('registerApp', () => {
  test('creates an inactive app without a secret', async () => {
    const base = await createTestCrm()
    const app = await registerApp(base.ports, { ...APP, name: ' App ' }, ORIGIN)
    expect(app).toEqual({ client_id: app.client_id, ...APP, created_at: NOON })
    expect(await findApps(base)).toEqual([
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

  test('mails the owner a link and stores only its hash', async () => {
    const base = await createTestCrm()
    const { client_id } = await registerApp(base.ports, APP, ORIGIN)
    const stored = await base.storage.read(async (tx) =>
      JSON.stringify([await tx.one_time_links.find([]), await tx.queued_mail.find([])]),
    )
    const [mail, ...otherMails] = await sendAllMail(base.crm)
    expect(otherMails).toEqual([])
    expect(mail).toEqual({
      kind: 'app_registered',
      to: 'Dev@App.example',
      language: 'pt-BR',
      app_name: 'App',
      client_id,
      link: expect.stringMatching(/^https:\/\/crm\.example\/credentials\/crm_ln_[0-9a-f]{96}$/),
      address: '192.0.2.7',
    })
    const token = (mail as { link: string }).link.split('/').at(-1)!
    expect(stored).not.toContain(token)
    expect(stored).not.toContain(token.slice(-64))
    expect(await findLinks(base)).toEqual([
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

  test('returns the same response for a known e-mail address and creates another app', async () => {
    const base = await createTestCrm()
    const { client_secret: _, ...knownApp } = await base.crm.operator.createApp(APP)
    const app = await registerApp(base.ports, APP, ORIGIN)
    expect(app).toEqual({ ...knownApp, client_id: app.client_id })
    expect(app.client_id).not.toBe(knownApp.client_id)
  })

  test('reports every invalid and unknown field, and creates and mails nothing', async () => {
    const base = await createTestCrm()
    const input = {
      name: 'x'.repeat(81),
      email: 'dev@',
      redirect_uris: [],
      scopes: ['tasks:read', 'tasks:delete'],
      client_id: '1',
      nam: 1,
    }
    expect(await catchRejection(registerApp(base.ports, input, ORIGIN))).toEqual({
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
    expect([await findApps(base), await findLinks(base), await sendAllMail(base.crm)]).toEqual([[], [], []])
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
  ])('rejects %j', async (input, fields) => {
    const { ports } = await createTestCrm()
    expect(await catchRejection(registerApp(ports, input, ORIGIN))).toMatchObject({
      code: 'invalid_request',
      fields,
    })
  })

  test('mails an e-mail address at most three times an hour, whatever its case and the sender', async () => {
    const base = await createTestCrm()
    const originAt = (nth: number) => ({ ...ORIGIN, address: `192.0.2.${nth}` })
    for (const [nth, email] of ['dev@app.example', 'DEV@app.example', 'dev@APP.example'].entries()) {
      await registerApp(base.ports, { ...APP, email }, originAt(nth))
    }
    base.clock.advance(600)
    expect(await catchRejection(registerApp(base.ports, APP, originAt(9)))).toEqual({
      code: 'rate_limit_exceeded',
      message: 'Rate limit exceeded. Try again in 3000 seconds.',
    })
    await registerApp(base.ports, { ...APP, email: 'other@app.example' }, ORIGIN)
    expect(await findApps(base)).toHaveLength(4)
    expect(await sendAllMail(base.crm)).toHaveLength(4)
    base.clock.advance(3000)
    await registerApp(base.ports, APP, ORIGIN)
    expect(await sendAllMail(base.crm)).toHaveLength(1)
  })

  test('is not limited or counted if rate limits are off', async () => {
    const base = await createTestCrm()
    for (let nth = 0; nth < 20; nth += 1)
      await registerApp(base.ports, APP, { ...ORIGIN, isRateLimited: false })
    expect(await sendAllMail(base.crm)).toHaveLength(20)
    for (let nth = 0; nth < 3; nth += 1)
      await registerApp(base.ports, APP, { ...ORIGIN, isRateLimited: true })
    expect(
      await catchRejection(registerApp(base.ports, APP, { ...ORIGIN, isRateLimited: true })),
    ).toHaveProperty('code', 'rate_limit_exceeded')
    await registerApp(base.ports, APP, { ...ORIGIN, isRateLimited: false })
  })

  test('does not count invalid requests', async () => {
    const { ports } = await createTestCrm()
    for (let nth = 0; nth < 5; nth += 1)
      await catchRejection(registerApp(ports, { ...APP, name: '' }, ORIGIN))
    expect(await registerApp(ports, APP, ORIGIN)).toMatchObject(APP)
  })

  test('stores the app, the link and the mail in one transaction', async () => {
    const memory = memoryStorage()
    const base = await createTestCrm({
      storage: {
        ...memory,
        transact: (work) =>
          memory.transact((tx) => {
            const insert: typeof tx.queued_mail.insert = async () => {
              throw new Error('disk I/O error')
            }
            return work({ ...tx, queued_mail: { ...tx.queued_mail, insert } })
          }),
      },
    })
    await expect(registerApp(base.ports, APP, ORIGIN)).rejects.toThrow('disk I/O error')
    expect([await findApps(base), await findLinks(base)]).toEqual([[], []])
  })
})
