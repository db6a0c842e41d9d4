import { describe, expect, test } from 'vitest'
import {
  fakeClock,
  files,
  NOON,
  parseOutboundUrl,
  secrets,
  seededBytes,
  sequentialIds,
  tokens,
} from '../../../../test/harness.ts'
import { memoryStorage } from '../../../memory/index.ts'
import type { Ports } from '../../../ports/index.ts'
import { accessTokens } from './access-tokens.ts'

const grant = { id: 'g', user_id: 'u', client_id: 'c', audience: 'interface' as const }
const CLAIMS = { workspace_id: 'w', client_id: 'c', service_scopes: ['tasks:read'], grant_id: 'g' }
const noon = Date.parse(NOON) / 1000

/** Several processes of one service: one clock, one database. */
function service() {
  const clock = fakeClock(NOON)
  const ports: Ports = {
    storage: memoryStorage(),
    issuer: 'https://crm.example',
    now: clock.now,
    newId: sequentialIds(),
    random: seededBytes(),
    passwords: { hash: async () => '', verify: async () => false },
    secrets,
    tokens,
    sanitizeHtml: (html) => html,
    parseOutboundUrl,
    files,
    fetchDocument: async () => undefined,
  }
  return { clock, ports, process: () => accessTokens(ports) }
}

function signedBy(own: ReturnType<typeof accessTokens>) {
  return own.sign(grant, 'w', ['tasks:read'])
}

test('a token holds what the contract says, for an hour', async () => {
  const { clock, ports, process } = service()
  clock.set('2026-03-01T12:00:00.999Z')
  const own = process()
  const token = await signedBy(own)
  const [key] = await ports.storage.read((tx) => tx.signing_keys.find([]))
  expect(tokens.readKeyId(token)).toBe(key?.id)
  expect(tokens.verify(token, secrets.open(key!.sealed_secret, `signing key ${key!.id}`))).toEqual({
    iss: 'https://crm.example',
    aud: 'https://crm.example',
    sub: 'u',
    jti: '0198c0de-0000-7000-8000-000000000002',
    iat: noon,
    exp: noon + 3600,
    ...CLAIMS,
  })
  expect(await own.verify(token, ['interface'])).toEqual({ ...CLAIMS, exp: noon + 3600 })
  clock.set('2026-03-01T12:59:59.999Z')
  expect(await own.verify(token, ['interface'])).toMatchObject(CLAIMS)
  clock.set('2026-03-01T13:00:00.000Z')
  expect(await own.verify(token, ['interface'])).toBe('expired')
})

test('what was not signed here is forged', async () => {
  const { process } = service()
  const own = process()
  const token = await signedBy(own)
  const kid = tokens.readKeyId(token)!
  const [header, claims, signature] = token.split('.')
  const bad = [
    '',
    'a.b',
    'a.b.c',
    `${header}.${claims}.`,
    `${header}.${claims}x.${signature}`,
    `${header}.${claims}.x${signature}`,
  ]
  const signedOtherwise = [
    tokens.sign(CLAIMS, kid, new Uint8Array(32)),
    tokens.sign(CLAIMS, 'nowhere', seededBytes()(32)),
  ]
  for (const each of [...bad, ...signedOtherwise])
    expect(await own.verify(each, ['interface'])).toBe('forged')
})

test('a token says what it said for good, whatever became of its key', async () => {
  const { clock, process } = service()
  const own = process()
  const token = await signedBy(own)
  const said = { ...CLAIMS, exp: noon + 3600 }
  expect(await own.decode(token)).toEqual(said)
  await own.rotateKey()
  clock.advance(86_400)
  expect(await own.verify(token, ['interface'])).toBe('forged')
  expect(await own.decode(token)).toEqual(said)
  expect(await process().decode(token)).toEqual(said)
  const kid = tokens.readKeyId(token)!
  for (const bad of [
    '',
    'a.b.c',
    `${token}x`,
    tokens.sign(CLAIMS, kid, new Uint8Array(32)),
    tokens.sign(CLAIMS, 'nowhere', seededBytes()(32)),
  ]) {
    expect(await own.decode(bad)).toBeUndefined()
  }
})

describe('keys', () => {
  test('are made once by processes that start together', async () => {
    const { ports, process } = service()
    const all = await Promise.all(Array.from({ length: 5 }, () => signedBy(process())))
    expect(new Set(all.map(tokens.readKeyId)).size).toBe(1)
    expect((await ports.storage.read((tx) => tx.signing_keys.find([]))).length).toBe(1)
  })

  test('that are replaced verify until their last token has expired, and no longer', async () => {
    const { clock, process } = service()
    const own = process()
    const old = await signedBy(own)
    const { kid } = await own.rotateKey()
    expect(tokens.readKeyId(await signedBy(own))).toBe(kid)
    expect(kid).not.toBe(tokens.readKeyId(old))
    clock.advance(3599)
    expect(await own.verify(old, ['interface'])).toMatchObject(CLAIMS)
    clock.advance(60)
    expect(await own.verify(old, ['interface'])).toBe('expired')
    clock.advance(1)
    expect(await own.verify(old, ['interface'])).toBe('forged')
  })

  test('that another process made are met with their first token', async () => {
    const { process } = service()
    const [own, other] = [process(), process()]
    await signedBy(own)
    await other.rotateKey()
    expect(await own.verify(await signedBy(other), ['interface'])).toMatchObject(CLAIMS)
  })

  test('that another process replaced sign for a minute at most, and all they signed can be used for its hour', async () => {
    const { clock, process } = service()
    const [own, other] = [process(), process()]
    await signedBy(own)
    const { kid } = await other.rotateKey()
    clock.advance(60)
    const late = await signedBy(own)
    expect(tokens.readKeyId(late)).not.toBe(kid)
    clock.advance(1)
    expect(tokens.readKeyId(await signedBy(own))).toBe(kid)
    clock.advance(3598)
    expect(await own.verify(late, ['interface'])).toMatchObject(CLAIMS)
    expect(await other.verify(late, ['interface'])).toMatchObject(CLAIMS)
  })

  test('are read again after the clock was set back', async () => {
    const { clock, process } = service()
    const [own, other] = [process(), process()]
    await signedBy(own)
    clock.set('2026-02-01T12:00:00.000Z')
    const { kid } = await other.rotateKey()
    expect(tokens.readKeyId(await signedBy(own))).toBe(kid)
  })

  test('may be replaced again and again', async () => {
    const { ports, process } = service()
    const own = process()
    const first = await signedBy(own)
    const kids = [await own.rotateKey(), await own.rotateKey(), await own.rotateKey()].map(({ kid }) => kid)
    expect(new Set(kids).size).toBe(3)
    expect(await own.verify(first, ['interface'])).toMatchObject(CLAIMS)
    const current = await ports.storage.read((tx) => tx.signing_keys.find([{ field: 'role', is: 'current' }]))
    expect(current.map(({ id }) => id)).toEqual([kids[2]])
  })
})
