import type { Crm } from '@sales-crm/core'
import type { Storage } from '@sales-crm/core/ports'
import { crmOver, fillWorkspace, OWNER_EMAIL } from '../size/workspace.ts'
import type { Access } from './caller.ts'
import type { Known } from './calls.ts'

const SLUG = 'bench'
/** So many callers, which is as many calls at once. */
const CALLERS = 16
/** Of all records these are known to the callers. */
const KNOWN = 10_000
const EVENTS = ['task.created', 'task.updated', 'task.deleted', 'person.created', 'deal.stage_changed']

/** A filled workspace whose changes are told to a receiver, and what its callers need. */
export interface SoakedService {
  readonly access: readonly Access[]
  readonly known: Known
}

/** @param receiver where its changes are told, signed */
export async function fillForSoak(
  storage: Storage,
  records: number,
  receiver: string,
  onProgress: (kind: string, made: number) => void,
): Promise<SoakedService> {
  const { actor, place, tasks } = await fillWorkspace(storage, SLUG, records, { waiting: 0, onProgress })
  const crm = crmOver(storage)
  await crm.webhooks.create(actor, { url: receiver, events: EVENTS, auth_enable: true })
  const { people, deals, stages } = place
  const some = (ids: readonly string[]) => ids.slice(0, KNOWN)
  return {
    access: await accessTo(crm),
    known: { people: some(people), deals: some(deals), tasks: some(tasks), stages },
  }
}

async function accessTo({ operator }: Crm): Promise<Access[]> {
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
