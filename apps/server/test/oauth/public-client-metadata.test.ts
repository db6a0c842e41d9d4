import { MCP_SCOPES } from '@sales-crm/core'
import { memoryStorage } from '@sales-crm/core/memory'
import { expect, test } from 'vitest'
import { openService, sendRequest } from '../support/test-service.ts'

test.each(['https://crm.example', 'https://crm.example/sales', 'http://127.0.0.1:3000'])(
  'a public client discovers its authorization server: %s',
  async (issuer) => {
    const { app } = await openService(memoryStorage(), { issuer })
    const issuerPath = new URL(issuer).pathname.replace(/\/$/, '')
    const paths = [
      '/.well-known/oauth-authorization-server/mcp',
      `/.well-known/oauth-authorization-server${issuerPath}/mcp`,
      '/mcp/.well-known/oauth-authorization-server',
      '/mcp/.well-known/openid-configuration',
    ]
    for (const path of paths) {
      const { status, json } = await sendRequest(app, 'GET', path)
      expect([path, status, json]).toEqual([
        path,
        200,
        {
          issuer: `${issuer}/mcp`,
          authorization_endpoint: `${issuer}/mcp/authorize`,
          token_endpoint: `${issuer}/mcp/token`,
          registration_endpoint: `${issuer}/mcp/register`,
          revocation_endpoint: `${issuer}/mcp/revoke`,
          scopes_supported: MCP_SCOPES,
          response_types_supported: ['code'],
          response_modes_supported: ['query'],
          grant_types_supported: ['authorization_code', 'refresh_token'],
          code_challenge_methods_supported: ['S256'],
          token_endpoint_auth_methods_supported: ['none'],
          revocation_endpoint_auth_methods_supported: ['none'],
          client_id_metadata_document_supported: true,
          authorization_response_iss_parameter_supported: true,
        },
      ])
    }
  },
)

test.each(['https://crm.example', 'https://crm.example/sales'])(
  'a client finds the issuer from the MCP address: %s',
  async (issuer) => {
    const { app } = await openService(memoryStorage(), { issuer })
    const issuerPath = new URL(issuer).pathname.replace(/\/$/, '')
    for (const path of [
      '/.well-known/oauth-protected-resource/mcp',
      `/.well-known/oauth-protected-resource${issuerPath}/mcp`,
    ]) {
      const { status, json, headers } = await sendRequest(app, 'GET', path)
      expect([path, status, json, headers.get('Cache-Control')]).toEqual([
        path,
        200,
        {
          resource: `${issuer}/mcp`,
          authorization_servers: [`${issuer}/mcp`, issuer],
          scopes_supported: MCP_SCOPES,
          bearer_methods_supported: ['header'],
        },
        'public, max-age=3600',
      ])
    }
    const root = await sendRequest(app, 'GET', '/.well-known/oauth-protected-resource')
    expect(root.json).toMatchObject({ resource: issuer, authorization_servers: [issuer] })
  },
)

test('no other metadata path exists', async () => {
  const { app } = await openService(memoryStorage())
  for (const path of [
    '/.well-known/openid-configuration',
    '/.well-known/openid-configuration/mcp',
    '/.well-known/oauth-authorization-server/mcp/',
  ]) {
    expect((await sendRequest(app, 'GET', path)).status).toBe(404)
  }
})
