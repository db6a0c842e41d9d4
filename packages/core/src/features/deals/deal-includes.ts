import { buildViews } from '../../engine/build-views.ts'
import { getOrNull } from '../../engine/views.ts'
import type { ViewTransaction, WorkspaceTransaction } from '../../engine/workspace-transaction.ts'
import type { Actor } from '../../kernel/actor.ts'
import type { Instant } from '../../kernel/instant.ts'
import type { Condition } from '../../ports/index.ts'
import type { Deal } from '../../schema/deal.ts'
import type { Task } from '../../schema/task.ts'
import type { NextTask } from '../../schema/views.ts'

const TASK_SCOPE = 'tasks:read'

/** The scopes that included fields of deals require besides `deals:read`. */
export const DEAL_INCLUDE_SCOPES = { next_task: TASK_SCOPE } as const

/** The included fields that the actor may read. */
export function readableIncludes({ scopes }: Actor): readonly string[] {
  const always = ['stage_entered_at', 'shared_with']
  return scopes.has(TASK_SCOPE) ? ['next_task', ...always] : always
}

type IncludedDeal = Pick<Deal, 'id' | 'created_at'>

export async function loadStageEntries(page: readonly IncludedDeal[], transaction: ViewTransaction) {
  const lastMoves = await loadLastMoves(page, transaction)
  return ({ id, created_at }: IncludedDeal) => lastMoves.get(id) ?? created_at
}

export async function loadNextTaskViews(page: readonly IncludedDeal[], transaction: ViewTransaction) {
  const nextTasks = await loadNextTasks(page, transaction)
  return ({ id }: IncludedDeal) => getOrNull(nextTasks, id)
}

/** Returns the time of the last stage move of each deal that has one. */
async function loadLastMoves(
  page: readonly Pick<Deal, 'id'>[],
  { stores }: WorkspaceTransaction,
): Promise<ReadonlyMap<string, Instant>> {
  const rows = await stores.stage_moves.aggregate({
    where: [{ field: 'deal_id', oneOf: page.map(({ id }) => id) }],
    groupBy: [{ field: 'deal_id' }],
    latest: 'created_at',
    order: 'count',
    limit: page.length,
  })
  return new Map(rows.map(({ keys: [id], latest }) => [String(id), latest!]))
}

async function loadNextTasks(
  page: readonly Pick<Deal, 'id'>[],
  transaction: ViewTransaction,
): Promise<ReadonlyMap<string, NextTask>> {
  const ids = page.map(({ id }) => id)
  const due = await findFirstTasks(ids, 'due_date', [{ field: 'due_date', from: FIRST_INSTANT }], transaction)
  const idsWithoutDue = ids.filter((id) => !due.has(id))
  const undated = await findFirstTasks(
    idsWithoutDue,
    'created_at',
    [{ field: 'due_date', is: null }],
    transaction,
  )
  const tasks = [...due, ...undated]
  const views = await buildViews(
    'tasks',
    'summary',
    tasks.map(([, task]) => task),
    transaction,
  )
  return new Map(tasks.map(([dealId], index) => [dealId, views[index]!]))
}

const FIRST_INSTANT: Instant = '0001-01-01T00:00:00.000Z'
/** Tasks that are read per deal. A deal with more may hide the tasks of others, which are then read alone. */
const TASKS_PER_DEAL = 5

/** Returns the first open task of each deal that has one. */
async function findFirstTasks(
  dealIds: readonly string[],
  order_by: 'due_date' | 'created_at',
  conditions: readonly Condition<Task>[],
  { stores }: WorkspaceTransaction,
): Promise<ReadonlyMap<string, Task>> {
  const find = (ids: readonly string[], per_page: number) =>
    stores.tasks.list({
      page: 1,
      per_page,
      order_by,
      order: 'asc',
      where: [{ field: 'deal_id', oneOf: ids }, { field: 'completed', is: false }, ...conditions],
      omit: ['notes'],
    })
  if (dealIds.length === 0) return new Map()
  const { rows, total } = await find(dealIds, TASKS_PER_DEAL * dealIds.length)
  const first = new Map(rows.toReversed().map((task) => [task.deal_id!, task]))
  if (total === rows.length) return first
  const hidden = dealIds.filter((id) => !first.has(id))
  const others = await Promise.all(hidden.map((id) => find([id], 1)))
  return new Map([
    ...first,
    ...others.flatMap((page) => page.rows.map((task) => [task.deal_id!, task] as const)),
  ])
}
