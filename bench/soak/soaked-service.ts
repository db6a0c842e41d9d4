import type { Crm } from '@sales-crm/core'
import type { Storage } from '@sales-crm/core/ports'
import { createCrmOn, fillWorkspace, OWNER_EMAIL } from '../size/workspace.ts'
import type { Access } from './caller.ts'
import type { KnownIds } from './calls.ts'

const SLUG = 'bench'
/** Number of callers, and so of concurrent calls. */
const CALLERS = 16
/** Number of records of each kind whose ids the callers know. */
const KNOWN_COUNT = 10_000
const EVENTS = ['task.created', 'task.updated', 'task.deleted', 'person.created', 'deal.stage_changed']

/** Credentials and record ids for the callers of a filled workspace. */
export interface SoakFixture {
  readonly access: readonly Access[]
  readonly knownIds: KnownIds
}

/**
 * Fills a workspace and creates a signed webhook for its changes.
 * @param receiver the webhook's URL
 */
export async function fillForSoak(
  storage: Storage,
  records: number,
  receiver: string,
  onProgress: (kind: string, created: number) => void,
): Promise<SoakFixture> {
  const { actor, references, tasks } = await fillWorkspace(storage, SLUG, records, {
    pendingDeliveries: 0,
    onProgress,
  })
  const crm = createCrmOn(storage)
  await crm.webhooks.create(actor, { url: receiver, events: EVENTS, auth_enable: true })
  const { people, deals, stages } = references
  const takeKnown = (ids: readonly string[]) => ids.slice(0, KNOWN_COUNT)
  return {
    access: await createAccess(crm),
    knownIds: { people: takeKnown(people), deals: takeKnown(deals), tasks: takeKnown(tasks), stages },
  }
}

async function createAccess({ operator }: Crm): Promise<Access[]> {
  const redirect_uris = ['https://bench.example/back']
  const app = await operator.createApp({
    name: 'Soak',
    email: 'app@bench.example',
    redirect_uris,
    scopes: [...operator.scopes],
  })
  const token = (audience: 'interface' | 'mcp') =>
    operator.createToken({ workspace: SLUG, client_id: app.client_id, user_email: OWNER_EMAIL, audience })
  const access: Access[] = []
  for (let caller = 0; caller < CALLERS; caller += 1) {
    const [api, tools] = [await token('interface'), await token('mcp')]
    access.push({ client_id: app.client_id, client_secret: app.client_secret, api, tools })
  }
  return access
}
