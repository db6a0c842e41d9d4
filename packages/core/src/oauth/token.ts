import { CrmError } from '../errors.ts'
import type { Ports } from '../ports.ts'
import { authenticated, type BasicCredentials, credentialsIn } from './client.ts'
import { exchangeCode } from './exchange.ts'
import type { TokenResponse } from './issue.ts'
import { needAll, type Parameters, readKnown } from './parameters.ts'
import { refresh } from './refresh.ts'
import type { AccessTokens } from './tokens.ts'

const NAMES = ['grant_type', 'code', 'redirect_uri', 'code_verifier', 'refresh_token', 'scope', 'client_id', 'client_secret'] as const

/** What is sent is looked at first, then who sends it, and only then what it is worth. @throws CrmError */
export async function token(
  ports: Ports,
  tokens: AccessTokens,
  parameters: Parameters,
  basic: BasicCredentials | undefined,
): Promise<TokenResponse> {
  const sent = readKnown(parameters, NAMES)
  needAll(sent, ['grant_type'])
  const { grant_type, code, redirect_uri, code_verifier, refresh_token, scope } = sent
  if (grant_type === 'authorization_code') {
    const app = await authenticated(ports, credentialsIn(sent, basic, ['code']))
    return exchangeCode(ports, tokens, app.id, { code: code!, redirect_uri, code_verifier })
  }
  if (grant_type === 'refresh_token') {
    const app = await authenticated(ports, credentialsIn(sent, basic, ['refresh_token']))
    return refresh(ports, tokens, app.id, { refresh_token: refresh_token!, scope })
  }
  throw new CrmError('unsupported_grant_type', 'The grant_type must be authorization_code or refresh_token.', {
    grant_type: 'Must be one of: authorization_code, refresh_token.',
  })
}
