import { describe, expect, test } from 'vitest'
import { ANN, createTestCrm, NOON, OWNER, secrets, tokens, UNKNOWN_ID } from '../../../../test/harness.ts'
import { localAccessGate } from '../../rate-limits/local-access-gate.ts'
import type { Authentication, CallLimits } from './authenticate.ts'

const noon = Date.parse(NOON) / 1000
const OFF: CallLimits = { forApp: () => undefined, forAddress: undefined }
const MALFORMED = ['unauthorized', 'Missing or invalid Authorization header.']
const INVALID = ['unauthorized', 'Invalid or malformed token.']
const INCOMPLETE = ['unauthorized', 'Token is missing required claims.']
const EXPIRED = ['token_expired', 'Access token expired. Refresh using the refresh token.']

function limits(ofApp: number, ofAddress: number): CallLimits {
  return {
    forApp: (clientId) => ({ key: `app:${clientId}:GET`, limit: ofApp, seconds: 60 }),
    forAddress: { key: 'ip:192.0.2.1:GET', limit: ofAddress, seconds: 60 },
  }
}

function refusalIn({ actor, error: refusal }: Authentication): unknown {
  return actor ? 'let in' : [refusal?.code, refusal?.message]
}

async function gateway() {
  const base = await createTestCrm()
  const { crm, storage, clock } = base
  const app = await crm.operator.createApp({
    name: 'App',
    email: 'a@b.co',
    redirect_uris: ['https://a.co/'],
    scopes: ['tasks:read', 'tasks:write'],
  })
  const tokenOf = async (user_email: string) => {
    return (await crm.operator.createToken({ workspace: 'acme', client_id: app.client_id, user_email }))
      .access_token
  }
  const token = await tokenOf(ANN.email)
  const claims = JSON.parse(Buffer.from(token.split('.')[1]!, 'base64url').toString()) as Record<
    string,
    unknown
  >
  const [key] = await storage.read((tx) => tx.signing_keys.find([]))
  const secret = secrets.open(key!.sealed_secret, `signing key ${key!.id}`)
  return {
    ...base,
    clientId: app.client_id,
    token,
    tokenOf,
    claims,
    signed: (changed: Record<string, unknown>, kid = key!.id, by = secret) =>
      `Bearer ${tokens.sign({ ...claims, ...changed }, kid, by)}`,
    enter: crm.createAuthenticator(localAccessGate(storage, clock.now)),
  }
}

test('a good token lets its member in, as far as its scopes reach', async () => {
  const { enter, token, ann, clientId } = await gateway()
  expect(await enter(`Bearer ${token}`, OFF)).toEqual({
    actor: { ...ann, clientId, scopes: new Set(['tasks:read', 'tasks:write']) },
    rateLimit: undefined,
  })
})

test.each(['bearer', 'BEARER', 'bEaReR', 'Bearer  '])('the scheme may be written %j', async (scheme) => {
  const { enter, token } = await gateway()
  expect(refusalIn(await enter(`${scheme} ${token} `, OFF))).toBe('let in')
})

test.each([
  undefined,
  '',
  'Bearer',
  'Bearer ',
  'Basic YTpi',
  'Bearerabc',
  ' Bearer abc',
  'Bearer a b',
  'Bearer a,b',
  'Bearer "abc"',
  'Bearer =abc',
  'Bearer\tabc',
  'Bearer abc\n',
  'Bearer é',
  'abc',
])('the header %j is malformed', async (header) => {
  const { enter } = await gateway()
  expect(refusalIn(await enter(header, OFF))).toEqual(MALFORMED)
})

test('a token that this service did not sign is invalid', async () => {
  const { enter, token, signed } = await gateway()
  expect(refusalIn(await enter('Bearer abc', OFF))).toEqual(INVALID)
  expect(refusalIn(await enter(`Bearer ${token}x`, OFF))).toEqual(INVALID)
  expect(refusalIn(await enter(signed({}, UNKNOWN_ID), OFF))).toEqual(INVALID)
  expect(refusalIn(await enter(signed({}, undefined, new Uint8Array(32)), OFF))).toEqual(INVALID)
})

test.each([
  ['of another issuer', { iss: 'https://other.example' }, INVALID],
  ['for another audience', { aud: 'https://crm.example/v1' }, INVALID],
  ['for the tools alone', { aud: 'https://crm.example/mcp' }, INVALID],
  [
    'for the tools of another issuer',
    { iss: 'https://other.example', aud: 'https://crm.example/mcp' },
    INVALID,
  ],
  ['without an end', { exp: undefined }, INVALID],
  ['with a beginning', { nbf: 0 }, INVALID],
  ['without a grant', { grant_id: undefined }, INVALID],
  ['of an unknown grant', { grant_id: UNKNOWN_ID }, INVALID],
  ['of a grant that is no id', { grant_id: 'x' }, INVALID],
  ['of an unknown workspace', { workspace_id: UNKNOWN_ID }, INVALID],
  ['of a workspace that is no id', { workspace_id: '../x' }, INVALID],
  ['of another client', { client_id: UNKNOWN_ID }, INVALID],
  ['without a workspace', { workspace_id: undefined }, INCOMPLETE],
  ['without a client', { client_id: undefined }, INCOMPLETE],
  ['without scopes', { service_scopes: undefined }, INCOMPLETE],
  ['without scopes, expired', { service_scopes: undefined, exp: 0 }, INCOMPLETE],
  ['of an unknown grant, expired', { grant_id: UNKNOWN_ID, exp: 0 }, EXPIRED],
])('a token %s is refused', async (_, changed, error) => {
  const { enter, signed } = await gateway()
  expect(refusalIn(await enter(signed(changed), OFF))).toEqual(error)
})

