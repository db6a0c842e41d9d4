import type { TaskListItem } from '@sales-crm/client'
import { useConsole } from '../app/console-context.ts'
import { useNow } from '../app/now.tsx'
import { includeInRows } from '../app/permissions.ts'
import { useViewParams } from '../app/use-view-params.ts'
import { TASK_FIELDS } from '../fields/task-fields.tsx'
import { FilterBar } from '../filters/filter-bar.tsx'
import { useFilterQuery } from '../filters/use-filter-query.ts'
import { readSearch } from '../format/typed-text.ts'
import { useOwnerQuery } from '../reference/owner-query.ts'
import { listSource } from '../table/list-source.ts'
import { TablePage } from '../table/table-page.tsx'
import { useColumns } from '../table/use-columns.tsx'
import { useListOrder } from '../table/use-list-query.ts'
import { dueRange } from './due-range.ts'
import { TaskFilters } from './task-filters.tsx'
import { TaskSelectionBar } from './task-selection-bar.tsx'

export function TasksPage() {
  const { crm } = useConsole()
  const query = useTaskQuery()
  return (
    <TablePage<TaskListItem>
      kind="tasks"
      columns={useColumns('tasks', TASK_FIELDS)}
      source={listSource('tasks', query, query, (page, options) => crm.tasks.list(page, options))}
      nameOf={({ title }) => title}
      isFiltered
      exported={query}
      selectionBar={(selection) => <TaskSelectionBar selection={selection} />}
      filters={
        <>
          <TaskFilters />
          <FilterBar kind="tasks" />
        </>
      }
    />
  )
}

/** What the address says about the shown tasks: by default, the open ones of everybody. */
function useTaskQuery() {
  const { calendar, me } = useConsole()
  const { params } = useViewParams()
  const order = useListOrder('tasks', { order_by: 'due_date', order: 'asc' })
  const isSaved = params.has('saved')
  const status = params.get('status') ?? (isSaved ? 'all' : 'open')
  return {
    ...order,
    search: readSearch(params.get('search')),
    filter: useFilterQuery(),
    ...dueRange(params.get('due') ?? (isSaved ? 'any' : null), useNow(), calendar),
    ...useOwnerQuery(),
    ...includeInRows(me, 'tasks'),
    completed: status === 'all' ? undefined : status === 'done',
  }
}
