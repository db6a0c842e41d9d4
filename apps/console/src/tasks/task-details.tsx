import type { TaskListItem } from '@sales-crm/client'
import { useConsole } from '../app/console-context.ts'
import { FollowButton } from '../notifications/follow-button.tsx'
import { Fact, Facts } from '../records/facts/fact.tsx'
import { FixedValue } from '../records/facts/fixed-value.tsx'
import { ShareButton } from '../sharing/share-button.tsx'
import { useShareDialog } from '../sharing/use-share-dialog.tsx'
import { Button } from '../ui/button.tsx'
import { Dialog, DialogActions } from '../ui/dialog.tsx'
import styles from './task-list.module.css'
import { taskSubjects } from './task-subjects.ts'

interface TaskDetailsProps {
  readonly task: TaskListItem
  /** Why it cannot be changed. */
  readonly reason: string
  readonly close: () => void
}

/** Shows the fields of a task that the member may not change. */
export function TaskDetails({ task, reason, close }: TaskDetailsProps) {
  const { texts } = useConsole()
  const openShares = useShareDialog('tasks')
  return (
    <Dialog title={task.title} close={close}>
      <p class={styles.readOnly}>{reason}</p>
      <Facts>
        {useTaskFacts(task).map(([label, value]) => (
          <Fact key={label} label={label}>
            <FixedValue>{value ?? undefined}</FixedValue>
          </Fact>
        ))}
      </Facts>
      <DialogActions>
        <FollowButton kind="tasks" id={task.id} />
        <ShareButton kind="tasks" id={task.id} open={() => openShares(task, task.title)} />
        <Button autoFocus onClick={close}>
          {texts.actions.close}
        </Button>
      </DialogActions>
    </Dialog>
  )
}

function useTaskFacts(
  task: TaskListItem,
): readonly (readonly [label: string, value: string | null | undefined])[] {
  const { texts, dates } = useConsole()
  const { labels } = texts
  const { type, due_date, owner, priority, notes } = task
  const subjects = taskSubjects(task).map(({ name }) => name)
  return [
    [labels.type, type?.title],
    [labels.due, due_date === null ? texts.due.none : dates.fullDue(new Date(due_date))],
    [labels.about, subjects.join(' · ') || undefined],
    [labels.owner, owner?.name],
    [labels.priority, priority && texts.due.priorities[priority]],
    [labels.notes, notes],
  ]
}
