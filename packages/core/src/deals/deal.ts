import { type CompanySummary, companySummaries } from '../companies/company.ts'
import { type PersonSummary, personSummaries } from '../people/person.ts'
import type { StageType } from '../pipelines/pipeline.ts'
import type { Condition, Instant, RecordBase } from '../ports.ts'
import { type AssociatedDetail, type AssociatedItem, associatedDetails, associatedItems } from '../records/association-views.ts'
import {
  ASSOCIATED_COLUMNS,
  type Associated,
  associatedChanges,
  associatedInput,
  NOT_IN_ITEMS,
  NOTHING_ASSOCIATED,
} from '../records/associations.ts'
import {
  changeable,
  clearable,
  email,
  instant,
  integer,
  line,
  lineOrNone,
  object,
  oneOf,
  optional,
  resettable,
  uuid,
} from '../records/fields.ts'
import { foundBy } from '../records/found-by.ts'
import { type Owner, ownersOf } from '../records/owner.ts'
import { byId, byOwner, type Filter, since } from '../records/query.ts'
import { OWNER, toRecord } from '../records/references.ts'
import { defineResource } from '../records/resource.ts'
import { foundFilters } from '../records/search.ts'
import { idsIn, linked, type Unit, viewsOf } from '../records/unit.ts'
import { wordsIn } from '../records/words.ts'
import type { EventName } from '../webhooks/event-names.ts'
import { CURRENCIES, type Currency, formattedAmount } from './currency.ts'
import { settleDeal } from './settle-deal.ts'
import { noteMove } from './stage-move.ts'

export interface Deal extends RecordBase, Associated {
  readonly updated_at: Instant
  readonly entity_id: string
  readonly name: string
  /** Minor units of the currency. */
  readonly amount: number
  readonly currency: Currency
  readonly pipeline_id: string
  readonly stage_id: string
  readonly source: string | null
  readonly forecast_date: Instant | null
  /** When the deal came into the win or lost stage it is in. */
  readonly closed_at: Instant | null
  readonly person_id: string | null
  readonly company_id: string | null
  readonly owner_user_id: string | null
}

export const dealShape = {
  columns: {
    entity_id: 'text',
    name: 'text',
    amount: 'integer',
    currency: 'text',
    pipeline_id: 'uuid',
    stage_id: 'uuid',
    source: 'text?',
    forecast_date: 'instant?',
    closed_at: 'instant?',
    person_id: 'uuid?',
    company_id: 'uuid?',
    owner_user_id: 'uuid?',
    ...ASSOCIATED_COLUMNS,
  },
  unique: [],
  neverReused: ['entity_id'],
  refersTo: { pipeline_id: 'pipelines', stage_id: 'stages', person_id: 'people', company_id: 'companies', owner_user_id: 'members' },
} as const

const name = line(1, 120)
const amount = integer(0, 1e15)
const kept = { currency: oneOf(CURRENCIES), pipeline_id: uuid, stage_id: uuid }
const emptied = {
  source: lineOrNone(80),
  forecast_date: instant,
  person_id: uuid,
  company_id: uuid,
  owner_user_id: uuid,
  owner_email: email,
}

const status = oneOf(['open', 'win', 'lost'])
const byStatus: Filter<Deal, typeof status> = {
  schema: status,
  async conditions(type, { stores }): Promise<readonly Condition<Deal>[]> {
    const stages = await stores.stages.find([{ field: 'type', is: type }])
    return [{ field: 'stage_id', oneOf: stages.map(({ id }) => id) }]
  },
}

export interface DealSummary
  extends Pick<Deal, 'id' | 'name' | 'amount' | 'currency' | 'source' | 'forecast_date' | 'created_at' | 'updated_at'> {
  readonly formatted_amount: string
  readonly pipeline: { readonly id: string; readonly name: string } | null
  readonly stage: { readonly id: string; readonly name: string; readonly type: StageType } | null
}

export interface DealItem extends DealSummary, Pick<Deal, 'entity_id' | 'closed_at'>, AssociatedItem {
  readonly owner: Owner | null
  readonly person: PersonSummary | null
  readonly company: CompanySummary | null
}

export interface DealDetail extends DealItem, AssociatedDetail {}

