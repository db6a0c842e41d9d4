import * as v from 'valibot'
import { SCOPES } from '../actor.ts'
import { CrmError } from '../errors.ts'
import type { Ports } from '../ports.ts'
import { type App, appName } from './app.ts'
import { USUAL_SCOPES } from './program.ts'
import { redirectUri } from './redirect-uri.ts'

const LONGEST_URL = 2048
const MOST_URIS = 100
const DOCUMENT_URL = /^https:\/\/[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?(?::\d{1,5})?\/[\w\-.~:/?[\]@!$&'()*+,;=%]+$/

/** How a program names itself: nobody checked any of it. */
export type Described = Pick<App, 'name' | 'redirect_uris' | 'scopes'>

/**
 * The rule that the address of a document breaks; `undefined` when it may be fetched. An address has one spelling, the one that every
 * parser gives back: so it names one program, and its path is the one that is asked for.
 */
export function documentUrlFault({ outboundUrl }: Pick<Ports, 'outboundUrl'>, text: string): string | undefined {
  if (text.length > LONGEST_URL) return `Must be at most ${LONGEST_URL} characters.`
  if (!DOCUMENT_URL.test(text)) return 'Must be a UUID, or an https URL with a path, without a fragment, user name or password.'
  const judged = outboundUrl(text)
  if ('fault' in judged) return judged.fault
  return judged.url === text ? undefined : 'Must be spelled as URLs are: in lower case, without a default port or dots in its path.'
}

/** What a client ID metadata document says. @throws CrmError `invalid_client` */
export function describedIn(text: string, url: string): Described {
  const document = objectIn(text)
  if (document['client_id'] !== url) throw badDocument('client_id must be the address of the document, to the letter')
  if ((document['token_endpoint_auth_method'] ?? 'none') !== 'none') throw badDocument('token_endpoint_auth_method must be none')
  if (document['client_secret'] !== undefined) throw badDocument('it must hold no client_secret')
  const listed = Array.isArray(document['redirect_uris']) ? document['redirect_uris'] : []
  const usable = [...new Set(listed.filter((each): each is string => v.is(redirectUri, each)))].slice(0, MOST_URIS)
  if (usable.length === 0) throw badDocument('redirect_uris must hold an https URL, or an http URL of the loopback')
  return { name: nameFor(document['client_name'], usable), redirect_uris: usable, scopes: scopesFor(document['scope']) }
}

/** The name a program gives itself, or else the host it leads to. */
export function nameFor(given: unknown, [uri = '']: readonly string[]): string {
  const { success, output } = v.safeParse(appName, given)
  return success ? output : uri.replace(/^https?:\/\/(?:www\.)?([^/?]*).*$/, '$1').slice(0, 80)
}

/** What it asks for where a request names no scope. */
export function scopesFor(given: unknown): readonly string[] {
  const named = new Set(typeof given === 'string' ? given.split(' ') : [])
  const known = SCOPES.filter((scope) => named.has(scope))
  return known.length > 0 ? known : USUAL_SCOPES
}

function objectIn(text: string): Readonly<Record<string, unknown>> {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    value = undefined
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw badDocument('it must be a JSON object')
  return value as Readonly<Record<string, unknown>>
}

function badDocument(rule: string): CrmError {
  return new CrmError('invalid_client', `The client metadata document is not valid: ${rule}.`)
}
