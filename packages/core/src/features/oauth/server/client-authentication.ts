import { findById } from '../../../engine/find-by-id.ts'
import { CrmError, invalidClient, invalidRequest } from '../../../kernel/errors.ts'
import type { Ports } from '../../../ports/index.ts'
import type { App } from '../../../schema/app.ts'
import { findClient } from '../dynamic-clients/resolve-client.ts'
import { type KnownParameters, requireParameters } from './parameters.ts'

/** How a client authenticated, when not in the body. */
export interface BasicCredentials {
  readonly client_id: string
  readonly client_secret: string
}

/** No secret's hash, so that one is compared whether there is an app or not. */
const DUMMY_HASH = '0'.repeat(64)

type ClientParameter = 'client_id' | 'client_secret'

/**
 * The credentials of a request, which come in the body or as Basic, never in both ways.
 * @param required what else the request must hold
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

/** The app these are the credentials of. @throws CrmError `invalid_client` */
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
 * The program that a request names. It proves nothing by that: what proves something is the code with its verifier, or the token.
 * @param required what else the request must hold
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
    throw new CrmError('invalid_client', 'A program has no secret.', { client_secret: 'Must not be sent.' })
  const app = await findClient(ports, client_id!)
  if (!app?.active) throw invalidClient()
  return app
}
