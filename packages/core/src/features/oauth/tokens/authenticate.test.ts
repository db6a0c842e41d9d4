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

function createLimits(appLimit: number, addressLimit: number): CallLimits {
  return {
    forApp: (clientId) => ({ key: `app:${clientId}:GET`, limit: appLimit, seconds: 60 }),
    forAddress: { key: 'ip:192.0.2.1:GET', limit: addressLimit, seconds: 60 },
  }
}

function summarize({ actor, error }: Authentication): unknown {
  return actor ? 'authenticated' : [error?.code, error?.message]
}

async function withToken() {
  const base = await createTestCrm()
  const { crm, storage, clock } = base
  const app = await crm.operator.createApp({
    name: 'App',
    email: 'a@b.co',
    redirect_uris: ['https://a.co/'],
    scopes: ['tasks:read', 'tasks:write'],
  })
  const createToken = async (user_email: string) => {
    return (await crm.operator.createToken({ workspace: 'acme', client_id: app.client_id, user_email }))
      .access_token
  }
  const token = await createToken(ANN.email)
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
    createToken,
    claims,
    signHeader: (changed: Record<string, unknown>, kid = key!.id, signingSecret = secret) =>
      `Bearer ${tokens.sign({ ...claims, ...changed }, kid, signingSecret)}`,
    authenticate: crm.createAuthenticator(localAccessGate(storage, clock.now)),
  }
}

test('a valid token authenticates its member with its scopes', async () => {
  const { authenticate, token, ann, clientId } = await withToken()
  expect(await authenticate(`Bearer ${token}`, OFF)).toEqual({
    actor: { ...ann, clientId, scopes: new Set(['tasks:read', 'tasks:write']) },
    rateLimit: undefined,
  })
})

test.each(['bearer', 'BEARER', 'bEaReR', 'Bearer  '])('accepts the scheme %j', async (scheme) => {
  const { authenticate, token } = await withToken()
  expect(summarize(await authenticate(`${scheme} ${token} `, OFF))).toBe('authenticated')
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
])('rejects the malformed header %j', async (header) => {
  const { authenticate } = await withToken()
  expect(summarize(await authenticate(header, OFF))).toEqual(MALFORMED)
})

test('rejects a token this service did not sign', async () => {
  const { authenticate, token, signHeader } = await withToken()
  expect(summarize(await authenticate('Bearer abc', OFF))).toEqual(INVALID)
  expect(summarize(await authenticate(`Bearer ${token}x`, OFF))).toEqual(INVALID)
  expect(summarize(await authenticate(signHeader({}, UNKNOWN_ID), OFF))).toEqual(INVALID)
  expect(summarize(await authenticate(signHeader({}, undefined, new Uint8Array(32)), OFF))).toEqual(INVALID)
})

test.each([
  ['of another issuer', { iss: 'https://other.example' }, INVALID],
  ['for another audience', { aud: 'https://crm.example/v1' }, INVALID],
  ['for /mcp only', { aud: 'https://crm.example/mcp' }, INVALID],
  ['for /mcp of another issuer', { iss: 'https://other.example', aud: 'https://crm.example/mcp' }, INVALID],
  ['without an exp claim', { exp: undefined }, INVALID],
  ['with an nbf claim', { nbf: 0 }, INVALID],
  ['without a grant', { grant_id: undefined }, INVALID],
  ['of an unknown grant', { grant_id: UNKNOWN_ID }, INVALID],
  ['with a malformed grant id', { grant_id: 'x' }, INVALID],
  ['of an unknown workspace', { workspace_id: UNKNOWN_ID }, INVALID],
  ['with a malformed workspace id', { workspace_id: '../x' }, INVALID],
  ['of another client', { client_id: UNKNOWN_ID }, INVALID],
  ['without a workspace', { workspace_id: undefined }, INCOMPLETE],
  ['without a client', { client_id: undefined }, INCOMPLETE],
  ['without scopes', { service_scopes: undefined }, INCOMPLETE],
  ['without scopes, expired', { service_scopes: undefined, exp: 0 }, INCOMPLETE],
  ['of an unknown grant, expired', { grant_id: UNKNOWN_ID, exp: 0 }, EXPIRED],
])('rejects a token %s', async (_, changed, error) => {
  const { authenticate, signHeader } = await withToken()
  expect(summarize(await authenticate(signHeader(changed), OFF))).toEqual(error)
})

test('rejects a token from the second it expires', async () => {
  const { authenticate, token, clock } = await withToken()
  clock.advance(3599)
  expect(summarize(await authenticate(`Bearer ${token}`, OFF))).toBe('authenticated')
  clock.advance(1)
  expect(summarize(await authenticate(`Bearer ${token}`, OFF))).toEqual(EXPIRED)
})