export const deals = defineResource<Deal>()({
  label: 'Deal',
  scopes: { read: 'deals:read', write: 'deals:write' },
  store: (stores) => stores.deals,
  orderBy: ['created_at', 'updated_at', 'name'],
  filters: {
    ...foundFilters<Deal>(),
    pipeline_id: byId<Deal>('pipeline_id', 'pipelines'),
    stage_id: byId<Deal>('stage_id', 'stages'),
    status: byStatus,
    person_id: byId<Deal>('person_id', 'people'),
    company_id: byId<Deal>('company_id', 'companies'),
    owner_email: byOwner<Deal>('owner_user_id'),
    updated_after: since<Deal>('updated_at'),
  },
  create: object({ name, ...optional({ amount, ...kept, ...emptied }), ...associatedInput }),
  update: object({ ...changeable({ name, ...kept }), amount: resettable(amount, 0), ...clearable(emptied), ...associatedChanges }),
  references: {
    ...OWNER,
    person_id: toRecord('person_id', 'people', 'Person'),
    company_id: toRecord('company_id', 'companies', 'Company'),
  },
  codeLetter: 'D',
  blank: {
    entity_id: '',
    name: '',
    amount: 0,
    currency: 'USD',
    pipeline_id: '',
    stage_id: '',
    source: null,
    forecast_date: null,
    closed_at: null,
    person_id: null,
    company_id: null,
    owner_user_id: null,
    ...NOTHING_ASSOCIATED,
  },
  associations: { kind: 'deals', dealLink: null },
  foundBy: (deal) => foundBy(wordsIn(deal.name), deal),
  settle: settleDeal,
  noteChange: noteMove,
  events: dealEvents,
  unlisted: NOT_IN_ITEMS,
  listView: dealItems,
  detailView: dealDetails,
  snapshot: (deal) => ({ deal }),
})

type Placed = Pick<DealDetail, 'stage'>

/** A move is also an update. Winning or losing is also a move, from a stage of another type. */
export function dealEvents(before: Placed | undefined, after: Placed | undefined): readonly EventName[] {
  if (!before) return ['deal.created']
  if (!after) return ['deal.deleted']
  if (before.stage?.id === after.stage?.id) return ['deal.updated']
  const moved: readonly EventName[] = ['deal.updated', 'deal.stage_changed']
  if (before.stage?.type === after.stage?.type) return moved
  if (after.stage?.type === 'win') return [...moved, 'deal.won']
  return after.stage?.type === 'lost' ? [...moved, 'deal.lost'] : moved
}

export async function dealSummaries(ids: readonly string[], unit: Unit): Promise<ReadonlyMap<string, DealSummary>> {
  if (ids.length === 0) return new Map()
  const page = await unit.stores.deals.getMany(ids)
  const summarise = await summariser(page, unit)
  return new Map(page.map((deal) => [deal.id, summarise(deal)]))
}

async function dealItems(page: readonly Deal[], unit: Unit): Promise<DealItem[]> {
  const [related, associated] = await Promise.all([relatedOf(page, unit), associatedItems(page, 'deals', unit)])
  return page.map((deal) => ({ ...related(deal), ...associated(deal) }))
}

async function dealDetails(page: readonly Deal[], unit: Unit): Promise<DealDetail[]> {
  const [related, associated] = await Promise.all([relatedOf(page, unit), associatedDetails(page, 'deals', unit)])
  return page.map((deal) => ({ ...related(deal), ...associated(deal) }))
}

async function relatedOf(page: readonly Deal[], unit: Unit): Promise<(deal: Deal) => Omit<DealItem, keyof AssociatedItem>> {
  const [summarise, owners, people, companies] = await Promise.all([
    summariser(page, unit),
    ownersOf(page, unit),
    personSummaries(idsIn(page, 'person_id'), unit),
    companySummaries(idsIn(page, 'company_id'), unit),
  ])
  return (deal) => ({
    ...summarise(deal),
    entity_id: deal.entity_id,
    closed_at: deal.closed_at,
    owner: linked(owners, deal.owner_user_id),
    person: linked(people, deal.person_id),
    company: linked(companies, deal.company_id),
  })
}

async function summariser(page: readonly Deal[], { workspaceId, stores, shared }: Unit): Promise<(deal: Deal) => DealSummary> {
  const [workspace, pipelines, stages] = await Promise.all([
    page.length > 0 ? shared.workspaces.get(workspaceId) : undefined,
    viewsOf(stores.pipelines, idsIn(page, 'pipeline_id'), ({ id, name }) => ({ id, name })),
    viewsOf(stores.stages, idsIn(page, 'stage_id'), ({ id, name, type }) => ({ id, name, type })),
  ])
  const locale = workspace?.locale ?? 'en-US'
  return ({ id, name, amount, currency, source, forecast_date, created_at, updated_at, pipeline_id, stage_id }) => ({
    id,
    name,
    amount,
    currency,
    formatted_amount: formattedAmount(amount, currency, locale),
    pipeline: linked(pipelines, pipeline_id),
    stage: linked(stages, stage_id),
    source,
    forecast_date,
    created_at,
    updated_at,
  })
}
