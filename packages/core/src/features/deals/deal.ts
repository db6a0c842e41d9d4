import { type Filter, idFilter, ownerFilter, sinceFilter, untilFilter } from '../../engine/list-query.ts'
import { loadOwners, type Owner } from '../../engine/owner.ts'
import { OWNER_REFERENCES, referenceTo } from '../../engine/references.ts'
import { defineResource } from '../../engine/resource.ts'
import { extractRecordTerms } from '../../engine/search-terms.ts'
import { collectIds, getOrNull, loadViews } from '../../engine/views.ts'
import type { WorkspaceTransaction } from '../../engine/workspace-transaction.ts'
import type { EventName } from '../../kernel/event-names.ts'
import { instant, integer, knownEmail, oneOf, uuid } from '../../kernel/field-schemas.ts'
import { changeable, clearable, object, optional, resettable } from '../../kernel/object-schemas.ts'
import { singleLineText, singleLineTextOrNull } from '../../kernel/text-schemas.ts'
import type { Condition } from '../../ports/index.ts'
import { NO_ASSOCIATIONS } from '../../schema/associations.ts'
import { CURRENCIES, formatAmount } from '../../schema/currency.ts'
import type { Deal } from '../../schema/deal.ts'
import type { StageType } from '../../schema/stage.ts'
import {
  type AssociatedDetail,
  type AssociatedItem,
  loadAssociatedDetails,
  loadAssociatedItems,
} from '../associations/association-views.ts'
import {
  associationCreateFields,
  associationUpdateFields,
  DETAIL_ONLY_COLUMNS,
} from '../associations/associations.ts'
import { buildSearchTerms } from '../associations/build-search-terms.ts'
import { searchFilters } from '../associations/search-filters.ts'
import { type CompanySummary, loadCompanySummaries } from '../companies/company.ts'
import { loadPersonSummaries, type PersonSummary } from '../people/person.ts'
import { derivePlacement } from './derive-placement.ts'

const name = singleLineText(1, 120)
const amount = integer(0, 1e15)
const requiredFields = { currency: oneOf(CURRENCIES), pipeline_id: uuid, stage_id: uuid }
const nullableFields = {
  source: singleLineTextOrNull(80),
  forecast_date: instant,
  person_id: uuid,
  company_id: uuid,
  owner_user_id: uuid,
  owner_email: knownEmail,
}

const status = oneOf(['open', 'win', 'lost'])
const statusFilter: Filter<Deal, typeof status> = {
  schema: status,
  async conditions(type, { stores }): Promise<readonly Condition<Deal>[]> {
    const stages = await stores.stages.find([{ field: 'type', is: type }])
    return [{ field: 'stage_id', oneOf: stages.map(({ id }) => id) }]
  },
}

/** A deal as tasks embed it. */
export interface DealSummary
  extends Pick<
    Deal,
    'id' | 'name' | 'amount' | 'currency' | 'source' | 'forecast_date' | 'created_at' | 'updated_at'
  > {
  /** The amount in the workspace's locale: `R$ 1.234,56`, with no-break spaces. */
  readonly formatted_amount: string
  /** Null if it was deleted. */
  readonly pipeline: { readonly id: string; readonly name: string } | null
  /** Null if it was deleted. */
  readonly stage: { readonly id: string; readonly name: string; readonly type: StageType } | null
}

/** A deal as `crm.deals.list` returns it. */
export interface DealItem extends DealSummary, Pick<Deal, 'entity_id' | 'closed_at'>, AssociatedItem {
  /** Null for nobody and for a removed member. */
  readonly owner: Owner | null
  /** Null without a person, and if it was deleted. */
  readonly person: PersonSummary | null
  /** Null without a company, and if it was deleted. */
  readonly company: CompanySummary | null
}

/** A deal as `crm.deals.get`, `create` and `update` return it, with its tags and lists. */
export interface DealDetail extends DealItem, AssociatedDetail {}

/**
 * The definition of deals: the schemas of `DealInput` (`create`) and `DealChanges` (`update`), and the
 * filters, orders and scopes.
 */
