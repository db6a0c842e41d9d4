import { type Actor, type Crm, createCrm } from '@sales-crm/core'
import type { Records, Storage } from '@sales-crm/core/ports'
import { nodePorts } from '@sales-crm/node'
import { openStorage } from './databases.ts'
import {
  createCompany,
  createDeal,
  createPerson,
  createTask,
  idOf,
  type Range,
  type References,
} from './records.ts'

/** The service's base URL, whatever port it listens on. */
export const ISSUER = 'https://bench.example'
export const SECRET_KEY = Buffer.alloc(32, 'bench')

export const SLUG = 'bench'
export const OWNER_EMAIL = 'olga@bench.example'
export const OWNER_PASSWORD = 'correct horse battery'
const MEMBER_EMAILS = ['ann@bench.example', 'ben@bench.example']
const OPEN_STAGES = ['New', 'Demo', 'Proposal', 'Negotiation', 'Signing']
const BATCH_SIZE = 1_000
const PROGRESS_STEP = 100_000

const KINDS = ['companies', 'people', 'deals', 'tasks'] as const
type Kind = (typeof KINDS)[number]
export type RecordCounts = Readonly<Record<Kind, number>>

/** A filled workspace. */
export interface Data extends References {
  readonly actor: Actor
  readonly tasks: Range
}

const CREATE_RECORD: {
  readonly [K in Kind]: (id: string, index: number, references: References) => Records[K]
} = { companies: createCompany, people: createPerson, deals: createDeal, tasks: createTask }

export function createCrmOn(storage: Storage): Crm {
  const ports = nodePorts({ secretKey: SECRET_KEY, issuer: ISSUER, outbound: { allowPrivate: true } })
  return createCrm({ ...ports, storage })
}

/**
 * Creates a workspace with the same records on every run, by bulk inserts.
 * @param memberEmails of those who own the records, beside the owner of the workspace
 */
export async function fillWorkspace(
  storage: Storage,
  counts: RecordCounts,
  memberEmails: readonly string[] = MEMBER_EMAILS,
): Promise<Data> {
  let first = 1
  const rangeOf = (kind: Kind): Range => {
    const range = { first, count: counts[kind] }
    first += counts[kind]
    return range
  }
  const data: Data = {
    companies: rangeOf('companies'),
    people: rangeOf('people'),
    deals: rangeOf('deals'),
    tasks: rangeOf('tasks'),
    ...(await createWorkspace(createCrmOn(storage), memberEmails)),
  }
  for (const kind of KINDS) await insertRecords(storage, kind, data)
  return data
}

/**
 * Creates an app with every scope and returns an access token for it, on a filled database.
 * @param receiver the URL of a signed webhook for created tasks
 */
export async function createAccessToken(databaseUrl: string, receiver?: string): Promise<string> {
  const storage = await openStorage(databaseUrl)
  try {
    const { operator, webhooks } = createCrmOn(storage)
    const app = await createApp(operator)
    const token = await operator.createToken({
      workspace: SLUG,
      client_id: app.client_id,
      user_email: OWNER_EMAIL,
    })
    if (receiver !== undefined) {
      const actor = await operator.actorFor({ workspace: SLUG, email: OWNER_EMAIL, clientId: app.client_id })
      await webhooks.create(actor, { url: receiver, events: ['task.created'], auth_enable: true })
    }
    return token.access_token
  } finally {
    await storage.close()
  }
}

/** Creates an app with every scope. */
export function createApp(operator: Crm['operator']): ReturnType<Crm['operator']['createApp']> {
  return operator.createApp({
    name: 'Bench',
    email: 'app@bench.example',
    redirect_uris: ['https://bench.example/back'],
    scopes: [...operator.scopes],
  })
}

async function createWorkspace(crm: Crm, memberEmails: readonly string[]) {
  const { operator } = crm
  await operator.createWorkspace({
    name: 'Bench',
    slug: SLUG,
    owner_name: 'Olga Novák',
    owner_email: OWNER_EMAIL,
    owner_password: OWNER_PASSWORD,
  })
  for (const email of memberEmails)
    await operator.addMember({ workspace: SLUG, name: email, email, role: 'member' })
  const [actor, ...members] = await Promise.all(
    [OWNER_EMAIL, ...memberEmails].map((email) => operator.actorFor({ workspace: SLUG, email })),
  )
  const pipeline = await crm.pipelines.create(actor!, {
    name: 'Sales',
    stages: [
      ...OPEN_STAGES.map((name, index) => ({ name, type: 'open' as const, probability: 10 + 15 * index })),
      { name: 'Won', type: 'win' },
      { name: 'Lost', type: 'lost' },
    ],
  })
  const { data: taskTypes } = await crm.taskTypes.list(actor!)
  return {
    actor: actor!,
    ownerIds: [actor!, ...members].map(({ userId }) => userId),
    taskTypeId: taskTypes.find(({ key }) => key === 'call')!.id,
    pipelineId: pipeline.id,
    stageIds: pipeline.stages.filter(({ type }) => type === 'open').map(({ id }) => id),
  }
}

async function insertRecords<K extends Kind>(storage: Storage, kind: K, data: Data): Promise<void> {
  const { first, count } = data[kind]
  for (let from = 0; from < count; from += BATCH_SIZE) {
    const batch = Array.from({ length: Math.min(BATCH_SIZE, count - from) }, (_, offset) =>
      CREATE_RECORD[kind](idOf(first + from + offset), from + offset, data),
    )
    await storage.transact((tx) => {
      const store = tx.workspace(data.actor.workspaceId)[kind] as {
        insertMany(records: readonly Records[K][]): Promise<void>
      }
      return store.insertMany(batch)
    })
    if ((from + batch.length) % PROGRESS_STEP === 0) console.error(`${from + batch.length} ${kind} created`)
  }
}
