import type { TaskListItem, TaskQuery } from '@sales-crm/client'
import { useConsole } from '../app/console-context.ts'
import { useNow } from '../app/now.tsx'
import { includeInRows } from '../app/permissions.ts'
import { useViewParams } from '../app/use-view-params.ts'
import { TASK_FIELDS } from '../fields/task-fields.tsx'
import { useOwnerQuery } from '../reference/owner-query.ts'
import { TablePage } from '../table/table-page.tsx'
import { useColumns } from '../table/use-columns.tsx'
import { type ListOrder, useListOrder } from '../table/use-list-query.ts'
import { PAGE_SIZE } from '../table/use-rows.ts'
import { dueRange } from './due-range.ts'
import { TaskFilters } from './task-filters.tsx'
import { TaskSelectionBar } from './task-selection-bar.tsx'

const ORDERS = ['due_date', 'created_at', 'updated_at'] as const

export function TasksPage() {
  const { crm } = useConsole()
  const query = useTaskQuery()
  return (
    <TablePage<TaskListItem>
      kind="tasks"
      columns={useColumns('tasks', TASK_FIELDS)}
      source={{
        queryKey: ['tasks', 'list', query],
        order: query,
        fetchPage: async (page, signal) =>
          await crm.tasks.list({ ...query, page, per_page: PAGE_SIZE }, { signal }),
      }}
      nameOf={({ title }) => title}
      isFiltered
      exported={query}
      selectionBar={(selection) => <TaskSelectionBar selection={selection} />}
      filters={<TaskFilters />}
    />
  )
}

/** What the address says about the shown tasks: by default, the open ones of everybody. */
function useTaskQuery(): TaskQuery & ListOrder<(typeof ORDERS)[number]> {
  const { calendar, me } = useConsole()
  const { params } = useViewParams()
  const order = useListOrder(ORDERS, { order_by: 'due_date', order: 'asc' })
  const status = params.get('status') ?? 'open'
  return {
    ...order,
    ...dueRange(params.get('due'), useNow(), calendar),
    ...useOwnerQuery(),
    ...includeInRows(me, 'tasks'),
    completed: status === 'all' ? undefined : status === 'done',
  }
}
