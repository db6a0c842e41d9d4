import { CrmError } from '../../../kernel/errors.ts'
import type { Ports } from '../../../ports/index.ts'
import type { App } from '../../../schema/app.ts'
import type { AccessTokens } from '../tokens/access-tokens.ts'
import { buildTokenResponse, type IssuedTokens, type TokenResponse } from '../tokens/issue-tokens.ts'
import {
  authenticateClient,
  type BasicCredentials,
  identifyPublicClient,
  parseClientCredentials,
} from './client-authentication.ts'
import { exchangeCode } from './exchange-code.ts'
import { type KnownParameters, type Parameters, readParameters, requireParameters } from './parameters.ts'
import { refreshTokens } from './refresh-tokens.ts'

const NAMES = [
  'grant_type',
  'code',
  'redirect_uri',
  'code_verifier',
  'refresh_token',
  'scope',
  'resource',
  'client_id',
  'client_secret',
] as const

type TokenParameters = KnownParameters<(typeof NAMES)[number]>
/** Checks the required parameters and returns the app that sent the request. */
type AuthenticateClient = (
  request: TokenParameters,
  required: readonly ('code' | 'refresh_token')[],
) => Promise<App>

/** A token response with the granted `scope` (RFC 6749). */
export type PublicTokenResponse = TokenResponse & { readonly scope: string }

/**
 * Handles a token request. Checks the parameters first, then the client, then the code or token.
 * @throws CrmError `invalid_request`, `invalid_client`, `invalid_grant`, `unsupported_grant_type`
 */
export async function handleTokenRequest(
  ports: Ports,
  tokens: AccessTokens,
  parameters: Parameters,
  basic: BasicCredentials | undefined,
): Promise<TokenResponse> {
  const authenticate: AuthenticateClient = (request, required) =>
    authenticateClient(ports, parseClientCredentials(request, basic, required))
  return buildTokenResponse(tokens, await issueTokens(ports, parameters, authenticate))
}

/**
 * Does the same for public clients, which do not authenticate.
 * @throws CrmError `invalid_request`, `invalid_client`, `invalid_grant`, `unsupported_grant_type`
 */
export async function handlePublicTokenRequest(
  ports: Ports,
  tokens: AccessTokens,
  parameters: Parameters,
): Promise<PublicTokenResponse> {
  const tokensIssued = await issueTokens(ports, parameters, (request, required) =>
    identifyPublicClient(ports, request, required),
  )
  return { ...(await buildTokenResponse(tokens, tokensIssued)), scope: tokensIssued.scopes.join(' ') }
}

async function issueTokens(
  ports: Ports,
  parameters: Parameters,
  authenticate: AuthenticateClient,
): Promise<IssuedTokens> {
  const request = readParameters(parameters, NAMES)
  requireParameters(request, ['grant_type'])
  const { grant_type, code, redirect_uri, code_verifier, refresh_token, scope, resource } = request
  if (grant_type === 'authorization_code') {
    const app = await authenticate(request, ['code'])
    return exchangeCode(ports, app, { code: code!, redirect_uri, code_verifier, resource })
  }
  if (grant_type === 'refresh_token') {
    const app = await authenticate(request, ['refresh_token'])
    return refreshTokens(ports, app, { refresh_token: refresh_token!, scope, resource })
  }
  throw new CrmError(
    'unsupported_grant_type',
    'The grant_type must be authorization_code or refresh_token.',
    {
      grant_type: 'Must be one of: authorization_code, refresh_token.',
    },
  )
}
