import type { TaskListItem } from '@sales-crm/client'
import { Link } from 'wouter'
import { NextTaskDue } from '../tasks/due.tsx'
import { TaskCheck } from '../tasks/task-check.tsx'
import { taskSubjects } from '../tasks/task-subjects.ts'
import { TaskTitle } from '../tasks/task-title.tsx'
import text from '../ui/text.module.css'
import type { KindFields, ShownField } from './field.ts'
import { createdField, ownerField } from './field-builders.ts'

/** Tasks are edited in a dialog: tables only show their fields. */
const fields: readonly ShownField<TaskListItem>[] = [
  {
    ...{ type: 'shown', name: 'title', label: ({ labels }) => labels.title, filter: 'text', order: 'asc' },
    render: (task) => <TaskTitle task={task} />,
  },
  {
    ...{ type: 'shown', name: 'due_date', label: ({ labels }) => labels.due, filter: 'day', order: 'asc' },
    render: (task) => (task.due_date === null ? '—' : <NextTaskDue task={task} />),
  },
  {
    ...{ type: 'shown', name: 'completed', label: ({ labels }) => labels.done, filter: 'flag' },
    render: (task) => <TaskCheck task={task} />,
  },
  {
    ...{ type: 'shown', name: 'about', label: ({ labels }) => labels.about },
    exportFields: ['person', 'company', 'deal'],
    render: (task) => <TaskSubject task={task} />,
  },
]

const priority: ShownField<TaskListItem> = {
  ...{ type: 'shown', name: 'priority', label: ({ labels }) => labels.priority, filter: 'choice' },
  filterChoices: ({ due }) => Object.entries(due.priorities),
  render: ({ priority }, { texts }) => (priority ? texts.due.priorities[priority] : '—'),
}

export const TASK_FIELDS: KindFields<TaskListItem> = {
  columns: [...fields, ownerField, priority],
  moreColumns: [createdField],
  facts: [],
  form: [],
}

function TaskSubject({ task }: { readonly task: TaskListItem }) {
  const [subject] = taskSubjects(task)
  if (!subject) return '—'
  return (
    <Link class={text.plain} href={subject.href}>
      {subject.name}
    </Link>
  )
}
