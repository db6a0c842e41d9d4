import { describe, expect, test } from 'vitest'
import { createTestCrm, secrets, type TestCrm } from '../../../../test/harness.ts'
import { sendAllMail } from '../../../../test/mail.ts'
import { createOpaqueToken } from '../../../engine/opaque-token.ts'
import type { OneTimeLink } from '../../../schema/one-time-link.ts'
import { findAppByLink, issueSecret } from './client-secret-link.ts'
import { registerApp } from './register-app.ts'

const FROM = { address: '192.0.2.7', language: 'en' }
const APP = {
  name: 'App',
  email: 'dev@app.example',
  redirect_uris: ['https://app.example/back'],
  scopes: ['tasks:read'],
}

async function registerTestApp() {
  const base = await createTestCrm()
  const { client_id } = await registerApp(base.ports, APP, FROM)
  const [mail] = await sendAllMail(base.crm)
  const token = (mail as { link: string }).link.split('/').at(-1)!
  return { ...base, client_id, token }
}

const findApp = ({ storage, client_id }: TestCrm & { client_id: string }) =>
  storage.read((tx) => tx.apps.get(client_id))

describe('a mailed client secret link', () => {
  test('can be opened repeatedly and issues its secret once', async () => {
    const base = await registerTestApp()
    const { ports, client_id, token } = base
    for (let nth = 0; nth < 5; nth += 1)
      expect(await findAppByLink(ports, token)).toEqual({ client_id, name: 'App' })
    expect(await findApp(base)).toMatchObject({ secret_hash: null, active: false })
    base.clock.advance(60)
    const issued = await issueSecret(ports, token)
    expect(issued).toEqual({ client_id, name: 'App', client_secret: expect.stringMatching(/^[0-9a-f]{64}$/) })
    expect(await findApp(base)).toMatchObject({
      secret_hash: secrets.hash(issued!.client_secret),
      active: true,
      updated_at: '2026-03-01T12:01:00.000Z',
    })
    expect([await findAppByLink(ports, token), await issueSecret(ports, token)]).toEqual([
      undefined,
      undefined,
    ])
    expect((await findApp(base))!.secret_hash).toBe(secrets.hash(issued!.client_secret))
  })

  test('issues one secret for twenty concurrent requests', async () => {
    const base = await registerTestApp()
    const results = await Promise.all(Array.from({ length: 20 }, () => issueSecret(base.ports, base.token)))
    const [issued, ...others] = results.filter((result) => result !== undefined)
    expect(others).toEqual([])
    expect((await findApp(base))!.secret_hash).toBe(secrets.hash(issued!.client_secret))
  })

  test('expires after fifteen minutes', async () => {
    const base = await registerTestApp()
    base.clock.advance(15 * 60 - 1)
    expect(await findAppByLink(base.ports, base.token)).toMatchObject({ name: 'App' })
    base.clock.advance(1)
    expect(await findAppByLink(base.ports, base.token)).toBeUndefined()
    expect(await issueSecret(base.ports, base.token)).toBeUndefined()
    base.clock.advance(-1)
    expect(await issueSecret(base.ports, base.token)).toMatchObject({ name: 'App' })
  })

  test('is rejected unless the token matches exactly', async () => {
    const base = await registerTestApp()
    const { ports, token } = base
    const otherLastDigit = token.endsWith('0') ? '1' : '0'
    const invalidTokens = [
      '',
      'crm_ln_',
      token.slice(0, -1),
      `${token}0`,
      ` ${token}`,
      token.slice(0, -1) + otherLastDigit,
      token.toUpperCase(),
      token.replace('crm_ln_', 'crm_in_'),
      token.replace('crm_ln_', ''),
      `crm_ln_${'f'.repeat(96)}`,
      '\ud800',
    ]
    for (const invalidToken of invalidTokens)
      expect([await findAppByLink(ports, invalidToken), await issueSecret(ports, invalidToken)]).toEqual([
        undefined,
        undefined,
      ])
    expect(await issueSecret(ports, token)).toMatchObject({ name: 'App' })
  })

  test('for another purpose issues no secret', async () => {
    const base = await registerTestApp()
    const { ports, storage, client_id } = base
    const id = ports.newId()
    const token = createOpaqueToken('crm_ln_', [id], ports.random)
    const [credentialsLink] = await storage.read((tx) =>
      tx.one_time_links.find([{ field: 'subject_id', is: client_id }]),
    )
    const link: OneTimeLink = {
      ...credentialsLink!,
      id,
      purpose: 'password_reset',
      token_hash: secrets.hash(token),
    }
    await storage.transact((tx) => tx.one_time_links.insert(link))
    expect([await findAppByLink(ports, token), await issueSecret(ports, token)]).toEqual([
      undefined,
      undefined,
    ])
    expect(await storage.read((tx) => tx.one_time_links.get(id))).toEqual(link)
  })

  test('is rejected after its app was deleted', async () => {
    const { ports, storage, client_id, token } = await registerTestApp()
    await storage.transact((tx) => tx.apps.hardDelete(client_id))
    expect([await findAppByLink(ports, token), await issueSecret(ports, token)]).toEqual([
      undefined,
      undefined,
    ])
  })
})
