import { expect, test } from 'vitest'
import { NOON } from '../../../../test/harness.ts'
import { parseClaims } from './access-token-claims.ts'

const ISSUER = 'https://crm.example'
const noon = Date.parse(NOON) / 1000
const claims = {
  iss: ISSUER,
  aud: ISSUER,
  exp: noon + 1,
  workspace_id: 'w',
  client_id: 'c',
  service_scopes: ['tasks:read'],
  grant_id: 'g',
}

function omitClaims(...names: (keyof typeof claims)[]) {
  return Object.fromEntries(
    Object.entries(claims).filter(([name]) => !names.includes(name as keyof typeof claims)),
  )
}

test('parseClaims returns the claims of a valid token', () => {
  const expected = {
    workspace_id: 'w',
    client_id: 'c',
    service_scopes: ['tasks:read'],
    grant_id: 'g',
    user_id: '',
    exp: noon + 1,
  }
  expect(parseClaims(claims, ISSUER, ['interface'], NOON)).toEqual(expected)
  expect(
    parseClaims({ ...claims, service_scopes: [], nbf: null, more: 1 }, ISSUER, ['interface'], NOON),
  ).toEqual({
    ...expected,
    service_scopes: [],
  })
})

test.each([
  ['of another issuer', { ...claims, iss: 'https://other.example' }, 'foreign'],
  ['without an issuer', omitClaims('iss'), 'foreign'],
  ['for another audience', { ...claims, aud: `${ISSUER}/v1` }, 'foreign'],
  ['for /mcp only', { ...claims, aud: `${ISSUER}/mcp` }, 'foreign'],
  [
    'for /mcp only, incomplete and expired',
    { ...omitClaims('client_id'), aud: `${ISSUER}/mcp`, exp: 0 },
    'foreign',
  ],
  [
    'for /mcp of another issuer',
    { ...claims, iss: 'https://other.example', aud: `${ISSUER}/mcp` },
    'foreign',
  ],
  ['for several audiences', { ...claims, aud: [ISSUER] }, 'foreign'],
  ['that never expires', omitClaims('exp'), 'foreign'],
  ['with an exp that is a string', { ...claims, exp: String(noon + 1) }, 'foreign'],
  ['with an nbf claim', { ...claims, nbf: noon }, 'foreign'],
  ['without a grant', omitClaims('grant_id'), 'foreign'],
  ['without a workspace', omitClaims('workspace_id'), 'incomplete'],
  ['without a client', omitClaims('client_id'), 'incomplete'],
  ['without scopes', omitClaims('service_scopes'), 'incomplete'],
  ['with scopes that are a string', { ...claims, service_scopes: 'tasks:read' }, 'incomplete'],
  ['with a scope that is not a string', { ...claims, service_scopes: [1] }, 'incomplete'],
  ['with a workspace that is not a string', { ...claims, workspace_id: 1 }, 'incomplete'],
  ['that expires now', { ...claims, exp: noon }, 'expired'],
  ['that has expired', { ...claims, exp: 0 }, 'expired'],
  ['that is foreign, incomplete and expired', { exp: 0 }, 'foreign'],
  ['that is incomplete and expired', { ...omitClaims('client_id'), exp: 0 }, 'incomplete'],
  ['that is incomplete and has no grant', omitClaims('client_id', 'grant_id'), 'incomplete'],
  ['that has no grant and is expired', { ...omitClaims('grant_id'), exp: 0 }, 'foreign'],
  ['without any claims', {}, 'foreign'],
])('a token %s is rejected', (_, invalidClaims, error) => {
  expect(parseClaims(invalidClaims as Record<string, unknown>, ISSUER, ['interface'], NOON)).toBe(error)
})

test('a token for /mcp is valid where the audience mcp is accepted', () => {
  const mcpClaims = { ...claims, aud: `${ISSUER}/mcp` }
  expect(parseClaims(mcpClaims, ISSUER, ['interface', 'mcp'], NOON)).toMatchObject({ grant_id: 'g' })
  expect(parseClaims(mcpClaims, ISSUER, ['mcp'], NOON)).toMatchObject({ grant_id: 'g' })
  expect(parseClaims(claims, ISSUER, ['mcp'], NOON)).toBe('foreign')
  expect(parseClaims({ ...claims, aud: `${ISSUER}/mcp/` }, ISSUER, ['interface', 'mcp'], NOON)).toBe(
    'foreign',
  )
})

test('ignores the expiry if now is undefined', () => {
  expect(parseClaims({ ...claims, exp: 0 }, ISSUER, ['interface'], undefined)).toMatchObject({
    grant_id: 'g',
    exp: 0,
  })
  expect(parseClaims({ ...omitClaims('grant_id'), exp: 0 }, ISSUER, ['interface'], undefined)).toBe('foreign')
})
