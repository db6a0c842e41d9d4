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

function without(...names: (keyof typeof claims)[]) {
  return Object.fromEntries(
    Object.entries(claims).filter(([name]) => !names.includes(name as keyof typeof claims)),
  )
}

test('a good token says whose it is', () => {
  const good = {
    workspace_id: 'w',
    client_id: 'c',
    service_scopes: ['tasks:read'],
    grant_id: 'g',
    exp: noon + 1,
  }
  expect(parseClaims(claims, ISSUER, ['interface'], NOON)).toEqual(good)
  expect(
    parseClaims({ ...claims, service_scopes: [], nbf: null, more: 1 }, ISSUER, ['interface'], NOON),
  ).toEqual({
    ...good,
    service_scopes: [],
  })
})

test.each([
  ['of another issuer', { ...claims, iss: 'https://other.example' }, 'foreign'],
  ['of no issuer', without('iss'), 'foreign'],
  ['for another audience', { ...claims, aud: `${ISSUER}/v1` }, 'foreign'],
  ['for the tools alone', { ...claims, aud: `${ISSUER}/mcp` }, 'foreign'],
  [
    'for the tools alone, incomplete and expired',
    { ...without('client_id'), aud: `${ISSUER}/mcp`, exp: 0 },
    'foreign',
  ],
  [
    'for the tools of another issuer',
    { ...claims, iss: 'https://other.example', aud: `${ISSUER}/mcp` },
    'foreign',
  ],
  ['for several audiences', { ...claims, aud: [ISSUER] }, 'foreign'],
  ['that never expires', without('exp'), 'foreign'],
  ['that expires at a text', { ...claims, exp: String(noon + 1) }, 'foreign'],
  ['that is to be used later', { ...claims, nbf: noon }, 'foreign'],
  ['without a grant', without('grant_id'), 'foreign'],
  ['without a workspace', without('workspace_id'), 'incomplete'],
  ['without a client', without('client_id'), 'incomplete'],
  ['without scopes', without('service_scopes'), 'incomplete'],
  ['with scopes as a text', { ...claims, service_scopes: 'tasks:read' }, 'incomplete'],
  ['with a scope that is no text', { ...claims, service_scopes: [1] }, 'incomplete'],
  ['with a workspace that is no text', { ...claims, workspace_id: 1 }, 'incomplete'],
  ['that expires now', { ...claims, exp: noon }, 'expired'],
  ['that has expired', { ...claims, exp: 0 }, 'expired'],
  ['that is foreign, incomplete and expired', { exp: 0 }, 'foreign'],
  ['that is incomplete and expired', { ...without('client_id'), exp: 0 }, 'incomplete'],
  ['that is incomplete and has no grant', without('client_id', 'grant_id'), 'incomplete'],
  ['that has no grant and is expired', { ...without('grant_id'), exp: 0 }, 'foreign'],
  ['of nothing', {}, 'foreign'],
])('a token %s is judged', (_, bad, fault) => {
  expect(parseClaims(bad as Record<string, unknown>, ISSUER, ['interface'], NOON)).toBe(fault)
})

test('a token for the tools is good where tokens for them are accepted', () => {
  const forTools = { ...claims, aud: `${ISSUER}/mcp` }
  expect(parseClaims(forTools, ISSUER, ['interface', 'mcp'], NOON)).toMatchObject({ grant_id: 'g' })
  expect(parseClaims(forTools, ISSUER, ['mcp'], NOON)).toMatchObject({ grant_id: 'g' })
  expect(parseClaims(claims, ISSUER, ['mcp'], NOON)).toBe('foreign')
  expect(parseClaims({ ...claims, aud: `${ISSUER}/mcp/` }, ISSUER, ['interface', 'mcp'], NOON)).toBe(
    'foreign',
  )
})

test('a token says whose it is after it has expired, where that is asked', () => {
  expect(parseClaims({ ...claims, exp: 0 }, ISSUER, ['interface'], undefined)).toMatchObject({
    grant_id: 'g',
    exp: 0,
  })
  expect(parseClaims({ ...without('grant_id'), exp: 0 }, ISSUER, ['interface'], undefined)).toBe('foreign')
})
