import { loadRecordViews } from '../../engine/build-views.ts'
import { loadOwners } from '../../engine/owner.ts'
import { validate } from '../../engine/validate.ts'
import { getOrNull } from '../../engine/views.ts'
import { readWorkspace, type ViewTransaction } from '../../engine/workspace-transaction.ts'
import { type Actor, requireScope } from '../../kernel/actor.ts'
import type { Condition, Ports } from '../../ports/index.ts'
import type { Task } from '../../schema/task.ts'
import { tasks } from '../tasks/task.ts'
import { checkRange, loadOwnerScope, whereBetween } from './deal-scope.ts'
import { GROUPINGS, listKeys } from './groupings.ts'
import { loadMonthBoundaries } from './month-boundaries.ts'
import { completedTasksInput } from './report-inputs.ts'
import type { CompletedTasks, CompletedTasksReport } from './report-views.ts'

/** Most rows that the report adds up: of a type, a member and a month each. */
const MAX_ROWS = 5000

/** Counts the tasks that were completed between `from` and `to`, inclusive, by type, owner and month. */
export async function completedTasksReport(
  ports: Pick<Ports, 'storage' | 'issuer' | 'now'>,
  actor: Actor,
  input: unknown,
): Promise<CompletedTasksReport> {
  const { from, to, ...query } = validate(completedTasksInput, input, 'parameter')
  requireScope(actor, tasks.scopes.read)
  checkRange({ from, to })
  return readWorkspace(
    ports,
    actor,
    async (transaction) => {
      const scope = await loadOwnerScope(query, transaction)
      const where: readonly Condition<Task>[] = [
        { field: 'completed', is: true },
        ...whereBetween('completed_at', from, to),
        ...scope.where,
      ]
      return {
        ...{ owner: scope.owner, team: scope.team, from: from ?? null, to: to ?? null },
        ...(await countRows(where, transaction)),
      }
    },
    { workload: 'report' },
  )
}

async function countRows(
  where: readonly Condition<Task>[],
  transaction: ViewTransaction,
): Promise<Pick<CompletedTasksReport, 'rows' | 'more'>> {
  const { stores } = transaction
  const { months, starts } = await loadMonthBoundaries(
    stores.tasks as never,
    'completed_at',
    where as never,
    transaction,
  )
  const found = await stores.tasks.aggregate({
    where,
    groupBy: [
      { field: 'type_id' },
      { field: 'owner_user_id' },
      { field: 'completed_at', boundaries: starts },
    ],
    ...{ order: 'count', limit: MAX_ROWS + 1 },
  })
  const counted = found.slice(0, MAX_ROWS)
  const owners = await loadOwners(listKeys(counted, 1), transaction)
  const current = await GROUPINGS.owner.loadKeyMap!(transaction)
  const types = await loadRecordViews('task_types', 'summary', listKeys(counted, 0), transaction)
  const rows = counted.map(({ keys: [type, owner, month], count }): CompletedTasks => {
    const ownerId = current.get(String(owner)) ?? null
    return {
      month: typeof month === 'number' ? (months[month - 1] ?? null) : null,
      type: getOrNull(types, type as string | null),
      owner: getOrNull(owners, ownerId),
      count,
    }
  })
  return { rows: mergeRows(rows), more: found.length > counted.length }
}

/** Adds up the tasks of removed members, who are no owners. In the order of months, the largest number first. */
function mergeRows(rows: readonly CompletedTasks[]): readonly CompletedTasks[] {
  const parts = Map.groupBy(rows, ({ month, type, owner }) => `${month} ${type?.id} ${owner?.id}`)
  return [...parts.values()]
    .map((of) => ({ ...of[0]!, count: of.reduce((total, { count }) => total + count, 0) }))
    .toSorted((a, b) => compareText(a.month ?? '~', b.month ?? '~') || b.count - a.count)
}

function compareText(a: string, b: string): number {
  return a < b ? -1 : Number(a > b)
}
