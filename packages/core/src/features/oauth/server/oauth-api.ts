import type { Ports } from '../../../ports/index.ts'
import type { Visitor } from '../../accounts/account.ts'
import type { RequestOrigin } from '../../mail/outgoing-mail.ts'
import { type ClientInformation, registerClient } from '../dynamic-clients/register-client.ts'
import type { AccessTokens } from '../tokens/access-tokens.ts'
import type { TokenResponse } from '../tokens/issue-tokens.ts'
import { beginAuthorization, beginPublicClientAuthorization } from './authorization-request.ts'
import type { BasicCredentials } from './client-authentication.ts'
import { findAppByLink, issueSecret } from './client-secret-link.ts'
import { approveConsent, type Consent, denyConsent, loadConsent } from './consent-decision.ts'
import type { AppView } from './create-app.ts'
import type { Parameters } from './parameters.ts'
import { registerApp } from './register-app.ts'
import { revokePublicClientToken, revokeToken } from './revoke-token.ts'
import { rotateApp } from './rotate-app.ts'
import { handlePublicTokenRequest, handleTokenRequest, type PublicTokenResponse } from './token-endpoint.ts'

/**
 * The issuer of programs, which nobody registers by hand. They have no secret and prove themselves by PKCE, and their tokens are for
 * `/mcp` alone.
 */
export interface PublicClientApi {
  /** @throws CrmError `invalid_request` */
  register(input: object): Promise<ClientInformation>
  /** As `OAuthApi.begin`. The document that describes the program may be fetched first. */
  beginAuthorization(parameters: Parameters): Promise<string>
  /** @throws CrmError `invalid_request`, `invalid_client`, `invalid_grant`, `unsupported_grant_type` */
  token(parameters: Parameters): Promise<PublicTokenResponse>
  /** Removes the grant of an access or refresh token. @throws CrmError `invalid_request`, `invalid_client` */
  revoke(parameters: Parameters): Promise<void>
}

export interface OAuthApi {
  readonly publicClients: PublicClientApi
  /**
   * Keeps what an app asks for, for 30 minutes, and gives its id: what the browser is sent on with.
   * @throws CrmError `invalid_request`, `invalid_client`, `unsupported_response_type`: none of them may be answered by a redirect
   */
  beginAuthorization(parameters: Parameters): Promise<string>
  /** `undefined` for what was decided, has expired, never was, or is more than the app may ask for by now. */
  consent(visitor: Visitor, authorizationId: string): Promise<Consent | undefined>
  /** The address to send the browser to, with a code; `undefined` as for `consent`. @throws CrmError `not_found` for a workspace the user is no member of */
  approve(visitor: Visitor, authorizationId: string, workspaceId: string): Promise<string | undefined>
  /** The address to send the browser to, with `access_denied`; `undefined` as for `consent`. */
  deny(authorizationId: string): Promise<string | undefined>
  /** The token endpoint. @throws CrmError `invalid_request`, `invalid_client`, `invalid_grant`, `unsupported_grant_type` */
  token(parameters: Parameters, basic?: BasicCredentials): Promise<TokenResponse>
  /** Removes the grant of an access token. @throws CrmError `invalid_request`, `invalid_client` */
  revoke(parameters: Parameters, basic?: BasicCredentials): Promise<void>
  /** @throws CrmError `invalid_request`, `rate_limit_exceeded` */
  registerApp(input: unknown, origin: RequestOrigin): Promise<AppView>
  /** @throws CrmError `invalid_request`, `invalid_client`, `rate_limit_exceeded` */
  rotateApp(input: unknown, origin: RequestOrigin): Promise<{ readonly client_id: string }>
  /** The app whose secret a mailed link is good for; `undefined` when it is good for nothing. Changes nothing. */
  findAppByLink(token: string): Promise<{ readonly client_id: string; readonly name: string } | undefined>
  /** Makes the secret, once. `undefined` when the link is good for nothing. */
  issueSecret(
    token: string,
  ): Promise<
    { readonly client_id: string; readonly name: string; readonly client_secret: string } | undefined
  >
}

export function oauthApi(ports: Ports, tokens: AccessTokens): OAuthApi {
  return {
    publicClients: {
      register: (input) => registerClient(ports, input),
      beginAuthorization: (parameters) => beginPublicClientAuthorization(ports, parameters),
      token: (parameters) => handlePublicTokenRequest(ports, tokens, parameters),
      revoke: (parameters) => revokePublicClientToken(ports, tokens, parameters),
    },
    beginAuthorization: (parameters) => beginAuthorization(ports, parameters),
    consent: ({ user }, authorizationId) => loadConsent(ports, user.id, authorizationId),
    approve: ({ user }, authorizationId, workspaceId) =>
      approveConsent(ports, user.id, authorizationId, workspaceId),
    deny: (authorizationId) => denyConsent(ports, authorizationId),
    token: (parameters, basic) => handleTokenRequest(ports, tokens, parameters, basic),
    revoke: (parameters, basic) => revokeToken(ports, tokens, parameters, basic),
    registerApp: (input, origin) => registerApp(ports, input, origin),
    rotateApp: (input, origin) => rotateApp(ports, input, origin),
    findAppByLink: (link) => findAppByLink(ports, link),
    issueSecret: (link) => issueSecret(ports, link),
  }
}
