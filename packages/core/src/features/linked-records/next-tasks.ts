import { buildViews, type PartLoader } from '../../engine/build-views.ts'
import { getOrNull } from '../../engine/views.ts'
import type { ViewTransaction, WorkspaceTransaction } from '../../engine/workspace-transaction.ts'
import { FIRST_INSTANT } from '../../kernel/instant.ts'
import type { RecordBase } from '../../kernel/record.ts'
import type { Condition } from '../../ports/index.ts'
import type { Task } from '../../schema/task.ts'
import type { NextTask } from '../../schema/views.ts'
import type { LinkField } from './link-field.ts'

/** Tasks that are read per record. A record with more may hide the tasks of others, which are then read alone. */
const TASKS_PER_RECORD = 5

/** Loads the open task of each record that is due first. */
export function nextTaskLoader(link: LinkField): PartLoader<RecordBase> {
  return async (page, transaction) => {
    const nextTasks = await loadNextTasks(page, link, transaction)
    return ({ id }) => getOrNull(nextTasks, id)
  }
}

async function loadNextTasks(
  page: readonly RecordBase[],
  link: LinkField,
  transaction: ViewTransaction,
): Promise<ReadonlyMap<string, NextTask>> {
  const ids = page.map(({ id }) => id)
  const find = (some: readonly string[], order_by: 'due_date' | 'created_at', condition: Condition<Task>) =>
    findFirstTasks(some, { link, order_by, condition }, transaction)
  const due = await find(ids, 'due_date', { field: 'due_date', from: FIRST_INSTANT })
  const idsWithoutDue = ids.filter((id) => !due.has(id))
  const undated = await find(idsWithoutDue, 'created_at', { field: 'due_date', is: null })
  const tasks = [...due, ...undated]
  const views = await buildViews(
    'tasks',
    'summary',
    tasks.map(([, task]) => task),
    transaction,
  )
  return new Map(tasks.map(([id], index) => [id, views[index]!]))
}

interface FirstTasks {
  readonly link: LinkField
  readonly order_by: 'due_date' | 'created_at'
  readonly condition: Condition<Task>
}

/** Returns the first open task of each record that has one. */
async function findFirstTasks(
  recordIds: readonly string[],
  { link, order_by, condition }: FirstTasks,
  { stores }: WorkspaceTransaction,
): Promise<ReadonlyMap<string, Task>> {
  const find = (ids: readonly string[], per_page: number) =>
    stores.tasks.list({
      page: 1,
      per_page,
      order_by,
      order: 'asc',
      where: [{ field: link, oneOf: ids }, { field: 'completed', is: false }, condition],
      omit: ['notes'],
    })
  if (recordIds.length === 0) return new Map()
  const { rows, total } = await find(recordIds, TASKS_PER_RECORD * recordIds.length)
  const first = new Map(rows.toReversed().map((task) => [task[link]!, task]))
  if (total === rows.length) return first
  const hidden = recordIds.filter((id) => !first.has(id))
  const others = await Promise.all(hidden.map((id) => find([id], 1)))
  return new Map([
    ...first,
    ...others.flatMap((page) => page.rows.map((task) => [task[link]!, task] as const)),
  ])
}
