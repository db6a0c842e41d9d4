import * as v from 'valibot'
import { integerParameter, querySchema, toListQuery } from '../../engine/list-query.ts'
import { loadRecord } from '../../engine/load-record.ts'
import { validate } from '../../engine/validate.ts'
import { readWorkspace, type ViewTransaction } from '../../engine/workspace-transaction.ts'
import { type Actor, requireScope } from '../../kernel/actor.ts'
import { instant } from '../../kernel/field-schemas.ts'
import type { GroupSection, ListQuery, Ports, RecordGroup } from '../../ports/index.ts'
import type { Deal } from '../../schema/deal.ts'
import { KINDS } from '../../schema/index.ts'
import type { Stage } from '../../schema/stage.ts'
import type { DealItem, StageView } from '../../schema/views.ts'
import { deals } from '../deals/deal.ts'
import { LINKED_SCOPES } from '../linked-records/link-field.ts'
import { pipelines } from '../pipelines/pipeline.ts'
import { loadStages } from '../pipelines/pipeline-stages.ts'
import type { Amount } from '../reports/report-views.ts'
import { sumStages, toAmount } from '../reports/stage-sums.ts'

const { search, tag, list_id, person_id, company_id, owner_email, team_id, filter, view } = deals.filters
const { updated_after, forecast_after, forecast_before } = deals.filters
const filters = {
  ...{ search, tag, list_id, person_id, company_id, owner_email, team_id, filter, view },
  ...{ updated_after, forecast_after, forecast_before },
}
const { entries } = v.omit(querySchema(KINDS.deals.orderBy, filters), ['page', 'per_page'])

/** The query of a board: order and maximum number of the cards of a stage, and filters. */
export const boardQuery = v.object({
  ...entries,
  limit: v.optional(integerParameter({ min: 1, max: 50, message: 'Must be between 1 and 50.' }), 20),
  // Applies to won and lost stages, which would otherwise fill for ever.
  closed_after: v.optional(instant),
})
export type BoardQuery = v.InferInput<typeof boardQuery>

/** A stage with its deals. */
export interface BoardStage extends Pick<StageView, 'id' | 'name' | 'type' | 'probability'> {
  /** Number of matching deals. */
  readonly count: number
  /** The sum of their amounts in each currency, by its code. */
  readonly amounts: readonly Amount[]
  /** The first of them. `next_task` is left out for an actor who cannot read tasks. */
  readonly deals: readonly DealItem[]
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

export function boardApi(ports: Pick<Ports, 'storage' | 'issuer' | 'now'>): BoardApi {
  return {
    async board(actor, id, query = {}) {
      requireScope(actor, deals.scopes.read)
      const { closed_after, limit, ...parameters } = validate(boardQuery, query, 'parameter')
      return readWorkspace(ports, actor, async (transaction) => {
        const { id: pipelineId, name } = await loadRecord(pipelines, id, transaction)
        const [stages, listQuery] = await Promise.all([
          loadStages([pipelineId], transaction),
          toListQuery<Deal>({ ...parameters, page: 1, per_page: limit }, { filters }, transaction),
        ])
        const sort = { closed_after, hasOrder: query.order_by !== undefined }
        const groups = listQuery
          ? await transaction.stores.deals.listGroups({
              where: [{ field: 'stage_id', oneOf: stages.map((stage) => stage.id) }, ...listQuery.where],
              groupBy: 'stage_id',
              sections: buildSections(stages, listQuery, sort),
              limit,
              sum: 'amount',
              sumBy: 'currency',
            })
          : []
        return { id: pipelineId, name, stages: await buildBoardStages(stages, groups, actor, transaction) }
      })
    },
  }
}

/** Open stages, and closed ones, which have an order and a condition of their own. */
function buildSections(
  stages: readonly Stage[],
  { order_by, order }: ListQuery<Deal>,
  { closed_after, hasOrder }: { readonly closed_after: string | undefined; readonly hasOrder: boolean },
): readonly GroupSection<Deal>[] {
  const listIds = (isOpen: boolean) =>
    stages.filter(({ type }) => (type === 'open') === isOpen).map(({ id }) => id)
  const sections: readonly GroupSection<Deal>[] = [
    { keys: listIds(true), order_by, order, where: [] },
    {
      keys: listIds(false),
      ...(hasOrder ? { order_by, order } : { order_by: 'closed_at', order: 'desc' }),
      where: closed_after === undefined ? [] : [{ field: 'closed_at', from: closed_after }],
    },
  ]
  return sections.filter(({ keys }) => keys.length > 0)
}

/** Fields of cards that lists only include. */
const CARD_INCLUDES = ['stage_entered_at', 'shared_with']

async function buildBoardStages(
  stages: readonly Stage[],
  groups: readonly RecordGroup<Deal>[],
  actor: Actor,
  transaction: ViewTransaction,
): Promise<readonly BoardStage[]> {
  const rows = groups.flatMap((group) => group.rows)
  const tasks = actor.scopes.has(LINKED_SCOPES.next_task) ? ['next_task'] : []
  const views = await deals.listView(rows, transaction, [...CARD_INCLUDES, ...tasks])
  const cards = new Map(views.map((view) => [view.id, view]))
  const groupsByKey = new Map(groups.map((group) => [group.key, group]))
  return stages.map((stage) => toBoardStage(stage, groupsByKey.get(stage.id), cards))
}

function toBoardStage(
  stage: Stage,
  group: RecordGroup<Deal> | undefined,
  cards: ReadonlyMap<string, DealItem>,
): BoardStage {
  const { id, name, type, probability } = stage
  const { rows, sums } = group ?? { rows: [], sums: [] }
  const stageSums = sums.map(({ key, count, sum }) => ({
    stage,
    currency: key as Deal['currency'],
    count,
    sum,
  }))
  const { count, amounts } = sumStages(stageSums, toAmount)
  return {
    ...{ id, name, type, probability, count, amounts },
    deals: rows.map((deal) => cards.get(deal.id)!),
    has_more: rows.length < count,
  }
}
