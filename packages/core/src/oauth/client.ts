import { CrmError, invalidClient, invalidRequest } from '../errors.ts'
import type { Ports } from '../ports.ts'
import { isUuid } from '../records/fields.ts'
import type { App } from './app.ts'
import { programNamed } from './asking-program.ts'
import { type Known, needAll } from './parameters.ts'

/** How a client authenticated, when not in the body. */
export interface BasicCredentials {
  readonly client_id: string
  readonly client_secret: string
}

/** No secret's hash, so that one is compared whether there is an app or not. */
const NO_HASH = '0'.repeat(64)

type ClientParameter = 'client_id' | 'client_secret'

/**
 * The credentials of a request, which come in the body or as Basic, never in both ways.
 * @param needed what else the request must hold
 * @throws CrmError `invalid_request`
 */
export function credentialsIn<Name extends string>(
  known: Known<Name | ClientParameter>,
  basic: BasicCredentials | undefined,
  needed: readonly Name[],
): BasicCredentials {
  needAll<Name | ClientParameter>(known, basic ? needed : [...needed, 'client_id', 'client_secret'])
  const { client_id, client_secret }: Known<ClientParameter> = known
  if (!basic) return { client_id: client_id!, client_secret: client_secret! }
  const twice = 'The client must authenticate in one way: by HTTP Basic or in the body.'
  if (client_secret !== undefined) throw invalidRequest(twice, { client_secret: 'Must not be sent beside HTTP Basic.' })
  if (client_id !== undefined && client_id !== basic.client_id) {
    throw invalidRequest(twice, { client_id: 'Must be that of HTTP Basic, or left out.' })
  }
  return basic
}

/** The app these are the credentials of. @throws CrmError `invalid_client` */
export async function authenticated(
  { storage, secrets }: Pick<Ports, 'storage' | 'secrets'>,
  { client_id, client_secret }: BasicCredentials,
): Promise<App> {
  const app = isUuid(client_id) ? await storage.read((tx) => tx.apps.get(client_id.toLowerCase())) : undefined
  const matches = secrets.matches(client_secret, app?.secret_hash ?? NO_HASH)
  if (!app?.active || !matches) throw invalidClient()
  return app
}

/**
 * The program that a request names. It proves nothing by that: what proves something is the code with its verifier, or the token.
 * @param needed what else the request must hold
 * @throws CrmError `invalid_request`, `invalid_client`
 */
export async function identified<Name extends string>(
  ports: Pick<Ports, 'storage' | 'outboundUrl'>,
  known: Known<Name | ClientParameter>,
  needed: readonly Name[],
): Promise<App> {
  needAll<Name | ClientParameter>(known, [...needed, 'client_id'])
  const { client_id, client_secret }: Known<ClientParameter> = known
  if (client_secret !== undefined) throw new CrmError('invalid_client', 'A program has no secret.', { client_secret: 'Must not be sent.' })
  const app = await programNamed(ports, client_id!)
  if (!app?.active) throw invalidClient()
  return app
}
