import { CrmError } from '../errors.ts'
import type { Ports } from '../ports.ts'
import type { App } from './app.ts'
import { authenticated, type BasicCredentials, credentialsIn, identified } from './client.ts'
import { exchangeCode } from './exchange.ts'
import { type Issued, type TokenResponse, tokenResponse } from './issue.ts'
import { type Known, needAll, type Parameters, readKnown } from './parameters.ts'
import { refresh } from './refresh.ts'
import type { AccessTokens } from './tokens.ts'

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

type Sent = Known<(typeof NAMES)[number]>
/** Finds out who sent it, once what is needed is there. */
type Sender = (sent: Sent, needed: readonly ('code' | 'refresh_token')[]) => Promise<App>

/** A Token response that says what the token is good for, as RFC 6749 has it. */
export type ProgramTokens = TokenResponse & { readonly scope: string }

/** What is sent is looked at first, then who sends it, and only then what it is worth. @throws CrmError */
export async function token(
  ports: Ports,
  tokens: AccessTokens,
  parameters: Parameters,
  basic: BasicCredentials | undefined,
): Promise<TokenResponse> {
  const sender: Sender = (sent, needed) => authenticated(ports, credentialsIn(sent, basic, needed))
  return tokenResponse(tokens, await issued(ports, parameters, sender))
}

/** The same for programs, which have nothing to authenticate with. @throws CrmError */
export async function programToken(ports: Ports, tokens: AccessTokens, parameters: Parameters): Promise<ProgramTokens> {
  const made = await issued(ports, parameters, (sent, needed) => identified(ports, sent, needed))
  return { ...(await tokenResponse(tokens, made)), scope: made.scopes.join(' ') }
}

async function issued(ports: Ports, parameters: Parameters, sender: Sender): Promise<Issued> {
  const sent = readKnown(parameters, NAMES)
  needAll(sent, ['grant_type'])
  const { grant_type, code, redirect_uri, code_verifier, refresh_token, scope, resource } = sent
  if (grant_type === 'authorization_code') {
    const app = await sender(sent, ['code'])
    return exchangeCode(ports, app, { code: code!, redirect_uri, code_verifier, resource })
  }
  if (grant_type === 'refresh_token') {
    const app = await sender(sent, ['refresh_token'])
    return refresh(ports, app, { refresh_token: refresh_token!, scope, resource })
  }
  throw new CrmError('unsupported_grant_type', 'The grant_type must be authorization_code or refresh_token.', {
    grant_type: 'Must be one of: authorization_code, refresh_token.',
  })
}
