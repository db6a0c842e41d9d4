import type { Task } from '@sales-crm/client'
import { useConsole } from '../app/console-context.ts'
import { classNames } from '../ui/class-names.ts'
import text from '../ui/text.module.css'
import styles from './task-list.module.css'
import { useTaskDialog } from './use-task-dialog.tsx'

/** The title of a task; a press opens its fields. */
export function TaskTitle({ task }: { readonly task: Task }) {
  const { texts } = useConsole()
  const open = useTaskDialog()
  return (
    <button
      type="button"
      class={classNames(styles.open, text.cut)}
      tabIndex={-1}
      data-edit
      title={`${texts.actions.edit}: ${task.title}`}
      onClick={() => open(task)}
    >
      {task.title}
    </button>
  )
}
