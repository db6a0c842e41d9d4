import type { TaskListItem } from '@sales-crm/client'
import { useConsole } from '../app/console-context.ts'
import { explainReadOnly } from '../app/permissions.ts'
import { useDraftDiscard } from '../create/draft.ts'
import { TaskForm } from '../create/task-form.tsx'
import { taskPlace } from '../create/use-task-draft.ts'
import { FollowButton } from '../notifications/follow-button.tsx'
import { ShareButton } from '../sharing/share-button.tsx'
import { useShareDialog } from '../sharing/use-share-dialog.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { TaskDetails } from './task-details.tsx'
import styles from './task-list.module.css'

interface TaskDialogProps {
  readonly task: TaskListItem
  readonly close: () => void
  /** Shows the dialog again. */
  readonly reopen: () => void
}

/** Changes a task. One that the member may not change is only shown. */
export function TaskDialog(props: TaskDialogProps) {
  const { task, close } = props
  const reason = explainReadOnly(useConsole(), 'tasks', [task])
  if (reason === undefined) return <TaskEditor {...props} />
  return <TaskDetails task={task} reason={reason} close={close} />
}

function TaskEditor({ task, close, reopen }: TaskDialogProps) {
  const { texts } = useConsole()
  const openShares = useShareDialog('tasks')
  const discard = useDraftDiscard(taskPlace({}, task))
  function cancel(): void {
    close()
    discard(reopen)
  }
  return (
    <Dialog title={texts.tasks.edit} close={cancel}>
      <div class={styles.dialogHead}>
        <FollowButton kind="tasks" id={task.id} />
        <ShareButton kind="tasks" id={task.id} open={() => openShares(task, task.title)} />
      </div>
      <TaskForm defaults={{}} task={task} close={close} cancel={cancel} />
    </Dialog>
  )
}
