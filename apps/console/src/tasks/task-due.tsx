import type { TaskListItem } from '@sales-crm/client'
import { useConsole } from '../app/console-context.ts'
import { useNow } from '../app/now.tsx'
import { dueState } from '../format/dates.ts'
import { classNames } from '../ui/class-names.ts'
import due from '../ui/due.module.css'

interface TaskDueProps {
  readonly task: Pick<TaskListItem, 'due_date' | 'completed'>
  readonly class?: string | undefined
}

/** When a task is due: how long ago, the time of today, or the day. */
export function TaskDue({ task, class: className }: TaskDueProps) {
  const { texts, dates, calendar } = useConsole()
  const now = useNow()
  if (task.due_date === null) return <span class={classNames(due.due, className)}>{texts.due.none}</span>
  const date = new Date(task.due_date)
  const state = dueState(date, now, calendar)
  return (
    <time
      class={classNames(due.due, className, !task.completed && due[state])}
      dateTime={task.due_date}
      title={dates.fullDue(date)}
    >
      {describe()}
    </time>
  )
  function describe(): string {
    if (state === 'late' && !task.completed) return dates.late(date, now)
    return state === 'today' && !calendar.hasTime(date) ? texts.due.noTime : dates.due(date, now)
  }
}
