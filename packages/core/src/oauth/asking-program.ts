import { CrmError, invalidClient, isConflict } from '../errors.ts'
import { DAY, HOUR, later, MINUTE } from '../instants.ts'
import type { Instant, Ports } from '../ports.ts'
import { isUuid } from '../records/fields.ts'
import type { App } from './app.ts'
import { type Described, describedIn, documentUrlFault } from './client-document.ts'

const [SHORTEST, USUAL, LONGEST] = [5 * MINUTE, HOUR, DAY]

/** A program by its `client_id`; `undefined` for one that is not known. Nothing is fetched. @throws CrmError `invalid_client` */
export async function programNamed(
  { storage, outboundUrl }: Pick<Ports, 'storage' | 'outboundUrl'>,
  clientId: string,
): Promise<App | undefined> {
  if (isUuid(clientId)) {
    const app = await storage.read((tx) => tx.apps.get(clientId.toLowerCase()))
    return app?.kind === 'registered' ? app : undefined
  }
  const fault = documentUrlFault({ outboundUrl }, clientId)
  if (fault !== undefined) throw new CrmError('invalid_client', 'The client does not exist.', { client_id: fault })
  const [app] = await storage.read((tx) => tx.apps.find([{ field: 'metadata_url', is: clientId }]))
  return app
}

/**
 * The program that asks to be let in. One that is described by a document is read anew when its copy is old; a copy of at most a day does
 * where the document cannot be read. Not for use within a transaction.
 * @throws CrmError `invalid_client`
 */
export async function askingProgram(ports: Ports, clientId: string): Promise<App> {
  const known = await programNamed(ports, clientId)
  const at = ports.now()
  const isFresh = known && (known.kind === 'registered' || (known.fresh_until !== null && known.fresh_until > at))
  if (known && (!known.active || isFresh)) return mustBeActive(known)
  if (isUuid(clientId)) throw invalidClient()
  const found = await ports.fetchDocument(clientId)
  if (found) return mustBeActive(await kept(ports, clientId, describedIn(found.text, clientId), found.max_age))
  if (known && known.fetched_at !== null && later(known.fetched_at, LONGEST) > at) return known
  throw new CrmError('invalid_client', 'The client metadata document could not be read.')
}

function mustBeActive(app: App): App {
  if (!app.active) throw invalidClient()
  return app
}

async function kept(ports: Ports, url: string, described: Described, maxAge: number | undefined): Promise<App> {
  const at = ports.now()
  const fresh_until = later(at, Math.min(Math.max(maxAge ?? USUAL, SHORTEST), LONGEST))
  const read = { ...described, fetched_at: at, fresh_until, updated_at: at }
  try {
    return await written(ports, url, read, at)
  } catch (error) {
    if (!isConflict(error)) throw error
    // Of several that read it first at once, one was faster: this one finds it there.
    return written(ports, url, read, at)
  }
}

type Read = Described & Pick<App, 'fetched_at' | 'fresh_until' | 'updated_at'>

async function written({ storage, newId }: Ports, url: string, read: Read, at: Instant): Promise<App> {
  return storage.transact(async (tx) => {
    const [seen] = await tx.apps.find([{ field: 'metadata_url', is: url }])
    const held = seen && (await tx.apps.getForUpdate(seen.id))
    if (held) {
      const app = { ...held, ...read }
      await tx.apps.update(app, held)
      return app
    }
    const none = { email: null, secret_hash: null, unused_since: at, created_at: at }
    const app: App = { ...read, ...none, id: newId(), active: true, kind: 'document', metadata_url: url }
    await tx.apps.insert(app)
    return app
  })
}
