import type { Task, TaskQuery } from '@sales-crm/client'
import { Link } from 'wouter'
import { useConsole } from '../app/console-context.ts'
import { useNow } from '../app/now.tsx'
import { useViewParams } from '../app/use-view-params.ts'
import { useOwnerEmail } from '../reference/owner-filter.tsx'
import type { Column } from '../table/column.ts'
import { OwnerCell } from '../table/contact-columns.tsx'
import { TablePage } from '../table/table-page.tsx'
import { type ListOrder, useListOrder } from '../table/use-list-query.ts'
import { PAGE_SIZE } from '../table/use-rows.ts'
import text from '../ui/text.module.css'
import { NextTaskDue } from './due.tsx'
import { dueRange } from './due-range.ts'
import { TaskCheck } from './task-check.tsx'
import { TaskFilters } from './task-filters.tsx'
import { TaskSelectionBar } from './task-selection-bar.tsx'
import { taskSubjects } from './task-subjects.ts'
import { TaskTitle } from './task-title.tsx'

const ORDERS = ['due_date', 'created_at', 'updated_at'] as const

export function TasksPage() {
  const { crm } = useConsole()
  const query = useTaskQuery()
  return (
    <TablePage<Task>
      kind="tasks"
      columns={useTaskColumns()}
      source={{
        queryKey: ['tasks', 'list', query],
        order: query,
        fetchPage: async (page, signal) =>
          await crm.tasks.list({ ...query, page, per_page: PAGE_SIZE }, { signal }),
      }}
      nameOf={({ title }) => title}
      isFiltered
      selectionBar={(selection) => <TaskSelectionBar selection={selection} />}
      filters={<TaskFilters />}
    />
  )
}

function useTaskColumns(): readonly Column<Task>[] {
  const { texts, dates } = useConsole()
  const { labels } = texts
  return [
    { key: 'title', label: labels.title, isDefault: true, render: (task) => <TaskTitle task={task} /> },
    {
      key: 'due_date',
      label: labels.due,
      orderBy: 'due_date',
      isDefault: true,
      render: (task) => (task.due_date === null ? '—' : <NextTaskDue task={task} />),
    },
    {
      key: 'completed',
      label: labels.done,
      isDefault: true,
      render: (task) => <TaskCheck task={task} />,
    },
    {
      key: 'about',
      label: labels.about,
      isDefault: true,
      render: (task) => <TaskSubjects task={task} />,
    },
    {
      key: 'owner',
      label: labels.owner,
      isDefault: true,
      render: ({ owner }) => <OwnerCell owner={owner} />,
    },
    {
      key: 'priority',
      label: labels.priority,
      isDefault: true,
      render: ({ priority }) => (priority ? texts.due.priorities[priority] : '—'),
    },
    {
      key: 'created_at',
      label: labels.created,
      orderBy: 'created_at',
      firstOrder: 'desc',
      isDefault: false,
      render: ({ created_at }) => dates.dayWithYear(new Date(created_at)),
    },
  ]
}

/** What the address says about the shown tasks: by default, the open ones of everybody. */
function useTaskQuery(): TaskQuery & ListOrder<(typeof ORDERS)[number]> {
  const { calendar } = useConsole()
  const { params } = useViewParams()
  const order = useListOrder(ORDERS, { order_by: 'due_date', order: 'asc' })
  const status = params.get('status') ?? 'open'
  return {
    ...order,
    ...dueRange(params.get('due'), useNow(), calendar),
    owner_email: useOwnerEmail(),
    completed: status === 'all' ? undefined : status === 'done',
  }
}

function TaskSubjects({ task }: { readonly task: Task }) {
  const [subject] = taskSubjects(task)
  if (!subject) return '—'
  return (
    <Link class={text.plain} href={subject.href}>
      {subject.name}
    </Link>
  )
}
