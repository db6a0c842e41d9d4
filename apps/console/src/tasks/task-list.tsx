import type { TaskListItem } from '@sales-crm/client'
import { Link } from 'wouter'
import { useConsole } from '../app/console-context.ts'
import { canChange } from '../app/permissions.ts'
import { classNames } from '../ui/class-names.ts'
import due from '../ui/due.module.css'
import { Icon } from '../ui/icon.tsx'
import text from '../ui/text.module.css'
import { PostponeMenu } from './postpone-menu.tsx'
import { TaskCheck } from './task-check.tsx'
import { TaskDue } from './task-due.tsx'
import styles from './task-list.module.css'
import { taskSubjects } from './task-subjects.ts'
import { TaskTitle } from './task-title.tsx'
import { taskTypeIcon } from './task-type-icon.ts'
import type { TaskKeys } from './use-task-keys.ts'

interface TaskListProps {
  readonly tasks: readonly TaskListItem[]
  readonly keys: TaskKeys
}

export function TaskList({ tasks, keys }: TaskListProps) {
  return (
    <ul>
      {tasks.map((task) => (
        <TaskRow key={task.id} task={task} keys={keys} />
      ))}
    </ul>
  )
}

function TaskRow({ task, keys }: { readonly task: TaskListItem; readonly keys: TaskKeys }) {
  const { me, texts } = useConsole()
  return (
    <li
      class={classNames(styles.task, task.completed && styles.done)}
      data-task={task.id}
      onFocusIn={() => keys.focus(task.id)}
    >
      <TaskCheck task={task} tabIndex={keys.tabStop === task.id ? 0 : -1} />
      <Icon name={taskTypeIcon(task.type)} />
      <div class={styles.text}>
        <p class={styles.title}>
          <TaskTitle task={task} />
          {task.priority === 'high' && (
            <span class={due.priority}>
              <Icon name="flag" />
              {texts.due.high}
            </span>
          )}
        </p>
        <TaskAbout task={task} />
      </div>
      <div class={styles.end}>
        {!task.completed && canChange(me, 'tasks', task) && <PostponeMenu task={task} keys={keys} />}
        <TaskDue task={task} class={styles.due} />
      </div>
    </li>
  )
}

function TaskAbout({ task }: { readonly task: TaskListItem }) {
  return (
    <p class={styles.about}>
      {taskSubjects(task).map(({ href, name }, index) => (
        <span key={href} class={text.cut}>
          {index > 0 && ' · '}
          <Link href={href} tabIndex={-1}>
            {name}
          </Link>
        </span>
      ))}
    </p>
  )
}
