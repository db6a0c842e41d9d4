import * as v from 'valibot'
import { CrmError } from '../../../kernel/errors.ts'
import type { Ports } from '../../../ports/index.ts'
import type { App } from '../../../schema/app.ts'
import { appName } from '../server/app.ts'
import { redirectUri } from '../server/redirect-uri.ts'
import { DEFAULT_SCOPES, MCP_SCOPES } from './public-client.ts'

const MAX_URL_LENGTH = 2048
const MAX_URIS = 100
const DOCUMENT_URL = /^https:\/\/[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?(?::\d{1,5})?\/[\w\-.~:/?[\]@!$&'()*+,;=%]+$/

/** Metadata a public client states about itself. None of it is verified. */
export type ClientMetadata = Pick<App, 'name' | 'redirect_uris' | 'scopes'>

/**
 * Returns the rule that a metadata document URL breaks, or `undefined` if the document may be fetched. The
 * URL must be in the normalized form that URL parsers return: each client then has one `client_id`, and the
 * path requested is the path given.
 */
export function findMetadataUrlError(
  { parseOutboundUrl }: Pick<Ports, 'parseOutboundUrl'>,
  text: string,
): string | undefined {
  if (text.length > MAX_URL_LENGTH) return `Must be at most ${MAX_URL_LENGTH} characters.`
  if (!DOCUMENT_URL.test(text))
    return 'Must be a UUID, or an https URL with a path, without a fragment, user name or password.'
  const parsed = parseOutboundUrl(text)
  if ('error' in parsed) return parsed.error
  return parsed.url === text
    ? undefined
    : 'Must be spelled as URLs are: in lower case, without a default port or dots in its path.'
}

/** Parses a client ID metadata document. @throws CrmError `invalid_client` */
export function parseClientMetadata(text: string, url: string): ClientMetadata {
  const document = parseJsonObject(text)
  if (document['client_id'] !== url)
    throw invalidMetadata('client_id must be the address of the document, to the letter')
  if ((document['token_endpoint_auth_method'] ?? 'none') !== 'none')
    throw invalidMetadata('token_endpoint_auth_method must be none')
  if (document['client_secret'] !== undefined) throw invalidMetadata('it must hold no client_secret')
  const uris = Array.isArray(document['redirect_uris']) ? document['redirect_uris'] : []
  const validUris = [...new Set(uris.filter((uri): uri is string => v.is(redirectUri, uri)))].slice(
    0,
    MAX_URIS,
  )
  if (validUris.length === 0)
    throw invalidMetadata('redirect_uris must hold an https URL, or an http URL of the loopback')
  return {
    name: resolveClientName(document['client_name'], validUris),
    redirect_uris: validUris,
    scopes: resolveClientScopes(document['scope']),
  }
}

/** Returns `value` if it is a valid app name, otherwise the host of the first redirect URI. */
export function resolveClientName(value: unknown, [uri = '']: readonly string[]): string {
  const { success, output } = v.safeParse(appName, value)
  return success ? output : uri.replace(/^https?:\/\/(?:www\.)?([^/?]*).*$/, '$1').slice(0, 80)
}

/** Returns the default scopes of the client's authorization requests. Unknown scopes are ignored. */
export function resolveClientScopes(value: unknown): readonly string[] {
  const requested = new Set(typeof value === 'string' ? value.split(' ') : [])
  const scopes = MCP_SCOPES.filter((scope) => requested.has(scope))
  return scopes.length > 0 ? scopes : DEFAULT_SCOPES
}

function parseJsonObject(text: string): Readonly<Record<string, unknown>> {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    value = undefined
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw invalidMetadata('it must be a JSON object')
  return value as Readonly<Record<string, unknown>>
}

function invalidMetadata(rule: string): CrmError {
  return new CrmError('invalid_client', `The client metadata document is not valid: ${rule}.`)
}
