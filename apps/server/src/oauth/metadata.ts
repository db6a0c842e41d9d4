import { SCOPES } from '@sales-crm/core'

const CLIENT_AUTHENTICATION = ['client_secret_post', 'client_secret_basic']

/** What both issuers do alike. */
const COMMON = {
  scopes_supported: SCOPES,
  response_types_supported: ['code'],
  response_modes_supported: ['query'],
  grant_types_supported: ['authorization_code', 'refresh_token'],
  code_challenge_methods_supported: ['S256'],
  authorization_response_iss_parameter_supported: true,
}

/** What a client can find out about the authorization server by itself (RFC 8414). */
export function serverMetadata(issuer: string): object {
  return {
    issuer,
    authorization_endpoint: `${issuer}/oauth/authorize`,
    token_endpoint: `${issuer}/oauth/token`,
    revocation_endpoint: `${issuer}/oauth/revoke`,
    ...COMMON,
    token_endpoint_auth_methods_supported: CLIENT_AUTHENTICATION,
    revocation_endpoint_auth_methods_supported: CLIENT_AUTHENTICATION,
  }
}

/** Where tokens for the interface come from (RFC 9728). */
export function resourceMetadata(issuer: string): object {
  return { resource: issuer, authorization_servers: [issuer], scopes_supported: SCOPES, bearer_methods_supported: ['header'] }
}

/** The same of the issuer of programs, which register themselves or are described by a document. */
export function programServerMetadata(issuer: string): object {
  const own = `${issuer}/mcp`
  return {
    issuer: own,
    authorization_endpoint: `${own}/authorize`,
    token_endpoint: `${own}/token`,
    registration_endpoint: `${own}/register`,
    revocation_endpoint: `${own}/revoke`,
    ...COMMON,
    token_endpoint_auth_methods_supported: ['none'],
    revocation_endpoint_auth_methods_supported: ['none'],
    client_id_metadata_document_supported: true,
  }
}

/** Where tokens for the tools come from. What is for the whole interface opens them too. */
export function toolsMetadata(issuer: string): object {
  return { ...resourceMetadata(issuer), resource: `${issuer}/mcp`, authorization_servers: [`${issuer}/mcp`, issuer] }
}