test('a token is refused from the second of its end', async () => {
  const { enter, token, clock } = await gateway()
  clock.advance(3599)
  expect(refusalIn(await enter(`Bearer ${token}`, OFF))).toBe('let in')
  clock.advance(1)
  expect(refusalIn(await enter(`Bearer ${token}`, OFF))).toEqual(EXPIRED)
})

test('a grant of another workspace opens none', async () => {
  const { enter, signed, otherOwner } = await gateway()
  expect(refusalIn(await enter(signed({ workspace_id: otherOwner.workspaceId }), OFF))).toEqual(INVALID)
})

test('a revoked grant is refused on the next call', async () => {
  const { enter, token, storage, ann, claims } = await gateway()
  await storage.transact(async (tx) => {
    const { grants } = tx.workspace(ann.workspaceId)
    const grant = await grants.getForUpdate(String(claims['grant_id']))
    await grants.update({ ...grant!, revoked_at: NOON })
  })
  expect(refusalIn(await enter(`Bearer ${token}`, OFF))).toEqual(INVALID)
})

test('a member who has left is refused even by a grant that lives', async () => {
  const { enter, token, storage, ann } = await gateway()
  await storage.transact(async (tx) => {
    const { members } = tx.workspace(ann.workspaceId)
    const member = await members.getForUpdate(ann.userId)
    await members.update({ ...member!, removed_at: NOON })
  })
  expect(refusalIn(await enter(`Bearer ${token}`, OFF))).toEqual(INVALID)
})

test('a removed member is refused on the next call, and stays so with the old token', async () => {
  const { enter, token, tokenOf, crm } = await gateway()
  await crm.operator.removeMember({ workspace: 'acme', email: ANN.email })
  expect(refusalIn(await enter(`Bearer ${token}`, OFF))).toEqual(INVALID)
  await crm.operator.addMember({ workspace: 'acme', ...ANN, role: 'admin' })
  expect(refusalIn(await enter(`Bearer ${token}`, OFF))).toEqual(INVALID)
  expect((await enter(`Bearer ${await tokenOf(ANN.email)}`, OFF)).actor?.role).toBe('admin')
})

describe('the window of the app', () => {
  test('closes after its limit and opens again', async () => {
    const { enter, token, tokenOf, clock } = await gateway()
    const counters = limits(2, 1)
    const header = `Bearer ${token}`
    expect(await enter(header, counters)).toMatchObject({
      actor: {},
      rateLimit: { limit: 2, used: 1, resetsAt: noon + 60, retryAfterSeconds: 60 },
    })
    clock.advance(29.5)
    expect(refusalIn(await enter(`Bearer ${await tokenOf(OWNER.email)}`, counters))).toBe('let in')
    const over = await enter(header, counters)
    expect(refusalIn(over)).toEqual(['rate_limit_exceeded', 'Rate limit exceeded. Try again in 31 seconds.'])
    expect(over.rateLimit).toEqual({ limit: 2, used: 3, resetsAt: noon + 60, retryAfterSeconds: 31 })
    clock.advance(30.5)
    expect(await enter(header, counters)).toMatchObject({
      actor: {},
      rateLimit: { used: 1, resetsAt: noon + 120 },
    })
  })

  test('is not touched by tokens that are refused', async () => {
    const { enter, token, signed } = await gateway()
    const counters = limits(1, 100)
    for (const bad of [signed({ grant_id: UNKNOWN_ID }), signed({ exp: 0 }), 'Bearer abc'])
      await enter(bad, counters)
    expect(refusalIn(await enter(`Bearer ${token}`, counters))).toBe('let in')
  })
})

describe('the window of the address', () => {
  test('counts every call without a good token, and closes', async () => {
    const { enter, signed, token, clock } = await gateway()
    const counters = limits(1, 3)
    const first = await enter(undefined, counters)
    expect([refusalIn(first), first.rateLimit]).toEqual([
      MALFORMED,
      { limit: 3, used: 1, resetsAt: noon + 60, retryAfterSeconds: 60 },
    ])
    expect(refusalIn(await enter('Bearer abc', counters))).toEqual(INVALID)
    expect(refusalIn(await enter(signed({ exp: 0 }), counters))).toEqual(EXPIRED)
    for (const bad of [
      undefined,
      'Bearer abc',
      signed({ exp: 0 }),
      signed({ client_id: undefined }),
      signed({ grant_id: UNKNOWN_ID }),
    ]) {
      expect(refusalIn(await enter(bad, counters))).toEqual([
        'rate_limit_exceeded',
        'Rate limit exceeded. Try again in 60 seconds.',
      ])
    }
    expect(refusalIn(await enter(`Bearer ${token}`, counters))).toBe('let in')
    clock.advance(60)
    expect(refusalIn(await enter(undefined, counters))).toEqual(MALFORMED)
  })

  test('may be off', async () => {
    const { enter } = await gateway()
    expect((await enter(undefined, OFF)).rateLimit).toBeUndefined()
  })
})
