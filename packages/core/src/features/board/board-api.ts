import * as v from 'valibot'
import { instant } from '../../engine/field-schemas.ts'
import { integerParameter, querySchema, toListQuery } from '../../engine/list-query.ts'
import { loadRecord } from '../../engine/load-record.ts'
import { validate } from '../../engine/validate.ts'
import { inWorkspace, type WorkspaceTransaction } from '../../engine/workspace-transaction.ts'
import { type Actor, requireScope } from '../../kernel/actor.ts'
import type { ListQuery, Page, Ports } from '../../ports/index.ts'
import type { Deal } from '../../schema/deal.ts'
import type { Stage } from '../../schema/stage.ts'
import { deals } from '../deals/deal.ts'
import type { DealListItem } from '../deals/deal-api.ts'
import { loadIncludes, readableIncludes } from '../deals/deal-includes.ts'
import { loadStages, pipelines, type StageView } from '../pipelines/pipeline.ts'
import type { Amount } from '../reports/report-views.ts'
import { loadStageSums, type StageSum, sumStages, toAmount } from '../reports/stage-sums.ts'

const { search, tag, list_id, person_id, company_id, owner_email } = deals.filters
const { updated_after, forecast_after, forecast_before } = deals.filters
const filters = {
  ...{ search, tag, list_id, person_id, company_id, owner_email },
  ...{ updated_after, forecast_after, forecast_before },
}
const { entries } = v.omit(querySchema(deals.orderBy, filters), ['page', 'per_page'])

/** The query of a board: order and maximum number of the cards of a stage, and filters. */
export const boardQuery = v.object({
  ...entries,
  limit: v.optional(integerParameter({ min: 1, max: 50, message: 'Must be between 1 and 50.' }), 20),
  // Applies to won and lost stages, which would otherwise fill for ever.
  closed_after: v.optional(instant),
})
export type BoardQuery = v.InferInput<typeof boardQuery>

/** A stage with its deals. */
export interface BoardStage extends Omit<StageView, 'created_at'> {
  /** Number of matching deals. */
  readonly count: number
  /** The sum of their amounts in each currency, by its code. */
  readonly amounts: readonly Amount[]
  /** The first of them. `next_task` is left out for an actor who cannot read tasks. */
  readonly deals: readonly DealListItem[]
  readonly has_more: boolean
}

/** A pipeline with the deals of its stages, of one snapshot. */
export interface Board {
  readonly id: string
  readonly name: string
  /** In order. */
  readonly stages: readonly BoardStage[]
}

/** The board of a pipeline, as `crm.pipelines.board`. */
export interface BoardApi {
  /**
   * Returns the stages of a pipeline, each with the number, the sums and the first cards of its deals. Won and lost
   * deals are the latest to close first by default. The next cards of a stage are in `crm.deals.list`.
   * @throws CrmError `insufficient_scope`, `validation_error`, `not_found`
   */
  board(actor: Actor, id: string, query?: BoardQuery): Promise<Board>
}

export function boardApi({ storage }: Pick<Ports, 'storage'>): BoardApi {
  return {
    async board(actor, id, query = {}) {
      requireScope(actor, deals.scopes.read)
      const { closed_after, limit, ...parameters } = validate(boardQuery, query, 'parameter')
      return storage.read(async (tx) => {
        const unit = inWorkspace(tx, actor.workspaceId)
        const { id: pipelineId, name } = await loadRecord(pipelines, id, unit)
        const [stages, listQuery] = await Promise.all([
          loadStages([pipelineId], unit),
          toListQuery<Deal>({ ...parameters, page: 1, per_page: limit }, filters, unit),
        ])
        const columns = stages.map((stage) => ({
          stage,
          query:
            listQuery &&
            columnQuery(stage, listQuery, { closed_after, hasOrder: query.order_by !== undefined }),
        }))
        return { id: pipelineId, name, stages: await loadColumns(columns, actor, unit) }
      })
    },
  }
}

interface Column {
  readonly stage: Stage
  /** Undefined if no deal can match. */
  readonly query: ListQuery<Deal> | undefined
}

function columnQuery(
  stage: Stage,
  query: ListQuery<Deal>,
  { closed_after, hasOrder }: { readonly closed_after: string | undefined; readonly hasOrder: boolean },
): ListQuery<Deal> {
  const where = [{ field: 'stage_id', is: stage.id } as const, ...query.where]
  if (stage.type === 'open') return { ...query, where }
  return {
    ...query,
    ...(!hasOrder && { order_by: 'closed_at', order: 'desc' }),
    where: closed_after === undefined ? where : [...where, { field: 'closed_at', from: closed_after }],
  }
}

async function loadColumns(
  columns: readonly Column[],
  actor: Actor,
  unit: WorkspaceTransaction,
): Promise<readonly BoardStage[]> {
  const loaded = await Promise.all(
    columns.map(async ({ stage, query }) => {
      const [sums, page] = await Promise.all([
        query ? loadStageSums([stage], query.where, unit) : [],
        query
          ? unit.stores.deals.list({ ...query, omit: deals.omitFromLists ?? [] })
          : { rows: [], total: 0 },
      ])
      return { stage, sums, page }
    }),
  )
  const rows = loaded.flatMap(({ page }) => page.rows)
  const [views, includes] = await Promise.all([
    deals.listView(rows, unit),
    loadIncludes(rows, readableIncludes(actor), unit),
  ])
  const cards = new Map(views.map((view, index) => [view.id, { ...view, ...includes[index] }]))
  return loaded.map((column) => toBoardStage(column, cards))
}

function toBoardStage(
  {
    stage,
    sums,
    page,
  }: { readonly stage: Stage; readonly sums: readonly StageSum[]; readonly page: Page<Deal> },
  cards: ReadonlyMap<string, DealListItem>,
): BoardStage {
  const { id, name, type, probability } = stage
  return {
    id,
    name,
    type,
    probability,
    ...sumStages(sums, toAmount),
    deals: page.rows.map((deal) => cards.get(deal.id)!),
    has_more: page.rows.length < page.total,
  }
}
