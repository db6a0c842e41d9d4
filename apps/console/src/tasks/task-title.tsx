import type { TaskListItem } from '@sales-crm/client'
import { useConsole } from '../app/console-context.ts'
import { canChange } from '../app/permissions.ts'
import { classNames } from '../ui/class-names.ts'
import text from '../ui/text.module.css'
import styles from './task-list.module.css'
import { useTaskDialog } from './use-task-dialog.tsx'

/** The title of a task; a press opens its fields. */
export function TaskTitle({ task }: { readonly task: TaskListItem }) {
  const { me, texts } = useConsole()
  const open = useTaskDialog()
  const isEditable = canChange(me, 'tasks', task)
  return (
    <button
      type="button"
      class={classNames(styles.open, text.cut)}
      tabIndex={-1}
      data-edit={isEditable || undefined}
      title={`${isEditable ? texts.actions.edit : texts.actions.open}: ${task.title}`}
      onClick={() => open(task)}
    >
      {task.title}
    </button>
  )
}
