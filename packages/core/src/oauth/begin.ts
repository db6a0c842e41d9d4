import { CrmError, type FieldErrors, invalidClient, invalidRequest } from '../errors.ts'
import { later, MINUTE } from '../instants.ts'
import type { Ports } from '../ports.ts'
import { isUuid } from '../records/fields.ts'
import type { App } from './app.ts'
import { askingProgram } from './asking-program.ts'
import type { Authorization } from './authorization.ts'
import { type Known, needAll, type Parameters, readKnown, scopesWithin } from './parameters.ts'
import { isChallenge } from './pkce.ts'
import { isProgram, mayLeadTo, scopesOpenTo } from './program.ts'
import { audienceAsked } from './resource.ts'

const LIFETIME_SECONDS = 30 * MINUTE
const LONGEST_STATE = 4096
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

type Asked = Known<(typeof NAMES)[number]>

/** @throws CrmError `invalid_request`, `invalid_client`, `unsupported_response_type` */
export async function begin(ports: Ports, parameters: Parameters): Promise<string> {
  const asked = readAsked(parameters)
  const clientId = asked.client_id!
  const app = isUuid(clientId) ? await ports.storage.read((tx) => tx.apps.get(clientId.toLowerCase())) : undefined
  if (!app?.active || isProgram(app)) throw invalidClient()
  return kept(ports, app, asked)
}

/** As `begin`, for programs. The document that describes one may be fetched first. @throws CrmError as `begin` */
export async function beginProgram(ports: Ports, parameters: Parameters): Promise<string> {
  const asked = readAsked(parameters)
  return kept(ports, await askingProgram(ports, asked.client_id!), asked)
}

function readAsked(parameters: Parameters): Asked {
  const asked = readKnown(parameters, NAMES)
  needAll(asked, ['client_id'])
  return asked
}

async function kept({ storage, now, newId, issuer }: Ports, app: App, asked: Asked): Promise<string> {
  const redirect_uri = registeredUri(asked, app)
  mustAskForCode(asked)
  const { scopes, state } = judged(asked, app)
  const audience = audienceAsked(asked.resource, issuer, isProgram(app) ? 'mcp' : 'interface')
  const at = now()
  const authorization: Authorization = {
    id: newId(),
    client_id: app.id,
    redirect_uri,
    state,
    scopes,
    audience,
    code_challenge: asked.code_challenge ?? null,
    expires_at: later(at, LIFETIME_SECONDS),
    created_at: at,
    updated_at: at,
  }
  await storage.transact((tx) => tx.authorizations.insert(authorization))
  return authorization.id
}

function registeredUri(asked: Asked, app: App): string {
  needAll(asked, ['redirect_uri'])
  const uri = asked.redirect_uri!
  if (mayLeadTo(app, uri)) return uri
  throw invalidRequest('The redirect_uri is not registered for the app.', {
    redirect_uri: 'Must be one of the registered redirect URIs, to the letter.',
  })
}

function mustAskForCode(asked: Asked): void {
  needAll(asked, ['response_type'])
  if (asked.response_type === 'code') return
  throw new CrmError('unsupported_response_type', 'The response_type must be code.', { response_type: 'Must be code.' })
}

/** What is wrong with the parameters that may be left out is told together. */
function judged(asked: Asked, app: App): Pick<Authorization, 'scopes' | 'state'> {
  const scopes = asked.scope === undefined ? [...new Set(app.scopes)] : scopesWithin(asked.scope, scopesOpenTo(app))
  const state = asked.state === undefined ? null : encoded(asked.state)
  const badScope = isProgram(app)
    ? 'Must be scopes of this service, separated by spaces.'
    : 'Must be scopes of the app, separated by spaces.'
  const fields: FieldErrors = {
    ...(!scopes && { scope: badScope }),
    ...(state === undefined && { state: `Must be text of at most ${LONGEST_STATE} characters once it is percent-encoded.` }),
    ...pkceFaults(asked, isProgram(app)),
  }
  if (scopes && state !== undefined && Object.keys(fields).length === 0) return { scopes, state }
  const rfcCode = Object.keys(fields).join() === 'scope' ? 'invalid_scope' : undefined
  throw invalidRequest('A parameter is invalid.', fields, rfcCode)
}

/** `undefined` for a state that is too long, or holds a lone surrogate. */
function encoded(state: string): string | undefined {
  if (state.length > LONGEST_STATE || !state.isWellFormed()) return undefined
  const text = encodeURIComponent(state)
  return text.length > LONGEST_STATE ? undefined : text
}

/**
 * A method left out means `plain`, and whoever can read the request could make use of that one.
 * @param needed whether the app has no secret that guards its codes
 */
function pkceFaults({ code_challenge: challenge, code_challenge_method: method }: Asked, needed: boolean): FieldErrors {
  if (challenge === undefined && needed) return { code_challenge: 'Required.' }
  if (challenge === undefined) return method === undefined ? {} : { code_challenge: 'Required with a code_challenge_method.' }
  return {
    ...(!isChallenge(challenge) && { code_challenge: 'Must be 43 characters of Base64url.' }),
    ...(method !== 'S256' && { code_challenge_method: 'Must be S256.' }),
  }
}
