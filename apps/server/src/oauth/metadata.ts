import { SCOPES } from '@sales-crm/core'

const CLIENT_AUTHENTICATION = ['client_secret_post', 'client_secret_basic']

/** What a client can find out about the authorization server by itself (RFC 8414). */
export function serverMetadata(issuer: string): object {
  return {
    issuer,
    authorization_endpoint: `${issuer}/oauth/authorize`,
    token_endpoint: `${issuer}/oauth/token`,
    revocation_endpoint: `${issuer}/oauth/revoke`,
    scopes_supported: SCOPES,
    response_types_supported: ['code'],
    response_modes_supported: ['query'],
    grant_types_supported: ['authorization_code', 'refresh_token'],
    code_challenge_methods_supported: ['S256'],
    token_endpoint_auth_methods_supported: CLIENT_AUTHENTICATION,
    revocation_endpoint_auth_methods_supported: CLIENT_AUTHENTICATION,
    authorization_response_iss_parameter_supported: true,
  }
}

/** Where tokens for the interface come from (RFC 9728). */
export function resourceMetadata(issuer: string): object {
  return { resource: issuer, authorization_servers: [issuer], scopes_supported: SCOPES, bearer_methods_supported: ['header'] }
}
