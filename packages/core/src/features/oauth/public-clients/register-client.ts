import * as v from 'valibot'
import { validateInto } from '../../../engine/validate.ts'
import { invalidRequest } from '../../../kernel/errors.ts'
import { distinctListOf, object, optional } from '../../../kernel/object-schemas.ts'
import type { Ports } from '../../../ports/index.ts'
import type { App } from '../../../schema/app.ts'
import { redirectUri } from '../server/redirect-uri.ts'
import { resolveClientName, resolveClientScopes } from './client-metadata-document.ts'

/**
 * The client information response (RFC 7591): the metadata as registered, which may differ from the request.
 */
export interface ClientInformation {
  readonly client_id: string
  /** Unix seconds. */
  readonly client_id_issued_at: number
  readonly client_name: string
  readonly redirect_uris: readonly string[]
  readonly grant_types: readonly string[]
  readonly response_types: readonly string[]
  readonly token_endpoint_auth_method: 'none'
  /** The default for authorization requests without a scope. */
  readonly scope: string
}

const clientMetadata = object({
  redirect_uris: distinctListOf(redirectUri, 1, 10, 'URIs'),
  ...optional({
    scope: v.string('Must be a string.'),
    grant_types: arrayIncluding('authorization_code'),
    response_types: arrayIncluding('code'),
  }),
})

const PRIVATE_SCHEME = /^(?!https?:)[a-z][a-z\d+.-]*:/i

function arrayIncluding(value: string) {
  return v.pipe(
    v.array(v.string('Must be a string.'), 'Must be an array.'),
    v.check((values) => values.includes(value), `Must hold ${value}.`),
  )
}

/**
 * Creates an active public client. It has no secret: any requested `token_endpoint_auth_method` becomes
 * `none`, as RFC 7591 allows. Unknown metadata is ignored.
 * @throws CrmError `invalid_request`
 */
export async function registerClient(
  { storage, now, newId }: Ports,
  input: object,
): Promise<ClientInformation> {
  const metadata = input as Readonly<Record<string, unknown>>
  const fields = parseMetadata(metadata)
  const at = now()
  const metadataFields = {
    name: resolveClientName(metadata['client_name'], fields.redirect_uris),
    scopes: resolveClientScopes(fields.scope),
  }
  const stamps = { id: newId(), created_at: at, updated_at: at, unused_since: at }
  const defaults = { email: null, secret_hash: null, metadata_url: null, fetched_at: null, fresh_until: null }
  const app: App = {
    ...metadataFields,
    ...stamps,
    ...defaults,
    redirect_uris: fields.redirect_uris,
    active: true,
    kind: 'registered',
  }
  await storage.transact((tx) => tx.apps.insert(app))
  return {
    client_id: app.id,
    client_id_issued_at: Math.floor(Date.parse(at) / 1000),
    client_name: app.name,
    redirect_uris: app.redirect_uris,
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code'],
    token_endpoint_auth_method: 'none',
    scope: app.scopes.join(' '),
  }
}

function parseMetadata(metadata: Readonly<Record<string, unknown>>): v.InferOutput<typeof clientMetadata> {
  const recognized = Object.fromEntries(
    Object.keys(clientMetadata.entries).map((name) => [name, metadata[name]]),
  )
  recognized['redirect_uris'] = dropPrivateSchemes(recognized['redirect_uris'])
  const errors = new Map<string, string>()
  const output = validateInto(clientMetadata, recognized, 'field', errors)
  if (output !== undefined && errors.size === 0) return output
  const aboutUris = [...errors.keys()].some((path) => path.startsWith('redirect_uris'))
  const rfcCode = aboutUris ? 'invalid_redirect_uri' : 'invalid_client_metadata'
  throw invalidRequest('The registration is invalid.', Object.fromEntries(errors), rfcCode)
}

/**
 * Removes redirect URIs with a private scheme, which editors register next to their web URIs. RFC 7591 allows
 * a server to drop metadata. If the remaining list is invalid, the input is returned unchanged.
 */
function dropPrivateSchemes(uris: unknown): unknown {
  const webUris = Array.isArray(uris)
    ? uris.filter((uri) => typeof uri !== 'string' || !PRIVATE_SCHEME.test(uri))
    : undefined
  return v.is(clientMetadata.entries.redirect_uris, webUris) ? webUris : uris
}
