import type { TaskListItem } from '@sales-crm/client'
import { useQuery } from '@tanstack/react-query'
import { useConsole } from '../../app/console-context.ts'
import { includeInRows } from '../../app/permissions.ts'
import type { CreateDefaults } from '../../create/create-defaults.ts'
import { useShell } from '../../shell/shell-context.ts'
import { NextTaskDue } from '../../tasks/due.tsx'
import { TaskCheck } from '../../tasks/task-check.tsx'
import { TaskDue } from '../../tasks/task-due.tsx'
import { TaskTitle } from '../../tasks/task-title.tsx'
import { IconButton } from '../../ui/button.tsx'
import { classNames } from '../../ui/class-names.ts'
import text from '../../ui/text.module.css'
import type { Kind } from '../kinds.ts'
import page from '../record-page.module.css'
import styles from './linked.module.css'

interface LinkedTasksProps {
  readonly kind: Kind
  readonly id: string
  readonly defaults: CreateDefaults
}

const SHOWN = 20

/** The open tasks of a record, the most urgent first. */
export function LinkedTasks({ kind, id, defaults }: LinkedTasksProps) {
  const { crm, me, texts } = useConsole()
  const { openCreate } = useShell()
  const filter = { [{ people: 'person_id', companies: 'company_id', deals: 'deal_id' }[kind]]: id }
  const tasks = useQuery({
    queryKey: ['tasks', 'of', filter],
    queryFn: async ({ signal }) =>
      await crm.tasks.list(
        {
          ...{ ...filter, completed: false, order_by: 'due_date', order: 'asc', per_page: SHOWN },
          ...includeInRows(me, 'tasks'),
        },
        { signal },
      ),
  })
  // The service puts those without a date first.
  const shown = (tasks.data?.data ?? []).toSorted(
    (a, b) => Number(a.due_date === null) - Number(b.due_date === null),
  )
  return (
    <section class={page.block}>
      <div class={page.blockHead}>
        <h2>
          {texts.record.openTasks} <span class={text.count}>{tasks.data?.meta.total || ''}</span>
        </h2>
        <IconButton
          small
          icon="plus"
          class={text.push}
          label={texts.create.tasks}
          onClick={() => openCreate('tasks', defaults)}
        />
      </div>
      {tasks.data && shown.length === 0 && kind === 'deals' && <NextTaskDue task={null} />}
      {shown.map((task) => (
        <LinkedTask key={task.id} task={task} />
      ))}
    </section>
  )
}

function LinkedTask({ task }: { readonly task: TaskListItem }) {
  return (
    <article class={styles.mini}>
      <p>
        <TaskCheck task={task} />
        <span class={classNames(text.cut, task.completed && styles.done)}>
          <TaskTitle task={task} />
        </span>
      </p>
      <p class={styles.below}>
        <TaskDue task={task} />
      </p>
    </article>
  )
}
