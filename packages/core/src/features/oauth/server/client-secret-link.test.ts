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

async function registered() {
  const base = await createTestCrm()
  const { client_id } = await registerApp(base.ports, APP, FROM)
  const [letter] = await sendAllMail(base.crm)
  const token = (letter as { link: string }).link.split('/').at(-1)!
  return { ...base, client_id, token }
}

const appOf = ({ storage, client_id }: TestCrm & { client_id: string }) =>
  storage.read((tx) => tx.apps.get(client_id))

describe('a mailed link', () => {
  test('is looked at as often as one likes, and gives its secret once', async () => {
    const base = await registered()
    const { ports, client_id, token } = base
    for (let looks = 0; looks < 5; looks += 1)
      expect(await findAppByLink(ports, token)).toEqual({ client_id, name: 'App' })
    expect(await appOf(base)).toMatchObject({ secret_hash: null, active: false })
    base.clock.advance(60)
    const taken = await issueSecret(ports, token)
    expect(taken).toEqual({ client_id, name: 'App', client_secret: expect.stringMatching(/^[0-9a-f]{64}$/) })
    expect(await appOf(base)).toMatchObject({
      secret_hash: secrets.hash(taken!.client_secret),
      active: true,
      updated_at: '2026-03-01T12:01:00.000Z',
    })
    expect([await findAppByLink(ports, token), await issueSecret(ports, token)]).toEqual([
      undefined,
      undefined,
    ])
    expect((await appOf(base))!.secret_hash).toBe(secrets.hash(taken!.client_secret))
  })

  test('gives one secret to twenty at once', async () => {
    const base = await registered()
    const taken = await Promise.all(Array.from({ length: 20 }, () => issueSecret(base.ports, base.token)))
    const [one, ...others] = taken.filter((each) => each !== undefined)
    expect(others).toEqual([])
    expect((await appOf(base))!.secret_hash).toBe(secrets.hash(one!.client_secret))
  })

  test('is good for fifteen minutes', async () => {
    const base = await registered()
    base.clock.advance(15 * 60 - 1)
    expect(await findAppByLink(base.ports, base.token)).toMatchObject({ name: 'App' })
    base.clock.advance(1)
    expect(await findAppByLink(base.ports, base.token)).toBeUndefined()
    expect(await issueSecret(base.ports, base.token)).toBeUndefined()
    base.clock.advance(-1)
    expect(await issueSecret(base.ports, base.token)).toMatchObject({ name: 'App' })
  })

  test('is good for nothing when it is not to the letter the one that was mailed', async () => {
    const base = await registered()
    const { ports, token } = base
    const last = token.endsWith('0') ? '1' : '0'
    const wrong = [
      '',
      'crm_ln_',
      token.slice(0, -1),
      `${token}0`,
      ` ${token}`,
      token.slice(0, -1) + last,
      token.toUpperCase(),
      token.replace('crm_ln_', 'crm_in_'),
      token.replace('crm_ln_', ''),
      `crm_ln_${'f'.repeat(96)}`,
      '\ud800',
    ]
    for (const text of wrong)
      expect([await findAppByLink(ports, text), await issueSecret(ports, text)]).toEqual([
        undefined,
        undefined,
      ])
    expect(await issueSecret(ports, token)).toMatchObject({ name: 'App' })
  })

  test('of another purpose gives no secret', async () => {
    const base = await registered()
    const { ports, storage, client_id } = base
    const id = ports.newId()
    const token = createOpaqueToken('crm_ln_', [id], ports.random)
    const [good] = await storage.read((tx) =>
      tx.one_time_links.find([{ field: 'subject_id', is: client_id }]),
    )
    const link: OneTimeLink = { ...good!, id, purpose: 'password_reset', token_hash: secrets.hash(token) }
    await storage.transact((tx) => tx.one_time_links.insert(link))
    expect([await findAppByLink(ports, token), await issueSecret(ports, token)]).toEqual([
      undefined,
      undefined,
    ])
    expect(await storage.read((tx) => tx.one_time_links.get(id))).toEqual(link)
  })

  test('of an app that is no more is good for nothing', async () => {
    const { ports, storage, client_id, token } = await registered()
    await storage.transact((tx) => tx.apps.hardDelete(client_id))
    expect([await findAppByLink(ports, token), await issueSecret(ports, token)]).toEqual([
      undefined,
      undefined,
    ])
  })
})
