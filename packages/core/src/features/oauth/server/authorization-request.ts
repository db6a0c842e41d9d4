import { findById } from '../../../engine/find-by-id.ts'
import { CrmError, type FieldErrors, invalidClient, invalidRequest } from '../../../kernel/errors.ts'
import { addSeconds, MINUTE } from '../../../kernel/instant.ts'
import type { Ports } from '../../../ports/index.ts'
import type { App } from '../../../schema/app.ts'
import type { Authorization } from '../../../schema/authorization.ts'
import type { Audience } from '../../../schema/grant.ts'
import {
  dropIdentityScopes,
  getAllowedScopes,
  isPublicClient,
  isRedirectUriAllowed,
} from '../public-clients/public-client.ts'
import { resolveClient } from '../public-clients/resolve-client.ts'
import {
  type KnownParameters,
  type Parameters,
  parseScopes,
  readParameters,
  requireParameters,
} from './parameters.ts'
import { isCodeChallenge } from './pkce.ts'
import { resolveAudience } from './resource-indicator.ts'

const LIFETIME_SECONDS = 30 * MINUTE
const MAX_STATE_LENGTH = 4096
const NAMES = [
  'client_id',
  'redirect_uri',
  'response_type',
  'scope',
  'state',
  'resource',
  'code_challenge',
  'code_challenge_method',
] as const

type AuthorizationParameters = KnownParameters<(typeof NAMES)[number]>

/**
 * Validates and stores an authorization request, and returns its id.
 * @throws CrmError `invalid_request`, `invalid_client`, `unsupported_response_type`
 */
export async function beginAuthorization(ports: Ports, parameters: Parameters): Promise<string> {
  const request = readAuthorizationParameters(parameters)
  const clientId = request.client_id!
  const app = await ports.storage.read((tx) => findById(tx.apps, clientId))
  if (!app?.active || isPublicClient(app)) throw invalidClient()
  return storeAuthorization(ports, app, request)
}

/**
 * Does the same for public clients. May fetch the client metadata document first.
 * @throws CrmError `invalid_request`, `invalid_client`, `unsupported_response_type`
 */
export async function beginPublicClientAuthorization(ports: Ports, parameters: Parameters): Promise<string> {
  const request = readAuthorizationParameters(parameters)
  return storeAuthorization(ports, await resolveClient(ports, request.client_id!), request)
}

function readAuthorizationParameters(parameters: Parameters): AuthorizationParameters {
  const request = readParameters(parameters, NAMES)
  requireParameters(request, ['client_id'])
  return request
}

async function storeAuthorization(
  { storage, now, newId, issuer }: Ports,
  app: App,
  request: AuthorizationParameters,
): Promise<string> {
  const redirect_uri = requireRegisteredUri(request, app)
  requireCodeResponseType(request)
  const audience = resolveAudience(request.resource, issuer, isPublicClient(app) ? 'mcp' : 'interface', app)
  const { scopes, state } = parseScopesAndState(request, app, audience)
  const at = now()
  const authorization: Authorization = {
    id: newId(),
    client_id: app.id,
    redirect_uri,
    state,
    scopes,
    audience,
    code_challenge: request.code_challenge ?? null,
    expires_at: addSeconds(at, LIFETIME_SECONDS),
    created_at: at,
    updated_at: at,
  }
  await storage.transact((tx) => tx.authorizations.insert(authorization))
  return authorization.id
}

function requireRegisteredUri(request: AuthorizationParameters, app: App): string {
  requireParameters(request, ['redirect_uri'])
  const uri = request.redirect_uri!
  if (isRedirectUriAllowed(app, uri)) return uri
  throw invalidRequest('The redirect_uri is not registered for the app.', {
    redirect_uri: 'Must be one of the registered redirect URIs, to the letter.',
  })
}

function requireCodeResponseType(request: AuthorizationParameters): void {
  requireParameters(request, ['response_type'])
  if (request.response_type === 'code') return
  throw new CrmError('unsupported_response_type', 'The response_type must be code.', {
    response_type: 'Must be code.',
  })
}

/** Reports all errors of the optional parameters together. */
function parseScopesAndState(
  request: AuthorizationParameters,
  app: App,
  audience: Audience,
): Pick<Authorization, 'scopes' | 'state'> {
  const scope = isPublicClient(app) ? dropIdentityScopes(request.scope) : request.scope
  const scopes = selectScopes(scope, app, audience)
  const state = request.state === undefined ? null : encodeState(request.state)
  const badScope = isPublicClient(app)
    ? 'Must be scopes of this service, separated by spaces.'
    : 'Must be scopes of the app, separated by spaces.'
  const fields: FieldErrors = {
    ...(!scopes && { scope: badScope }),
    ...(state === undefined && {
      state: `Must be text of at most ${MAX_STATE_LENGTH} characters once it is percent-encoded.`,
    }),
    ...findPkceErrors(request, isPublicClient(app)),
  }
  if (scopes && state !== undefined && Object.keys(fields).length === 0) return { scopes, state }
  const rfcCode = Object.keys(fields).join() === 'scope' ? 'invalid_scope' : undefined
  throw invalidRequest('A parameter is invalid.', fields, rfcCode)
}

/** Returns `undefined` for scopes that the app may not request, and if none is left. */
function selectScopes(
  scope: string | undefined,
  app: App,
  audience: Audience,
): readonly string[] | undefined {
  const allowed = getAllowedScopes(app, audience)
  if (scope !== undefined) return parseScopes(scope, allowed)
  const defaults = [...new Set(app.scopes)].filter((each) => allowed.includes(each))
  return defaults.length > 0 ? defaults : undefined
}

/** Returns the percent-encoded state, or `undefined` if it is too long or contains a lone surrogate. */
function encodeState(state: string): string | undefined {
  if (state.length > MAX_STATE_LENGTH || !state.isWellFormed()) return undefined
  const text = encodeURIComponent(state)
  return text.length > MAX_STATE_LENGTH ? undefined : text
}

/**
 * Rejects a missing method: it means `plain`, and a `plain` challenge exposes the verifier to anyone who can
 * read the request (RFC 7636).
 * @param isRequired true for public clients, which have no secret
 */
function findPkceErrors(
  { code_challenge: challenge, code_challenge_method: method }: AuthorizationParameters,
  isRequired: boolean,
): FieldErrors {
  if (challenge === undefined && isRequired) return { code_challenge: 'Required.' }
  if (challenge === undefined)
    return method === undefined ? {} : { code_challenge: 'Required with a code_challenge_method.' }
  return {
    ...(!isCodeChallenge(challenge) && { code_challenge: 'Must be 43 characters of Base64url.' }),
    ...(method !== 'S256' && { code_challenge_method: 'Must be S256.' }),
  }
}
