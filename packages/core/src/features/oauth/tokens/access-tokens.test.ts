import { describe, expect, test } from 'vitest'
import {
  fakeClock,
  files,
  NOON,
  parseOutboundUrl,
  passwords,
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

/** Creates processes of one service, which share a clock and a database. */
function createService() {
  const clock = fakeClock(NOON)
  const ports: Ports = {
    storage: memoryStorage(),
    issuer: 'https://crm.example',
    now: clock.now,
    newId: sequentialIds(),
    random: seededBytes(),
    passwords,
    secrets,
    tokens,
    sanitizeHtml: async (html) => html,
    parseOutboundUrl,
    files,
    fetchDocument: async () => undefined,
  }
  return { clock, ports, createProcess: () => accessTokens(ports) }
}

function signToken(issuer: ReturnType<typeof accessTokens>) {
  return issuer.sign(grant, 'w', ['tasks:read'])
}

test('a token has the claims of the contract and is valid for an hour', async () => {
  const { clock, ports, createProcess } = createService()
  clock.set('2026-03-01T12:00:00.999Z')
  const local = createProcess()
  const token = await signToken(local)
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
  expect(await local.verify(token, ['interface'])).toEqual({ ...CLAIMS, user_id: 'u', exp: noon + 3600 })
  clock.set('2026-03-01T12:59:59.999Z')
  expect(await local.verify(token, ['interface'])).toMatchObject(CLAIMS)
  clock.set('2026-03-01T13:00:00.000Z')
  expect(await local.verify(token, ['interface'])).toBe('expired')
})

test('verify returns forged for a token the service did not sign', async () => {
  const { createProcess } = createService()
  const local = createProcess()
  const token = await signToken(local)
  const kid = tokens.readKeyId(token)!
  const [header, claims, signature] = token.split('.')
  const malformed = [
    '',
    'a.b',
    'a.b.c',
    `${header}.${claims}.`,
    `${header}.${claims}x.${signature}`,
    `${header}.${claims}.x${signature}`,
  ]
  const signedElsewhere = [
    tokens.sign(CLAIMS, kid, new Uint8Array(32)),
    tokens.sign(CLAIMS, 'nowhere', seededBytes()(32)),
  ]
  for (const forged of [...malformed, ...signedElsewhere])
    expect(await local.verify(forged, ['interface'])).toBe('forged')
})

test('decode returns the claims also after the token expired and its key was replaced', async () => {
  const { clock, createProcess } = createService()
  const local = createProcess()
  const token = await signToken(local)
  const expected = { ...CLAIMS, user_id: 'u', exp: noon + 3600 }
  expect(await local.decode(token)).toEqual(expected)
  await local.rotateKey()
  clock.advance(86_400)
  expect(await local.verify(token, ['interface'])).toBe('forged')
  expect(await local.decode(token)).toEqual(expected)
  expect(await createProcess().decode(token)).toEqual(expected)
  const kid = tokens.readKeyId(token)!
  for (const invalidToken of [
    '',
    'a.b.c',
    `${token}x`,
    tokens.sign(CLAIMS, kid, new Uint8Array(32)),
    tokens.sign(CLAIMS, 'nowhere', seededBytes()(32)),
  ]) {
    expect(await local.decode(invalidToken)).toBeUndefined()
  }
})

describe('signing keys', () => {
  test('are created once by processes that start concurrently', async () => {
    const { ports, createProcess } = createService()
    const signed = await Promise.all(Array.from({ length: 5 }, () => signToken(createProcess())))
    expect(new Set(signed.map(tokens.readKeyId)).size).toBe(1)
    expect((await ports.storage.read((tx) => tx.signing_keys.find([]))).length).toBe(1)
  })

  test('that are replaced verify exactly until their last token has expired', async () => {
    const { clock, createProcess } = createService()
    const local = createProcess()
    const old = await signToken(local)
    const { kid } = await local.rotateKey()
    expect(tokens.readKeyId(await signToken(local))).toBe(kid)
    expect(kid).not.toBe(tokens.readKeyId(old))
    clock.advance(3599)
    expect(await local.verify(old, ['interface'])).toMatchObject(CLAIMS)
    clock.advance(60)
    expect(await local.verify(old, ['interface'])).toBe('expired')
    clock.advance(1)
    expect(await local.verify(old, ['interface'])).toBe('forged')
  })

  test('of another process are loaded with the first token they signed', async () => {
    const { createProcess } = createService()
    const [local, remote] = [createProcess(), createProcess()]
    await signToken(local)
    await remote.rotateKey()
    expect(await local.verify(await signToken(remote), ['interface'])).toMatchObject(CLAIMS)
  })

  test('replaced by another process sign for at most a minute, and such tokens stay valid', async () => {
    const { clock, createProcess } = createService()
    const [local, remote] = [createProcess(), createProcess()]
    await signToken(local)
    const { kid } = await remote.rotateKey()
    clock.advance(60)
    const late = await signToken(local)
    expect(tokens.readKeyId(late)).not.toBe(kid)
    clock.advance(1)
    expect(tokens.readKeyId(await signToken(local))).toBe(kid)
    clock.advance(3598)
    expect(await local.verify(late, ['interface'])).toMatchObject(CLAIMS)
    expect(await remote.verify(late, ['interface'])).toMatchObject(CLAIMS)
  })

  test('are reloaded after the clock was set back', async () => {
    const { clock, createProcess } = createService()
    const [local, remote] = [createProcess(), createProcess()]
    await signToken(local)
    clock.set('2026-02-01T12:00:00.000Z')
    const { kid } = await remote.rotateKey()
    expect(tokens.readKeyId(await signToken(local))).toBe(kid)
  })

  test('can be replaced repeatedly', async () => {
    const { ports, createProcess } = createService()
    const local = createProcess()
    const first = await signToken(local)
    const kids = [await local.rotateKey(), await local.rotateKey(), await local.rotateKey()].map(
      ({ kid }) => kid,
    )
    expect(new Set(kids).size).toBe(3)
    expect(await local.verify(first, ['interface'])).toMatchObject(CLAIMS)
    const current = await ports.storage.read((tx) => tx.signing_keys.find([{ field: 'role', is: 'current' }]))
    expect(current.map(({ id }) => id)).toEqual([kids[2]])
  })
})
