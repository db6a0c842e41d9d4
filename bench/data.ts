import type { Actor, Crm } from '@sales-crm/core'
import { createCrm } from '@sales-crm/core'
import type { Storage } from '@sales-crm/core/ports'
import { nodePorts } from '@sales-crm/node'
import { postgresStorage } from '@sales-crm/postgres'
import { sqliteStorage } from '@sales-crm/sqlite'

/** The service's base URL, whatever port it listens on. */
export const ISSUER = 'https://bench.example'
export const SECRET_KEY = Buffer.alloc(32, 'bench')

export const SLUG = 'bench'
export const OWNER_EMAIL = 'olga@bench.example'
const OWNERS = [OWNER_EMAIL, 'ann@bench.example', 'ben@bench.example'] as const
const BATCH_SIZE = 100

/** The numbers of the records of one kind. `idOf` converts a number to an id. */
export interface Range {
  readonly first: number
  readonly count: number
}

export interface Data {
  readonly workspaceId: string
  readonly companies: Range
  readonly people: Range
  readonly deals: Range
  readonly tasks: Range
}

/** Ids are sequential, so that pgbench can derive them from a number. */
export const ID_PREFIX = '00000000-0000-7000-8000-'

export function idOf(number: number): string {
  return ID_PREFIX + String(number).padStart(12, '0')
}

/** Returns the id of the record at `index`, modulo the number of records. */
export function pickId({ first, count }: Range, index: number): string {
  return idOf(first + (index % count))
}

/** Creates the same records in a database on every run, through the core. */
export async function seed(databaseUrl: string): Promise<Data> {
  let next = 1
  const storage = await openStorage(databaseUrl)
  const crm = createCrm({
    ...nodePorts({ secretKey: SECRET_KEY, issuer: ISSUER }),
    storage,
    newId: () => idOf(next++),
  })

  async function createMany(count: number, create: (index: number) => Promise<unknown>): Promise<Range> {
    const first = next
    for (let index = 0; index < count; index += BATCH_SIZE) {
      await Promise.all(
        Array.from({ length: Math.min(BATCH_SIZE, count - index) }, (_, offset) => create(index + offset)),
      )
    }
    if (next !== first + count)
      throw new Error('A generated code collided and left a gap in the ids. Run the benchmark again.')
    return { first, count }
  }

  try {
    return await createRecords(crm, createMany)
  } finally {
    await storage.close()
  }
}

/**
 * Creates an app with every scope and returns an access token for it, on a seeded database.
 * @param receiver the URL of a signed webhook for created tasks
 */
export async function createAccessToken(databaseUrl: string, receiver?: string): Promise<string> {
  const storage = await openStorage(databaseUrl)
  try {
    const { operator, webhooks } = createCrm({
      ...nodePorts({ secretKey: SECRET_KEY, issuer: ISSUER, outbound: { allowPrivate: true } }),
      storage,
    })
    const scopes = [...operator.scopes]
    const app = await operator.createApp({
      name: 'Bench',
      email: 'app@bench.example',
      redirect_uris: ['https://bench.example/back'],
      scopes,
    })
    const token = await operator.createToken({
      workspace: SLUG,
      client_id: app.client_id,
      user_email: OWNERS[0],
    })
    if (receiver !== undefined) {
      const actor = await operator.actorFor({ workspace: SLUG, email: OWNERS[0], clientId: app.client_id })
      await webhooks.create(actor, { url: receiver, events: ['task.created'], auth_enable: true })
    }
    return token.access_token
  } finally {
    await storage.close()
  }
}

export function openStorage(databaseUrl: string): Promise<Storage> {
  const file = databaseUrl.startsWith('sqlite:') ? databaseUrl.slice('sqlite:'.length) : undefined
  return file === undefined ? postgresStorage({ url: databaseUrl }) : sqliteStorage({ file })
}

type CreateMany = (count: number, create: (index: number) => Promise<unknown>) => Promise<Range>

async function createRecords(crm: Crm, createMany: CreateMany): Promise<Data> {
  const actor = await createWorkspaceWithMembers(crm)
  const pipeline = await crm.pipelines.create(actor, {
    name: 'Sales',
    stages: [
      { name: 'New', type: 'open', probability: 10 },
      { name: 'Won', type: 'win' },
      { name: 'Lost', type: 'lost' },
    ],
  })
  const owner_email = (index: number) => OWNERS[index % OWNERS.length]!
  const companies = await createMany(100, (index) =>
    crm.companies.create(actor, {
      full_name: `Company ${index}`,
      emails: [{ email: `office@company-${index}.example` }],
      phones: [{ phone: `+1 555 ${1000 + index}` }],
      website: `https://company-${index}.example`,
      owner_email: owner_email(index),
    }),
  )
  const people = await createMany(10_000, (index) =>
    crm.people.create(actor, {
      full_name: `Person ${index} of the Bench`,
      emails: [
        { email: `person-${index}@people.example` },
        { email: `home-${index}@people.example`, type: 'home' },
      ],
      phones: [{ phone: `+55 11 9${String(index).padStart(8, '0')}` }],
      position: 'Buyer',
      score: index % 101,
      company_id: pickId(companies, index),
      owner_email: owner_email(index),
    }),
  )
  const deals = await createMany(1_000, (index) =>
    crm.deals.create(actor, {
      name: `Deal ${index}`,
      amount: 100 * index,
      currency: index % 2 ? 'USD' : 'BRL',
      pipeline_id: pipeline.id,
      source: 'web',
      person_id: pickId(people, index),
      company_id: pickId(companies, index),
      owner_email: owner_email(index),
    }),
  )
  const tasks = await createMany(10_000, (index) =>
    crm.tasks.create(actor, {
      title: `Call back number ${index}`,
      notes: 'They asked for a quote and for somebody to call them on Monday morning.',
      due_date: '2030-01-01T09:00:00Z',
      type: 'call',
      person_id: pickId(people, index),
      company_id: pickId(companies, index),
      deal_id: pickId(deals, index),
      owner_email: owner_email(index),
    }),
  )
  return { workspaceId: actor.workspaceId, companies, people, deals, tasks }
}

async function createWorkspaceWithMembers({ operator }: Crm): Promise<Actor> {
  const [owner, ...others] = OWNERS
  await operator.createWorkspace({ name: 'Bench', slug: SLUG, owner_name: 'Olga', owner_email: owner })
  for (const email of others)
    await operator.addMember({ workspace: SLUG, name: email, email, role: 'member' })
  return operator.actorFor({ workspace: SLUG, email: owner })
}
