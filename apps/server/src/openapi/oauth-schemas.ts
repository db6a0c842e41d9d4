import { SCOPES } from '@sales-crm/core'
import * as v from 'valibot'

const uri = v.pipe(v.string(), v.url())
const scopes = v.array(v.picklist(SCOPES))
const strings = v.array(v.string())
const challenge = v.pipe(v.string(), v.regex(/^[A-Za-z0-9_-]{43}$/))
const resource = v.optional(uri)

/** Documented parameters of the OAuth endpoints. The core parses them itself, and ignores all others. */
export const authorizeQuery = v.object({
  client_id: v.pipe(v.string(), v.uuid()),
  redirect_uri: uri,
  response_type: v.picklist(['code']),
  state: v.optional(v.pipe(v.string(), v.maxLength(4096))),
  scope: v.optional(v.string()),
  code_challenge: v.optional(challenge),
  code_challenge_method: v.optional(v.picklist(['S256'])),
  resource,
})

const credentials = {
  client_id: v.optional(v.pipe(v.string(), v.uuid())),
  client_secret: v.optional(v.string()),
}

export const tokenForm = v.looseObject({
  grant_type: v.picklist(['authorization_code', 'refresh_token']),
  code: v.optional(v.string()),
  redirect_uri: v.optional(uri),
  code_verifier: v.optional(v.pipe(v.string(), v.regex(/^[A-Za-z0-9._~-]{43,128}$/))),
  refresh_token: v.optional(v.string()),
  scope: v.optional(v.string()),
  resource,
  ...credentials,
})

export const revokeBody = v.looseObject({ token: v.string(), ...credentials })

export const serverMetadata = v.strictObject({
  issuer: uri,
  authorization_endpoint: uri,
  token_endpoint: uri,
  revocation_endpoint: uri,
  scopes_supported: scopes,
  response_types_supported: strings,
  response_modes_supported: strings,
  grant_types_supported: strings,
  code_challenge_methods_supported: strings,
  token_endpoint_auth_methods_supported: strings,
  revocation_endpoint_auth_methods_supported: strings,
  authorization_response_iss_parameter_supported: v.boolean(),
})

export const resourceMetadata = v.strictObject({
  resource: uri,
  authorization_servers: v.array(uri),
  scopes_supported: scopes,
  bearer_methods_supported: strings,
})
