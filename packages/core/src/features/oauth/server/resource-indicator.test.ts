import { describe, expect, test } from 'vitest'
import { catchRejection } from '../../../../test/harness.ts'
import { withApp } from '../../../../test/oauth-harness.ts'
import { withPublicClient } from '../../../../test/public-client-harness.ts'
import type { Audience } from '../../../schema/grant.ts'
import { localAccessGate } from '../../rate-limits/local-access-gate.ts'
import { resolveAudience } from './resource-indicator.ts'

const ISSUER = 'https://crm.example'
const BAD = { code: 'invalid_request', message: 'The resource is none that tokens are given for here.' }

const CONFIDENTIAL = { kind: 'confidential' } as const

describe('resolveAudience', () => {
  test.each([
    [undefined, 'interface', 'interface'],
    [ISSUER, 'interface', 'interface'],
    [`${ISSUER}/`, 'interface', 'interface'],
    [`${ISSUER}/mcp`, 'interface', 'mcp'],
    [undefined, 'mcp', 'mcp'],
    [`${ISSUER}/mcp`, 'mcp', 'mcp'],
    [`${ISSUER}/mcp/`, 'interface', 'mcp'],
    [`${ISSUER}/mcp/`, 'mcp', 'mcp'],
  ] as const)('the resource %j with the widest audience %s returns %s', (resource, widest, audience) => {
    expect(resolveAudience(resource, ISSUER, widest, CONFIDENTIAL)).toBe(audience)
  })

  test.each([
    'x',
    `${ISSUER}/mcp//`,
    `${ISSUER}//`,
    `${ISSUER}/v1`,
    `${ISSUER}/mcp#`,
    'https://CRM.example/mcp',
    'http://crm.example',
    '\ud800',
  ])('rejects the resource %j', async (resource) => {
    for (const [widest, rule] of [
      ['interface', 'Must be https://crm.example or https://crm.example/mcp.'],
      ['mcp', 'Must be https://crm.example/mcp.'],
    ] as const) {
      expect(await catchRejection(() => resolveAudience(resource, ISSUER, widest, CONFIDENTIAL))).toEqual({
        ...BAD,
        fields: { resource: rule },
      })
    }
  })
})

async function withAuthenticator() {
  const base = await withApp()
  const authenticate = base.crm.createAuthenticator(localAccessGate(base.storage, base.clock.now))
  const findAudiences = async (token: string) => {
    const isAccepted = async (audience: Audience) =>
      (await authenticate(`Bearer ${token}`, { forApp: () => undefined, forAddress: undefined }, audience))
        .actor !== undefined
    return { interface: await isAccepted('interface'), mcp: await isAccepted('mcp') }
  }
  return { ...base, findAudiences }
}

describe('a confidential app', () => {
  test('gets tokens for /mcp only if it requests them', async () => {
    const { codeFor, exchange, refresh, findAudiences } = await withAuthenticator()
    const tokens = await exchange(await codeFor({ resource: `${ISSUER}/mcp` }))
    expect(await findAudiences(tokens.access_token)).toEqual({ interface: false, mcp: true })
    const next = await refresh(tokens.refresh_token, { resource: `${ISSUER}/mcp` })
    expect(await findAudiences(next.access_token)).toEqual({ interface: false, mcp: true })
    await expect(refresh(next.refresh_token, { resource: ISSUER })).rejects.toMatchObject({
      ...BAD,
      rfcCode: 'invalid_target',
    })
  })

  test('gets tokens for both audiences, and may request a narrower one per token', async () => {
    const { codeFor, exchange, refresh, findAudiences } = await withAuthenticator()
    const tokens = await exchange(await codeFor({ resource: `${ISSUER}/` }), { resource: `${ISSUER}/mcp` })
    expect(await findAudiences(tokens.access_token)).toEqual({ interface: false, mcp: true })
    const next = await refresh(tokens.refresh_token)
    expect(await findAudiences(next.access_token)).toEqual({ interface: true, mcp: true })
  })

  test('keeps its code valid after a request with a wrong resource', async () => {
    const { codeFor, exchange } = await withAuthenticator()
    const code = await codeFor({ resource: `${ISSUER}/mcp` })
    expect(await catchRejection(exchange(code, { resource: ISSUER }))).toMatchObject(BAD)
    expect(await exchange(code)).toHaveProperty('access_token')
  })

  test('is rejected with several resources', async () => {
    const { oauth, authorizationRequest, credentials, codeFor } = await withAuthenticator()
    const resource = [ISSUER, `${ISSUER}/mcp`]
    const expected = {
      message: 'A parameter was sent more than once.',
      fields: { resource: 'Must be sent only once.' },
    }
    expect(
      await catchRejection(oauth.beginAuthorization({ ...authorizationRequest, resource })),
    ).toMatchObject(expected)
    const code = await codeFor()
    expect(
      await catchRejection(oauth.token({ grant_type: 'authorization_code', code, ...credentials, resource })),
    ).toMatchObject(expected)
  })
})

describe('a public client', () => {
  test('gets tokens for /mcp only', async () => {
    const { publicClients, authorizationRequest, codeFor, exchange, refresh } = await withPublicClient()
    for (const resource of ['x', `${ISSUER}/v1`, 'https://evil.example']) {
      await expect(
        publicClients.beginAuthorization({ ...authorizationRequest, resource }),
      ).rejects.toMatchObject({
        rfcCode: 'invalid_target',
      })
      await expect(exchange(await codeFor(), { resource })).rejects.toMatchObject({
        rfcCode: 'invalid_target',
      })
    }
    const { refresh_token } = await exchange(await codeFor({ resource: `${ISSUER}/mcp` }), {
      resource: `${ISSUER}/mcp`,
    })
    await expect(refresh(refresh_token, { resource: 'x' })).rejects.toMatchObject({
      rfcCode: 'invalid_target',
    })
    expect(await refresh(refresh_token, { resource: `${ISSUER}/mcp` })).toHaveProperty('access_token')
  })

  test.each([ISSUER, `${ISSUER}/`, `${ISSUER}/mcp/`])(
    'gets tokens for /mcp if it requests %s',
    async (resource) => {
      const { codeFor, exchange, authenticateToken } = await withPublicClient()
      const { access_token } = await exchange(await codeFor({ resource }), { resource })
      expect(await authenticateToken(access_token)).toBeDefined()
      expect(await authenticateToken(access_token, 'interface')).toBeUndefined()
    },
  )

  test.each(['https://crm.example', 'https://crm.example/', 'https://crm.example/sales/mcp/'])(
    'of a service below a path gets tokens for /mcp if it requests %s',
    (resource) => {
      const issuer = 'https://crm.example/sales'
      expect(resolveAudience(resource, issuer, 'mcp', { kind: 'registered' })).toBe('mcp')
    },
  )
})
