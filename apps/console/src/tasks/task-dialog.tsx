import type { Task } from '@sales-crm/client'
import { useConsole } from '../app/console-context.ts'
import { TaskForm } from '../create/task-form.tsx'
import { Dialog } from '../ui/dialog.tsx'

interface TaskDialogProps {
  readonly task: Task
  readonly close: () => void
}

/** Changes a task. */
export function TaskDialog({ task, close }: TaskDialogProps) {
  const { texts } = useConsole()
  return (
    <Dialog title={texts.tasks.edit} close={close}>
      <TaskForm defaults={{}} task={task} close={close} />
    </Dialog>
  )
}
