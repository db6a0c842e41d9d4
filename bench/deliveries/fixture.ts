import { type Actor, type Crm, createCrm } from '@sales-crm/core'
import type { Storage } from '@sales-crm/core/ports'
import { nodePorts } from '@sales-crm/node'
import { ISSUER, SECRET_KEY } from '../data.ts'

const OWNER = 'olga@bench.example'

export interface BenchFixture {
  readonly crm: Crm
  readonly actor: Actor
  /** The input of every task in the benchmark. */
  readonly task: Parameters<Crm['tasks']['create']>[1]
}

/** Creates a workspace with the records that a task refers to, in an empty database. */
export async function createFixture(storage: Storage): Promise<BenchFixture> {
  const crm = createCrm({
    ...nodePorts({ secretKey: SECRET_KEY, issuer: ISSUER, outbound: { allowPrivate: true } }),
    storage,
  })
  await crm.operator.createWorkspace({ name: 'Bench', slug: 'bench', owner_name: 'Olga', owner_email: OWNER })
  const actor = await crm.operator.actorFor({ workspace: 'bench', email: OWNER })
  const company = await crm.companies.create(actor, {
    full_name: 'Company of the Bench',
    website: 'https://company.example',
  })
  const person = await crm.people.create(actor, {
    full_name: 'Person of the Bench',
    emails: [{ email: 'person@people.example' }],
    company_id: company.id,
  })
  await crm.pipelines.create(actor, { name: 'Sales', stages: [{ name: 'New' }] })
  const deal = await crm.deals.create(actor, {
    name: 'Deal',
    amount: 100_00,
    person_id: person.id,
    company_id: company.id,
  })
  const task = {
    title: 'Call back',
    notes: 'They asked for a quote and for somebody to call them on Monday morning.',
    due_date: '2030-01-01T09:00:00Z',
    type: 'call',
    person_id: person.id,
    company_id: company.id,
    deal_id: deal.id,
    owner_email: OWNER,
  }
  return { crm, actor, task }
}

/** Creates a signed webhook for the workspace's created tasks. */
export async function subscribe(
  { crm, actor }: Pick<BenchFixture, 'crm' | 'actor'>,
  url: string,
): Promise<void> {
  await crm.webhooks.create(actor, { url, events: ['task.created'], auth_enable: true })
}
