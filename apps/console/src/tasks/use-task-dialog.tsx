import type { TaskListItem } from '@sales-crm/client'
import { lazy } from 'preact/compat'
import { useShell } from '../shell/shell-context.ts'

const TaskDialog = lazy(async () => ({ default: (await import('./task-dialog.tsx')).TaskDialog }))

/** Opens the fields of a task. */
export function useTaskDialog(): (task: TaskListItem) => void {
  const { show } = useShell()
  const open = (task: TaskListItem): void =>
    show((close) => <TaskDialog task={task} close={close} reopen={() => open(task)} />)
  return open
}
