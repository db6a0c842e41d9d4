import type { NextTask } from '@sales-crm/client'
import { useConsole } from '../app/console-context.ts'
import { useNow } from '../app/now.tsx'
import { dueState } from '../format/dates.ts'
import { classNames } from '../ui/class-names.ts'
import styles from '../ui/due.module.css'
import { Icon } from '../ui/icon.tsx'
import text from '../ui/text.module.css'
import { taskTypeIcon } from './task-type-icon.ts'

/** The next task of a deal: what and when. Says it when there is none. */
export function NextTaskDue({ task }: { readonly task: NextTask | null | undefined }) {
  const { texts, dates, calendar } = useConsole()
  const now = useNow()
  if (!task)
    return (
      <span class={classNames(styles.due, styles.none)}>
        <Icon name="alert" small />
        <span class={text.cut}>{texts.deals.noNextTask}</span>
      </span>
    )
  const what = task.type?.title ?? task.title
  const due = task.due_date === null ? undefined : new Date(task.due_date)
  const state = due && dueState(due, now, calendar)
  return (
    <span
      class={classNames(styles.due, state && styles[state])}
      title={due ? `${task.title}, ${dates.fullDue(due)}` : task.title}
    >
      <Icon name={taskTypeIcon(task.type)} small />
      <span class={text.cut}>{due ? describeDue(what, due) : what}</span>
    </span>
  )

  function describeDue(what: string, due: Date): string {
    const days = calendar.daysBetween(due, now)
    if (state === 'late')
      return days === 0 ? texts.due.lateToday(what, dates.time(due)) : texts.due.late(what, days)
    if (state === 'today' && calendar.hasTime(due))
      return texts.due.at(what, texts.due.today(dates.time(due)))
    return texts.due.at(what, dates.due(due, now))
  }
}
