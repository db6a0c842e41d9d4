import type { Storage } from '@sales-crm/core/ports'
import { createApp, createCrmOn, fillWorkspace, OWNER_EMAIL, SLUG } from '../data.ts'
import type { Access, KnownRecords } from './caller.ts'

/** Number of callers, and so of concurrent calls. */
const CALLERS = 16
const EVENTS = ['task.created', 'task.updated', 'task.deleted', 'person.created', 'deal.stage_changed']

/** Credentials and records for the callers of a filled workspace. */
export interface SoakFixture {
  readonly access: readonly Access[]
  readonly records: KnownRecords
}

/**
 * Fills a workspace and creates a signed webhook for its changes.
 * @param records number of people, of deals and of tasks
 * @param receiver the webhook's URL
 */
export async function fillForSoak(storage: Storage, records: number, receiver: string): Promise<SoakFixture> {
  const counts = { companies: Math.ceil(records / 10), people: records, deals: records, tasks: records }
  const { actor, people, deals, tasks, stageIds } = await fillWorkspace(storage, counts)
  const { webhooks, operator } = createCrmOn(storage)
  await webhooks.create(actor, { url: receiver, events: EVENTS, auth_enable: true })
  const { client_id, client_secret } = await createApp(operator)
  const createTokens = (audience: 'interface' | 'mcp') =>
    operator.createToken({ workspace: SLUG, client_id, user_email: OWNER_EMAIL, audience })
  const access: Access[] = []
  for (let caller = 0; caller < CALLERS; caller += 1)
    access.push({
      client_id,
      client_secret,
      api: await createTokens('interface'),
      tools: await createTokens('mcp'),
    })
  return { access, records: { people, deals, tasks, stageIds } }
}
