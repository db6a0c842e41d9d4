import type { Ports } from '../../../ports/index.ts'
import type { UserSession } from '../../accounts/account.ts'
import type { RequestOrigin } from '../../mail/outgoing-mail.ts'
import { type ClientInformation, registerClient } from '../public-clients/register-client.ts'
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

/** The issuer of public clients. They have no secret and use PKCE, and their tokens are for `/mcp` only. */
export interface PublicClientApi {
  /**
   * Registers a client (RFC 7591): active at once, without a secret. Unknown metadata is ignored.
   * @throws CrmError `invalid_request`
   */
  register(input: object): Promise<ClientInformation>
  /** Does the same as `OAuthApi.beginAuthorization`. May fetch the client metadata document first. */
  beginAuthorization(parameters: Parameters): Promise<string>
  /**
   * The token endpoint. The client proves itself by PKCE, or by the refresh token.
   * @throws CrmError `invalid_request`, `invalid_client`, `invalid_grant`, `unsupported_grant_type`
   */
  token(parameters: Parameters): Promise<PublicTokenResponse>
  /** Revokes the grant of an access or refresh token. @throws CrmError `invalid_request`, `invalid_client` */
  revoke(parameters: Parameters): Promise<void>
}

/** The OAuth 2.1 authorization server, as `crm.oauth`: the contract's section "Authentication". */
export interface OAuthApi {
  /** The second issuer, for clients that register themselves. */
  readonly publicClients: PublicClientApi
  /**
   * Stores an authorization request for 30 minutes and returns its id, for the URL of the consent page.
   * @throws CrmError `invalid_request`, `invalid_client`, `unsupported_response_type`. The response to an
   * error must not be a redirect.
   */
  beginAuthorization(parameters: Parameters): Promise<string>
  /**
   * Returns the consent page of an authorization. Returns `undefined` if it does not exist, was decided, has
   * expired, or requests more than the app may have now.
   */
  consent(userSession: UserSession, authorizationId: string): Promise<Consent | undefined>
  /**
   * Returns the redirect URL with a code, or `undefined` as `consent` does.
   * @throws CrmError `not_found` if the user is not a member of the workspace
   */
  approve(userSession: UserSession, authorizationId: string, workspaceId: string): Promise<string | undefined>
  /** Returns the redirect URL with `access_denied`, or `undefined` as `consent` does. */
  deny(authorizationId: string): Promise<string | undefined>
  /**
   * The token endpoint.
   * @throws CrmError `invalid_request`, `invalid_client`, `invalid_grant`, `unsupported_grant_type`
   */
  token(parameters: Parameters, basic?: BasicCredentials): Promise<TokenResponse>
  /** Revokes the grant of an access token. @throws CrmError `invalid_request`, `invalid_client` */
  revoke(parameters: Parameters, basic?: BasicCredentials): Promise<void>
  /**
   * Registers an inactive app and mails its owner a link, valid for 15 minutes, that issues the secret and
   * activates the app.
   * @throws CrmError `invalid_request`, `rate_limit_exceeded`
   */
  registerApp(input: unknown, origin: RequestOrigin): Promise<AppView>
  /**
   * Invalidates the app's secret at once and mails its owner a link, valid for 15 minutes, that issues a new
   * one.
   * @throws CrmError `invalid_request`, `rate_limit_exceeded`; `invalid_client` for an unknown app and a
   * wrong e-mail address
   */
  rotateApp(input: unknown, origin: RequestOrigin): Promise<{ readonly client_id: string }>
  /** Returns the app of a mailed link, or `undefined` if the link is invalid or expired. Changes nothing. */
  findAppByLink(token: string): Promise<{ readonly client_id: string; readonly name: string } | undefined>
  /** Issues a secret once. Returns `undefined` if the link is invalid or expired. */
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