test('rejects a grant of another workspace', async () => {
  const { authenticate, signHeader, otherOwner } = await withToken()
  expect(summarize(await authenticate(signHeader({ workspace_id: otherOwner.workspaceId }), OFF))).toEqual(
    INVALID,
  )
})

test('rejects a revoked grant on the next call', async () => {
  const { authenticate, token, storage, ann, claims } = await withToken()
  await storage.transact(async (tx) => {
    const { grants } = tx.workspace(ann.workspaceId)
    const grant = await grants.getForUpdate(String(claims['grant_id']))
    await grants.update({ ...grant!, revoked_at: NOON })
  })
  expect(summarize(await authenticate(`Bearer ${token}`, OFF))).toEqual(INVALID)
})

test('rejects a removed member even if the grant is live', async () => {
  const { authenticate, token, storage, ann } = await withToken()
  await storage.transact(async (tx) => {
    const { members } = tx.workspace(ann.workspaceId)
    const member = await members.getForUpdate(ann.userId)
    await members.update({ ...member!, removed_at: NOON })
  })
  expect(summarize(await authenticate(`Bearer ${token}`, OFF))).toEqual(INVALID)
})

test('rejects the token of a removed member, also after the member is added again', async () => {
  const { authenticate, token, createToken, crm } = await withToken()
  await crm.operator.removeMember({ workspace: 'acme', email: ANN.email })
  expect(summarize(await authenticate(`Bearer ${token}`, OFF))).toEqual(INVALID)
  await crm.operator.addMember({ workspace: 'acme', ...ANN, role: 'admin' })
  expect(summarize(await authenticate(`Bearer ${token}`, OFF))).toEqual(INVALID)
  expect((await authenticate(`Bearer ${await createToken(ANN.email)}`, OFF)).actor?.role).toBe('admin')
})

describe('the rate limit of the app', () => {
  test('rejects calls above the limit until the window ends', async () => {
    const { authenticate, token, createToken, clock } = await withToken()
    const limits = createLimits(2, 1)
    const header = `Bearer ${token}`
    expect(await authenticate(header, limits)).toMatchObject({
      actor: {},
      rateLimit: { limit: 2, used: 1, resetsAt: noon + 60, retryAfterSeconds: 60 },
    })
    clock.advance(29.5)
    expect(summarize(await authenticate(`Bearer ${await createToken(OWNER.email)}`, limits))).toBe(
      'authenticated',
    )
    const overLimit = await authenticate(header, limits)
    expect(summarize(overLimit)).toEqual([
      'rate_limit_exceeded',
      'Rate limit exceeded. Try again in 31 seconds.',
    ])
    expect(overLimit.rateLimit).toEqual({ limit: 2, used: 3, resetsAt: noon + 60, retryAfterSeconds: 31 })
    clock.advance(30.5)
    expect(await authenticate(header, limits)).toMatchObject({
      actor: {},
      rateLimit: { used: 1, resetsAt: noon + 120 },
    })
  })

  test('does not count rejected tokens', async () => {
    const { authenticate, token, signHeader } = await withToken()
    const limits = createLimits(1, 100)
    for (const invalidHeader of [signHeader({ grant_id: UNKNOWN_ID }), signHeader({ exp: 0 }), 'Bearer abc'])
      await authenticate(invalidHeader, limits)
    expect(summarize(await authenticate(`Bearer ${token}`, limits))).toBe('authenticated')
  })
})

describe('the rate limit of the address', () => {
  test('counts every call without a valid token and rejects those above the limit', async () => {
    const { authenticate, signHeader, token, clock } = await withToken()
    const limits = createLimits(1, 3)
    const first = await authenticate(undefined, limits)
    expect([summarize(first), first.rateLimit]).toEqual([
      MALFORMED,
      { limit: 3, used: 1, resetsAt: noon + 60, retryAfterSeconds: 60 },
    ])
    expect(summarize(await authenticate('Bearer abc', limits))).toEqual(INVALID)
    expect(summarize(await authenticate(signHeader({ exp: 0 }), limits))).toEqual(EXPIRED)
    for (const invalidHeader of [
      undefined,
      'Bearer abc',
      signHeader({ exp: 0 }),
      signHeader({ client_id: undefined }),
      signHeader({ grant_id: UNKNOWN_ID }),
    ]) {
      expect(summarize(await authenticate(invalidHeader, limits))).toEqual([
        'rate_limit_exceeded',
        'Rate limit exceeded. Try again in 60 seconds.',
      ])
    }
    expect(summarize(await authenticate(`Bearer ${token}`, limits))).toBe('authenticated')
    clock.advance(60)
    expect(summarize(await authenticate(undefined, limits))).toEqual(MALFORMED)
  })

  test('can be switched off', async () => {
    const { authenticate } = await withToken()
    expect((await authenticate(undefined, OFF)).rateLimit).toBeUndefined()
  })
})
