import { CrmError, invalidClient, isConflict } from '../../../kernel/errors.ts'
import { isUuid } from '../../../kernel/field-schemas.ts'
import { addSeconds, DAY, HOUR, type Instant, MINUTE } from '../../../kernel/instant.ts'
import type { Ports } from '../../../ports/index.ts'
import type { App } from '../../../schema/app.ts'
import { type ClientMetadata, findMetadataUrlError, parseClientMetadata } from './client-metadata-document.ts'

const [MIN_TTL, DEFAULT_TTL, MAX_TTL] = [5 * MINUTE, HOUR, DAY]

/**
 * Returns the stored public client with this `client_id`, or `undefined`. Fetches nothing.
 * @throws CrmError `invalid_client` if `clientId` is neither a UUID nor a valid document URL
 */
export async function findClient(
  { storage, parseOutboundUrl }: Pick<Ports, 'storage' | 'parseOutboundUrl'>,
  clientId: string,
): Promise<App | undefined> {
  if (isUuid(clientId)) {
    const app = await storage.read((tx) => tx.apps.get(clientId.toLowerCase()))
    return app?.kind === 'registered' ? app : undefined
  }
  const urlError = findMetadataUrlError({ parseOutboundUrl }, clientId)
  if (urlError !== undefined)
    throw new CrmError('invalid_client', 'The client does not exist.', { client_id: urlError })
  const [app] = await storage.read((tx) => tx.apps.find([{ field: 'metadata_url', is: clientId }]))
  return app
}

/**
 * Returns the public client of an authorization request. Fetches the metadata document if the cached copy is
 * stale. If the fetch fails, a copy of less than a day still serves. Must not be called inside a transaction.
 * @throws CrmError `invalid_client`
 */
export async function resolveClient(ports: Ports, clientId: string): Promise<App> {
  const cached = await findClient(ports, clientId)
  const at = ports.now()
  const isFresh =
    cached && (cached.kind === 'registered' || (cached.fresh_until !== null && cached.fresh_until > at))
  if (cached && (!cached.active || isFresh)) return requireActive(cached)
  if (isUuid(clientId)) throw invalidClient()
  const document = await ports.fetchDocument(clientId)
  if (document)
    return requireActive(
      await storeClient(ports, clientId, parseClientMetadata(document.text, clientId), document.max_age),
    )
  if (cached && cached.fetched_at !== null && addSeconds(cached.fetched_at, MAX_TTL) > at) return cached
  throw new CrmError('invalid_client', 'The client metadata document could not be read.')
}

function requireActive(app: App): App {
  if (!app.active) throw invalidClient()
  return app
}

async function storeClient(
  ports: Ports,
  url: string,
  metadata: ClientMetadata,
  maxAge: number | undefined,
): Promise<App> {
  const at = ports.now()
  const fresh_until = addSeconds(at, Math.min(Math.max(maxAge ?? DEFAULT_TTL, MIN_TTL), MAX_TTL))
  const client = { ...metadata, fetched_at: at, fresh_until, updated_at: at }
  try {
    return await upsertClient(ports, url, client, at)
  } catch (error) {
    if (!isConflict(error)) throw error
    // A concurrent request inserted the client first, so the second attempt finds and updates it.
    return upsertClient(ports, url, client, at)
  }
}

type FetchedClient = ClientMetadata & Pick<App, 'fetched_at' | 'fresh_until' | 'updated_at'>

async function upsertClient(
  { storage, newId }: Ports,
  url: string,
  client: FetchedClient,
  at: Instant,
): Promise<App> {
  return storage.transact(async (tx) => {
    const [existing] = await tx.apps.find([{ field: 'metadata_url', is: url }])
    const locked = existing && (await tx.apps.getForUpdate(existing.id))
    if (locked) {
      const app = { ...locked, ...client }
      await tx.apps.update(app)
      return app
    }
    const defaults = { email: null, secret_hash: null, unused_since: at, created_at: at }
    const app: App = {
      ...client,
      ...defaults,
      id: newId(),
      active: true,
      kind: 'document',
      metadata_url: url,
    }
    await tx.apps.insert(app)
    return app
  })
}
