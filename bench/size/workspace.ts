import { type Actor, type Crm, createCrm } from '@sales-crm/core'
import type { Records, Storage } from '@sales-crm/core/ports'
import { nodePorts } from '@sales-crm/node'
import { ISSUER, SECRET_KEY } from '../data.ts'
import { activityAt, companyAt, dealAt, taskAt } from './others.ts'
import { fillOutbox } from './outbox.ts'
import { personAt } from './people.ts'
import type { SampleReferences } from './sample-references.ts'

export const OWNER_EMAIL = 'olga@bench.example'
export const RARE_OWNER_EMAIL = 'ann@bench.example'

/** A workspace with so many people, as many deals and as many tasks. What stands in it is the same on every run, but for ids. */
export interface Filled {
  readonly crm: Crm
  readonly actor: Actor
  /** How many of each of the three kinds. */
  readonly records: number
  readonly place: SampleReferences
  /** Ids of some, spread over all of them, oldest first. */
  readonly tasks: readonly string[]
}

/** Companies and activities are one for so many people. */
const FEWER = 10
/** Deliveries that wait are one for so many people. */
const WAITING = 10
const BATCH = 1_000
/** So many of a kind others are linked to at most. */
const LINKED = 100_000

export function crmOver(storage: Storage): Crm {
  const ports = nodePorts({ secretKey: SECRET_KEY, issuer: ISSUER, outbound: { allowPrivate: true } })
  return createCrm({ ...ports, storage })
}

interface FillOptions {
  /** How many deliveries wait: one for ten people, where nothing is said. */
  readonly waiting?: number
  /** Told after each batch. */
  readonly onProgress?: (kind: string, made: number) => void
}

/** Makes a workspace and fills it by the bulk verbs of the stores. */
export async function fillWorkspace(
  storage: Storage,
  slug: string,
  records: number,
  { waiting = Math.floor(records / WAITING), onProgress = () => {} }: FillOptions = {},
): Promise<Filled> {
  const crm = crmOver(storage)
  const { actor, place } = await emptyWorkspace(crm, slug)
  const fewer = Math.max(FEWER, Math.floor(records / FEWER))

  /** Gives the ids of some of them. */
  async function add<C extends 'companies' | 'people' | 'deals' | 'tasks' | 'activities'>(
    kind: C,
    count: number,
    make: (index: number, place: SampleReferences) => Records[C],
  ): Promise<string[]> {
    const step = Math.ceil(count / LINKED)
    const kept: string[] = []
    for (let from = 0; from < count; from += BATCH) {
      const batch = Array.from({ length: Math.min(BATCH, count - from) }, (_, offset) =>
        make(from + offset, place),
      )
      await storage.transact((tx) => {
        const { insertMany } = tx.workspace(actor.workspaceId)[kind] as {
          insertMany(records: readonly Records[C][]): Promise<void>
        }
        return insertMany(batch)
      })
      kept.push(...batch.flatMap(({ id }, offset) => ((from + offset) % step === 0 ? [id] : [])))
      onProgress(kind, from + batch.length)
    }
    return kept
  }

  place.companies.push(...(await add('companies', fewer, companyAt)))
  place.people.push(...(await add('people', records, personAt)))
  place.deals.push(...(await add('deals', records, dealAt)))
  const tasks = await add('tasks', records, taskAt)
  await add('activities', fewer, activityAt)
  if (waiting > 0) await fillOutbox(storage, crm, actor, waiting)
  return { crm, actor, records, place, tasks }
}

async function emptyWorkspace(
  crm: Crm,
  slug: string,
): Promise<{ readonly actor: Actor; readonly place: SampleReferences }> {
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
  const place: SampleReferences = {
    common: { owner: actor.userId, tag: commonTag.id, list: list.id },
    rare: { owner: rareOwner.userId, tag: rareTag.id, company: company.id, stage: rareStage! },
    fields: await customFields(crm, actor),
    pipeline: pipeline.id,
    stages,
    companies: [],
    people: [],
    deals: [],
  }
  return { actor, place }
}

async function customFields(crm: Crm, actor: Actor): Promise<SampleReferences['fields']> {
  const select_list = ['Startup', 'SMB', 'Enterprise', 'Public'].map((option) => ({
    key: option.toLowerCase(),
    option,
  }))
  const made = async (field: Parameters<Crm['customFields']['create']>[1]) =>
    (await crm.customFields.create(actor, field)).id
  return {
    reference: await made({ label: 'Reference', key: 'reference', type: 'text' }),
    segment: await made({ label: 'Segment', key: 'segment', type: 'select', value: { select_list } }),
    birthday: await made({ label: 'Birthday', key: 'birthday', type: 'date' }),
    revenue: await made({ label: 'Revenue', key: 'revenue', type: 'number' }),
    profile: await made({ label: 'Profile', key: 'profile', type: 'link' }),
  }
}
