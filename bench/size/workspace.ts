import { type Actor, type Crm, createCrm } from '@sales-crm/core'
import type { Records, Storage } from '@sales-crm/core/ports'
import { nodePorts } from '@sales-crm/node'
import { ISSUER, SECRET_KEY } from '../data.ts'
import { createActivity, createCompany, createDeal, createTask } from './others.ts'
import { fillOutbox } from './outbox.ts'
import { createPerson } from './people.ts'
import type { SampleReferences } from './sample-references.ts'

export const OWNER_EMAIL = 'olga@bench.example'
export const RARE_OWNER_EMAIL = 'ann@bench.example'

/**
 * A workspace with as many people as deals and tasks. Its content is the same on every run, except for ids.
 */
export interface FilledWorkspace {
  readonly crm: Crm
  readonly actor: Actor
  /** Number of records of each of the three kinds. */
  readonly records: number
  readonly references: SampleReferences
  /** Ids of some tasks, evenly distributed, in ascending order of creation. */
  readonly tasks: readonly string[]
}

/** People per company and per activity. */
const PEOPLE_PER_COMPANY = 10
/** People per pending delivery. */
const PEOPLE_PER_DELIVERY = 10
const BATCH = 1_000
/** Maximum number of records of a kind that others refer to. */
const MAX_REFERENCED = 100_000

export function createCrmOn(storage: Storage): Crm {
  const ports = nodePorts({ secretKey: SECRET_KEY, issuer: ISSUER, outbound: { allowPrivate: true } })
  return createCrm({ ...ports, storage })
}

interface FillOptions {
  /** Number of pending deliveries. Defaults to one for ten people. */
  readonly pendingDeliveries?: number
  /** Called after each batch with the number of records created. */
  readonly onProgress?: (kind: string, created: number) => void
}

/** Creates a workspace and fills it with bulk inserts. */
export async function fillWorkspace(
  storage: Storage,
  slug: string,
  records: number,
  { pendingDeliveries = Math.floor(records / PEOPLE_PER_DELIVERY), onProgress = () => {} }: FillOptions = {},
): Promise<FilledWorkspace> {
  const crm = createCrmOn(storage)
  const { actor, references } = await createEmptyWorkspace(crm, slug)
  const fewerCount = Math.max(PEOPLE_PER_COMPANY, Math.floor(records / PEOPLE_PER_COMPANY))

  /** Creates records of a kind and returns the ids of some. */
  async function add<C extends 'companies' | 'people' | 'deals' | 'tasks' | 'activities'>(
    kind: C,
    count: number,
    createRecord: (index: number, references: SampleReferences) => Records[C],
  ): Promise<string[]> {
    const step = Math.ceil(count / MAX_REFERENCED)
    const ids: string[] = []
    for (let from = 0; from < count; from += BATCH) {
      const batch = Array.from({ length: Math.min(BATCH, count - from) }, (_, offset) =>
        createRecord(from + offset, references),
      )
      await storage.transact((tx) => {
        const { insertMany } = tx.workspace(actor.workspaceId)[kind] as {
          insertMany(records: readonly Records[C][]): Promise<void>
        }
        return insertMany(batch)
      })
      ids.push(...batch.flatMap(({ id }, offset) => ((from + offset) % step === 0 ? [id] : [])))
      onProgress(kind, from + batch.length)
    }
    return ids
  }

  references.companies.push(...(await add('companies', fewerCount, createCompany)))
  references.people.push(...(await add('people', records, createPerson)))
  references.deals.push(...(await add('deals', records, createDeal)))
  const tasks = await add('tasks', records, createTask)
  await add('activities', fewerCount, createActivity)
  if (pendingDeliveries > 0) await fillOutbox(storage, crm, actor, pendingDeliveries)
  return { crm, actor, records, references, tasks }
}

async function createEmptyWorkspace(
  crm: Crm,
  slug: string,
): Promise<{ readonly actor: Actor; readonly references: SampleReferences }> {
  await crm.operator.createWorkspace({ name: 'Bench', slug, owner_name: 'Olga', owner_email: OWNER_EMAIL })
  await crm.operator.addMember({ workspace: slug, name: 'Ann', email: RARE_OWNER_EMAIL, role: 'member' })
  const actor = await crm.operator.actorFor({ workspace: slug, email: OWNER_EMAIL })
  const rareOwner = await crm.operator.actorFor({ workspace: slug, email: RARE_OWNER_EMAIL })
  const [commonTag, rareTag] = [
    await crm.tags.create(actor, { name: 'Common' }),
    await crm.tags.create(actor, { name: 'Rare' }),
  ]
  const list = await crm.lists.create(actor, { name: 'Common' })
  const company = await crm.companies.create(actor, { full_name: 'Bench' })
  const pipeline = await crm.pipelines.create(actor, {
    name: 'Sales',
    stages: [
      { name: 'New' },
      { name: 'Demo' },
      { name: 'Offer' },
      { name: 'Signing' },
      { name: 'Won', type: 'win' },
    ],
  })
  const [rareStage, ...stages] = pipeline.stages.map(({ id }) => id).toReversed()
  const references: SampleReferences = {
    common: { owner: actor.userId, tag: commonTag.id, list: list.id },
    rare: { owner: rareOwner.userId, tag: rareTag.id, company: company.id, stage: rareStage! },
    fields: await createCustomFields(crm, actor),
    pipeline: pipeline.id,
    stages,
    companies: [],
    people: [],
    deals: [],
  }
  return { actor, references }
}

async function createCustomFields(crm: Crm, actor: Actor): Promise<SampleReferences['fields']> {
  const select_list = ['Startup', 'SMB', 'Enterprise', 'Public'].map((option) => ({
    key: option.toLowerCase(),
    option,
  }))
  const createField = async (field: Parameters<Crm['customFields']['create']>[1]) =>
    (await crm.customFields.create(actor, field)).id
  return {
    reference: await createField({ label: 'Reference', key: 'reference', type: 'text' }),
    segment: await createField({ label: 'Segment', key: 'segment', type: 'select', value: { select_list } }),
    birthday: await createField({ label: 'Birthday', key: 'birthday', type: 'date' }),
    revenue: await createField({ label: 'Revenue', key: 'revenue', type: 'number' }),
    profile: await createField({ label: 'Profile', key: 'profile', type: 'link' }),
  }
}
