import type { TaskListItem } from '@sales-crm/client'
import { useConsole } from '../app/console-context.ts'
import { explainReadOnly } from '../app/permissions.ts'
import { Check } from '../ui/field.tsx'
import { useTaskChanges } from './use-task-changes.ts'

interface TaskCheckProps {
  readonly task: TaskListItem
  readonly tabIndex?: number
}

/** Completes a task, or reopens it. */
export function TaskCheck({ task, tabIndex }: TaskCheckProps) {
  const console = useConsole()
  const { setCompleted } = useTaskChanges()
  const { complete, reopen } = console.texts.myDay
  return (
    <Check
      round
      label={(task.completed ? reopen : complete)(task.title)}
      checked={task.completed}
      change={(isChecked) => setCompleted(task, isChecked)}
      disabledReason={explainReadOnly(console, 'tasks', [task])}
      {...(tabIndex !== undefined && { tabIndex })}
    />
  )
}
