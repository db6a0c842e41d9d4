import { MCP_SCOPES, SCOPES } from '@sales-crm/core'

const CLIENT_AUTH_METHODS = ['client_secret_post', 'client_secret_basic']

/** Metadata that both issuers share. */
const COMMON_METADATA = {
  scopes_supported: SCOPES,
  response_types_supported: ['code'],
  response_modes_supported: ['query'],
  grant_types_supported: ['authorization_code', 'refresh_token'],
  code_challenge_methods_supported: ['S256'],
  authorization_response_iss_parameter_supported: true,
}

/** Returns the authorization server metadata for registered apps (RFC 8414). */
export function authorizationServerMetadata(issuer: string): object {
  return {
    issuer,
    authorization_endpoint: `${issuer}/oauth/authorize`,
    token_endpoint: `${issuer}/oauth/token`,
    revocation_endpoint: `${issuer}/oauth/revoke`,
    ...COMMON_METADATA,
    token_endpoint_auth_methods_supported: CLIENT_AUTH_METHODS,
    revocation_endpoint_auth_methods_supported: CLIENT_AUTH_METHODS,
  }
}

/** Returns the protected resource metadata of the REST API (RFC 9728). */
export function protectedResourceMetadata(issuer: string): object {
  return {
    resource: issuer,
    authorization_servers: [issuer],
    scopes_supported: SCOPES,
    bearer_methods_supported: ['header'],
  }
}

/**
 * Returns the metadata of the issuer for public clients: registered dynamically, or by a metadata document.
 */
export function publicClientServerMetadata(issuer: string): object {
  const mcpIssuer = `${issuer}/mcp`
  return {
    issuer: mcpIssuer,
    authorization_endpoint: `${mcpIssuer}/authorize`,
    token_endpoint: `${mcpIssuer}/token`,
    registration_endpoint: `${mcpIssuer}/register`,
    revocation_endpoint: `${mcpIssuer}/revoke`,
    ...COMMON_METADATA,
    token_endpoint_auth_methods_supported: ['none'],
    revocation_endpoint_auth_methods_supported: ['none'],
    scopes_supported: MCP_SCOPES,
    client_id_metadata_document_supported: true,
  }
}

/** Returns the metadata of the MCP endpoint. Tokens for the whole API are valid there too. */
export function toolsResourceMetadata(issuer: string): object {
  return {
    ...protectedResourceMetadata(issuer),
    resource: `${issuer}/mcp`,
    authorization_servers: [`${issuer}/mcp`, issuer],
    scopes_supported: MCP_SCOPES,
  }
}