export const deals = defineResource<Deal>()({
  label: 'Deal',
  scopes: { read: 'deals:read', write: 'deals:write' },
  collection: 'deals',
  orderBy: ['created_at', 'updated_at', 'name', 'amount', 'forecast_date', 'closed_at'],
  filters: {
    ...searchFilters<Deal>(),
    pipeline_id: idFilter<Deal>('pipeline_id', 'pipelines'),
    stage_id: idFilter<Deal>('stage_id', 'stages'),
    status: statusFilter,
    person_id: idFilter<Deal>('person_id', 'people'),
    company_id: idFilter<Deal>('company_id', 'companies'),
    owner_email: ownerFilter<Deal>('owner_user_id'),
    updated_after: sinceFilter<Deal>('updated_at'),
    forecast_after: sinceFilter<Deal>('forecast_date'),
    forecast_before: untilFilter<Deal>('forecast_date'),
    closed_after: sinceFilter<Deal>('closed_at'),
    closed_before: untilFilter<Deal>('closed_at'),
  },
  create: object({
    name,
    ...optional({ amount, ...requiredFields, ...nullableFields }),
    ...associationCreateFields,
  }),
  update: object({
    ...changeable({ name, ...requiredFields }),
    amount: resettable(amount, 0),
    ...clearable(nullableFields),
    ...associationUpdateFields,
  }),
  references: {
    ...OWNER_REFERENCES,
    person_id: referenceTo('person_id', 'people', 'Person'),
    company_id: referenceTo('company_id', 'companies', 'Company'),
  },
  codePrefix: 'D',
  defaults: {
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
    ...NO_ASSOCIATIONS,
  },
  searchTerms: (deal) => buildSearchTerms(extractRecordTerms(deal.name), deal),
  deriveFields: derivePlacement,
  events: dealEvents,
  omitFromLists: DETAIL_ONLY_COLUMNS,
  listView: buildDealItems,
  detailView: buildDealDetails,
  snapshot: (deal) => ({ deal }),
})

type HasStage = Pick<DealDetail, 'stage'>

/** A move is also an update. Winning and losing are also moves, from a stage of another type. */
export function dealEvents(before: HasStage | undefined, after: HasStage | undefined): readonly EventName[] {
  if (!before) return ['deal.created']
  if (!after) return ['deal.deleted']
  if (before.stage?.id === after.stage?.id) return ['deal.updated']
  const names: readonly EventName[] = ['deal.updated', 'deal.stage_changed']
  if (before.stage?.type === after.stage?.type) return names
  if (after.stage?.type === 'win') return [...names, 'deal.won']
  return after.stage?.type === 'lost' ? [...names, 'deal.lost'] : names
}

export async function loadDealSummaries(
  ids: readonly string[],
  unit: WorkspaceTransaction,
): Promise<ReadonlyMap<string, DealSummary>> {
  if (ids.length === 0) return new Map()
  const page = await unit.stores.deals.getMany(ids)
  const summarizeDeal = await loadSummarizer(page, unit)
  return new Map(page.map((deal) => [deal.id, summarizeDeal(deal)]))
}

async function buildDealItems(page: readonly Deal[], unit: WorkspaceTransaction): Promise<DealItem[]> {
  const [viewRelated, associations] = await Promise.all([
    loadRelated(page, unit),
    loadAssociatedItems(page, 'deals', unit),
  ])
  return page.map((deal) => ({ ...viewRelated(deal), ...associations(deal) }))
}

async function buildDealDetails(page: readonly Deal[], unit: WorkspaceTransaction): Promise<DealDetail[]> {
  const [viewRelated, associations] = await Promise.all([
    loadRelated(page, unit),
    loadAssociatedDetails(page, 'deals', unit),
  ])
  return page.map((deal) => ({ ...viewRelated(deal), ...associations(deal) }))
}

async function loadRelated(
  page: readonly Deal[],
  unit: WorkspaceTransaction,
): Promise<(deal: Deal) => Omit<DealItem, keyof AssociatedItem>> {
  const [summarizeDeal, owners, people, companies] = await Promise.all([
    loadSummarizer(page, unit),
    loadOwners(page, unit),
    loadPersonSummaries(collectIds(page, 'person_id'), unit),
    loadCompanySummaries(collectIds(page, 'company_id'), unit),
  ])
  return (deal) => ({
    ...summarizeDeal(deal),
    entity_id: deal.entity_id,
    closed_at: deal.closed_at,
    owner: getOrNull(owners, deal.owner_user_id),
    person: getOrNull(people, deal.person_id),
    company: getOrNull(companies, deal.company_id),
  })
}

async function loadSummarizer(
  page: readonly Deal[],
  { workspaceId, stores, shared }: WorkspaceTransaction,
): Promise<(deal: Deal) => DealSummary> {
  const [workspace, pipelines, stages] = await Promise.all([
    page.length > 0 ? shared.workspaces.get(workspaceId) : undefined,
    loadViews(stores.pipelines, collectIds(page, 'pipeline_id'), ({ id, name }) => ({ id, name })),
    loadViews(stores.stages, collectIds(page, 'stage_id'), ({ id, name, type }) => ({ id, name, type })),
  ])
  const locale = workspace?.locale ?? 'en-US'
  return ({
    id,
    name,
    amount,
    currency,
    source,
    forecast_date,
    created_at,
    updated_at,
    pipeline_id,
    stage_id,
  }) => ({
    id,
    name,
    amount,
    currency,
    formatted_amount: formatAmount(amount, currency, locale),
    pipeline: getOrNull(pipelines, pipeline_id),
    stage: getOrNull(stages, stage_id),
    source,
    forecast_date,
    created_at,
    updated_at,
  })
}
