import { findById } from '../../../engine/find-by-id.ts'
import { CrmError, invalidClient, invalidRequest } from '../../../kernel/errors.ts'
import type { Ports } from '../../../ports/index.ts'
import type { App } from '../../../schema/app.ts'
import { findClient } from '../public-clients/resolve-client.ts'
import { type KnownParameters, requireParameters } from './parameters.ts'

/** Client credentials from the HTTP Basic header, form-decoded (RFC 6749, section 2.3.1). */
export interface BasicCredentials {
  readonly client_id: string
  readonly client_secret: string
}

/** Compared when the app does not exist, so that the response time does not reveal whether it does. */
const DUMMY_HASH = '0'.repeat(64)

type ClientParameter = 'client_id' | 'client_secret'

/**
 * Returns the client credentials, which are in the body or in the HTTP Basic header, never in both.
 * @param required the other required parameters
 * @throws CrmError `invalid_request`
 */
export function parseClientCredentials<Name extends string>(
  parameters: KnownParameters<Name | ClientParameter>,
  basic: BasicCredentials | undefined,
  required: readonly Name[],
): BasicCredentials {
  requireParameters<Name | ClientParameter>(
    parameters,
    basic ? required : [...required, 'client_id', 'client_secret'],
  )
  const { client_id, client_secret }: KnownParameters<ClientParameter> = parameters
  if (!basic) return { client_id: client_id!, client_secret: client_secret! }
  const message = 'The client must authenticate in one way: by HTTP Basic or in the body.'
  if (client_secret !== undefined)
    throw invalidRequest(message, { client_secret: 'Must not be sent beside HTTP Basic.' })
  if (client_id !== undefined && client_id !== basic.client_id) {
    throw invalidRequest(message, { client_id: 'Must be that of HTTP Basic, or left out.' })
  }
  return basic
}

/** Returns the app with these credentials. @throws CrmError `invalid_client` */
export async function authenticateClient(
  { storage, secrets }: Pick<Ports, 'storage' | 'secrets'>,
  { client_id, client_secret }: BasicCredentials,
): Promise<App> {
  const app = await storage.read((tx) => findById(tx.apps, client_id))
  const isMatch = secrets.matches(client_secret, app?.secret_hash ?? DUMMY_HASH)
  if (!app?.active || !isMatch) throw invalidClient()
  return app
}

/**
 * Returns the public client named by `client_id`. This authenticates nothing: the caller must verify the code
 * and its `code_verifier`, or the token.
 * @param required the other required parameters
 * @throws CrmError `invalid_request`, `invalid_client`
 */
export async function identifyPublicClient<Name extends string>(
  ports: Pick<Ports, 'storage' | 'parseOutboundUrl'>,
  parameters: KnownParameters<Name | ClientParameter>,
  required: readonly Name[],
): Promise<App> {
  requireParameters<Name | ClientParameter>(parameters, [...required, 'client_id'])
  const { client_id, client_secret }: KnownParameters<ClientParameter> = parameters
  if (client_secret !== undefined)
    throw new CrmError('invalid_client', 'A public client has no secret.', {
      client_secret: 'Must not be sent.',
    })
  const app = await findClient(ports, client_id!)
  if (!app?.active) throw invalidClient()
  return app
}
