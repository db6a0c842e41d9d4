import type { Actor, Crm } from '@sales-crm/core'
import { nodePorts } from '@sales-crm/node'
import { seed } from '../../apps/server/src/demo/seed/seed.ts'
import { openStorage } from '../data.ts'
import { startService } from '../servers.ts'
import { createCrmOn } from '../size/workspace.ts'

export const SLUG = 'bench'
export const OWNER = { email: 'olga@bench.example', password: 'correct horse battery' } as const
export const PEOPLE = 100_000
const COMPANIES = 1_000
const STAGES = ['New', 'Demo', 'Proposal', 'Negotiation', 'Signing'] as const
const DEALS_PER_STAGE = 100
export const OPEN_DEALS = STAGES.length * DEALS_PER_STAGE
const BATCH = 50
const DAY_MS = 86_400_000

/** The service with a filled workspace, as a browser reaches it. */
export interface ConsoleFixture {
  readonly base: string
  /** The board's path in the API. */
  readonly boardPath: string
}

/** Fills a database in the folder and starts the service on it. */
export async function startConsoleFixture(folder: string): Promise<ConsoleFixture> {
  const databaseUrl = `sqlite:${folder}/crm.db`
  const pipelineId = await fillWorkspace(databaseUrl)
  // Without a base URL, it is the address that the service listens on.
  const { port } = await startService(databaseUrl, folder, [], { BASE_URL: '' })
  return {
    base: `http://127.0.0.1:${port}`,
    boardPath: `/v1/pipelines/${pipelineId}/board`,
  }
}

async function fillWorkspace(databaseUrl: string): Promise<string> {
  const storage = await openStorage(databaseUrl)
  try {
    const crm = createCrmOn(storage)
    await crm.operator.createWorkspace({
      name: 'Bench',
      slug: SLUG,
      owner_name: 'Olga Novák',
      owner_email: OWNER.email,
      owner_password: OWNER.password,
    })
    const actor = await crm.operator.actorFor({ workspace: SLUG, email: OWNER.email })
    const pipeline = await crm.pipelines.create(actor, {
      name: 'Sales',
      stages: [
        ...STAGES.map((name, index) => ({ name, type: 'open' as const, probability: 10 + 15 * index })),
        { name: 'Won', type: 'win' },
        { name: 'Lost', type: 'lost' },
      ],
    })
    await seed(
      { ...nodePorts(), storage },
      {
        workspace: SLUG,
        counts: { companies: COMPANIES, people: PEOPLE, deals: 0, tasks: 0, activities: 0 },
      },
    )
    const stageIds = pipeline.stages.filter(({ type }) => type === 'open').map(({ id }) => id)
    await createDeals(crm, actor, pipeline.id, stageIds)
    return pipeline.id
  } finally {
    await storage.close()
  }
}

/** Three of four deals have a task: overdue, for today or later. */
async function createDeals(
  crm: Crm,
  actor: Actor,
  pipeline_id: string,
  stageIds: readonly string[],
): Promise<void> {
  const { data: people } = await crm.people.list(actor, { per_page: 100 })
  const { data: companies } = await crm.companies.list(actor, { per_page: 100 })
  const create = async (index: number) => {
    const person = people[index % people.length]!
    const deal = await crm.deals.create(actor, {
      name: `Licences for ${person.full_name} ${index}`,
      amount: 12_345 * (index % 97),
      currency: index % 3 === 0 ? 'USD' : 'BRL',
      pipeline_id,
      stage_id: stageIds[index % stageIds.length]!,
      person_id: person.id,
      company_id: companies[index % companies.length]!.id,
      owner_email: OWNER.email,
    })
    if (index % 4 === 0) return
    await crm.tasks.create(actor, {
      title: `Call ${person.full_name}`,
      due_date: new Date(Date.now() + ((index % 30) - 5) * DAY_MS).toISOString(),
      type: 'call',
      deal_id: deal.id,
      person_id: person.id,
      owner_email: OWNER.email,
    })
  }
  for (let from = 0; from < OPEN_DEALS; from += BATCH)
    await Promise.all(Array.from({ length: BATCH }, (_, offset) => create(from + offset)))
}
