import type { Visitor } from '../accounts/account.ts'
import type { From } from '../letters/letter.ts'
import type { Ports } from '../ports.ts'
import { begin, beginProgram } from './begin.ts'
import type { BasicCredentials } from './client.ts'
import type { AppView } from './create-app.ts'
import { appOfLink, takeSecret } from './credentials.ts'
import { approve, type Consent, consent, deny } from './decide.ts'
import type { TokenResponse } from './issue.ts'
import type { Parameters } from './parameters.ts'
import { registerApp } from './register-app.ts'
import { type ProgramView, registerProgram } from './register-program.ts'
import { revoke, revokeForProgram } from './revoke.ts'
import { rotateApp } from './rotate-app.ts'
import { type ProgramTokens, programToken, token } from './token.ts'
import type { AccessTokens } from './tokens.ts'

/**
 * The issuer of programs, which nobody registers by hand. They have no secret and prove themselves by PKCE, and their tokens are for
 * `/mcp` alone.
 */
export interface ProgramApi {
  /** @throws CrmError `invalid_request` */
  register(input: object): Promise<ProgramView>
  /** As `OAuthApi.begin`. The document that describes the program may be fetched first. */
  begin(parameters: Parameters): Promise<string>
  /** @throws CrmError `invalid_request`, `invalid_client`, `invalid_grant`, `unsupported_grant_type` */
  token(parameters: Parameters): Promise<ProgramTokens>
  /** Removes the grant of an access or refresh token. @throws CrmError `invalid_request`, `invalid_client` */
  revoke(parameters: Parameters): Promise<void>
}

export interface OAuthApi {
  readonly programs: ProgramApi
  /**
   * Keeps what an app asks for, for 30 minutes, and gives its id: what the browser is sent on with.
   * @throws CrmError `invalid_request`, `invalid_client`, `unsupported_response_type`: none of them may be answered by a redirect
   */
  begin(parameters: Parameters): Promise<string>
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
  registerApp(input: unknown, from: From): Promise<AppView>
  /** @throws CrmError `invalid_request`, `invalid_client`, `rate_limit_exceeded` */
  rotateApp(input: unknown, from: From): Promise<{ readonly client_id: string }>
  /** The app whose secret a mailed link is good for; `undefined` when it is good for nothing. Changes nothing. */
  appOfLink(token: string): Promise<{ readonly client_id: string; readonly name: string } | undefined>
  /** Makes the secret, once. `undefined` when the link is good for nothing. */
  takeSecret(token: string): Promise<{ readonly client_id: string; readonly name: string; readonly client_secret: string } | undefined>
}

export function oauthApi(ports: Ports, tokens: AccessTokens): OAuthApi {
  return {
    programs: {
      register: (input) => registerProgram(ports, input),
      begin: (parameters) => beginProgram(ports, parameters),
      token: (parameters) => programToken(ports, tokens, parameters),
      revoke: (parameters) => revokeForProgram(ports, tokens, parameters),
    },
    begin: (parameters) => begin(ports, parameters),
    consent: ({ user }, authorizationId) => consent(ports, user.id, authorizationId),
    approve: ({ user }, authorizationId, workspaceId) => approve(ports, user.id, authorizationId, workspaceId),
    deny: (authorizationId) => deny(ports, authorizationId),
    token: (parameters, basic) => token(ports, tokens, parameters, basic),
    revoke: (parameters, basic) => revoke(ports, tokens, parameters, basic),
    registerApp: (input, from) => registerApp(ports, input, from),
    rotateApp: (input, from) => rotateApp(ports, input, from),
    appOfLink: (link) => appOfLink(ports, link),
    takeSecret: (link) => takeSecret(ports, link),
  }
}
