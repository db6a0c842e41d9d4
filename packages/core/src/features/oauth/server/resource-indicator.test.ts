import { describe, expect, test } from 'vitest'
import { catchRejection } from '../../../../test/harness.ts'
import { withApp } from '../../../../test/oauth-harness.ts'
import { withPublicClient } from '../../../../test/public-client-harness.ts'
import type { Audience } from '../../../schema/grant.ts'
import { localAccessGate } from '../../rate-limits/local-access-gate.ts'
import { resolveAudience } from './resource-indicator.ts'

const ISSUER = 'https://crm.example'
const BAD = { code: 'invalid_request', message: 'The resource is none that tokens are given for here.' }

describe('a resource', () => {
  test.each([
    [undefined, 'interface', 'interface'],
    [ISSUER, 'interface', 'interface'],
    [`${ISSUER}/`, 'interface', 'interface'],
    [`${ISSUER}/mcp`, 'interface', 'mcp'],
    [undefined, 'mcp', 'mcp'],
    [`${ISSUER}/mcp`, 'mcp', 'mcp'],
  ] as const)('%j, of what is for %s, is for %s', (resource, widest, audience) => {
    expect(resolveAudience(resource, ISSUER, widest)).toBe(audience)
  })

  test.each([
    'x',
    `${ISSUER}/mcp/`,
    `${ISSUER}//`,
    `${ISSUER}/v1`,
    `${ISSUER}/mcp#`,
    'https://CRM.example/mcp',
    'http://crm.example',
    '\ud800',
  ])('is no other: %j', async (resource) => {
    for (const [widest, rule] of [
      ['interface', 'Must be https://crm.example or https://crm.example/mcp.'],
      ['mcp', 'Must be https://crm.example/mcp.'],
    ] as const) {
      expect(await catchRejection(() => resolveAudience(resource, ISSUER, widest))).toEqual({
        ...BAD,
        fields: { resource: rule },
      })
    }
  })
})

async function doors() {
  const base = await withApp()
  const enter = base.crm.createAuthenticator(localAccessGate(base.storage, base.clock.now))
  const opens = async (token: string) => {
    const actor = async (door: Audience) =>
      (await enter(`Bearer ${token}`, { forApp: () => undefined, forAddress: undefined }, door)).actor
    return { interface: (await actor('interface')) !== undefined, mcp: (await actor('mcp')) !== undefined }
  }
  return { ...base, opens }
}

describe('an app that a person registered', () => {
  test('gets tokens for the tools alone when it asks for them', async () => {
    const { codeFor, exchange, refresh, opens } = await doors()
    const made = await exchange(await codeFor({ resource: `${ISSUER}/mcp` }))
    expect(await opens(made.access_token)).toEqual({ interface: false, mcp: true })
    const next = await refresh(made.refresh_token, { resource: `${ISSUER}/mcp` })
    expect(await opens(next.access_token)).toEqual({ interface: false, mcp: true })
    await expect(refresh(next.refresh_token, { resource: ISSUER })).rejects.toMatchObject({
      ...BAD,
      rfcCode: 'invalid_target',
    })
  })

  test('gets tokens for both, and may ask for less with each', async () => {
    const { codeFor, exchange, refresh, opens } = await doors()
    const made = await exchange(await codeFor({ resource: `${ISSUER}/` }), { resource: `${ISSUER}/mcp` })
    expect(await opens(made.access_token)).toEqual({ interface: false, mcp: true })
    const next = await refresh(made.refresh_token)
    expect(await opens(next.access_token)).toEqual({ interface: true, mcp: true })
  })

  test('keeps its code when the resource is wrong', async () => {
    const { codeFor, exchange } = await doors()
    const code = await codeFor({ resource: `${ISSUER}/mcp` })
    expect(await catchRejection(exchange(code, { resource: ISSUER }))).toMatchObject(BAD)
    expect(await exchange(code)).toHaveProperty('access_token')
  })

  test('names one resource', async () => {
    const { oauth, asked, credentials, codeFor } = await doors()
    const resource = [ISSUER, `${ISSUER}/mcp`]
    const refused = {
      message: 'A parameter was sent more than once.',
      fields: { resource: 'Must be sent only once.' },
    }
    expect(await catchRejection(oauth.beginAuthorization({ ...asked, resource }))).toMatchObject(refused)
    const code = await codeFor()
    expect(
      await catchRejection(oauth.token({ grant_type: 'authorization_code', code, ...credentials, resource })),
    ).toMatchObject(refused)
  })
})

test('a program gets tokens for the tools alone, whatever it asks for', async () => {
  const { programs, asked, codeFor, exchange, refresh } = await withPublicClient()
  for (const resource of [ISSUER, `${ISSUER}/`, 'x']) {
    await expect(programs.beginAuthorization({ ...asked, resource })).rejects.toMatchObject({
      rfcCode: 'invalid_target',
    })
    await expect(exchange(await codeFor(), { resource })).rejects.toMatchObject({ rfcCode: 'invalid_target' })
  }
  const { refresh_token } = await exchange(await codeFor({ resource: `${ISSUER}/mcp` }), {
    resource: `${ISSUER}/mcp`,
  })
  await expect(refresh(refresh_token, { resource: ISSUER })).rejects.toMatchObject({
    rfcCode: 'invalid_target',
  })
  expect(await refresh(refresh_token, { resource: `${ISSUER}/mcp` })).toHaveProperty('access_token')
})
