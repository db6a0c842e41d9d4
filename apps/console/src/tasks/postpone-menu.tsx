import type { TaskListItem } from '@sales-crm/client'
import { lazy, Suspense } from 'preact/compat'
import { useState } from 'preact/hooks'
import { useConsole } from '../app/console-context.ts'
import { Button, IconButton } from '../ui/button.tsx'
import { LazyMenu } from '../ui/lazy-menu.tsx'
import { postponeChoices } from './postpone-choices.ts'
import styles from './task-list.module.css'
import { useTaskChanges } from './use-task-changes.ts'
import type { TaskKeys } from './use-task-keys.ts'

const DayDialog = lazy(async () => ({ default: (await import('./day-dialog.tsx')).DayDialog }))

/** Postpones a task in one step. */
export function PostponeMenu({ task, keys }: { readonly task: TaskListItem; readonly keys: TaskKeys }) {
  const { texts, dates, calendar } = useConsole()
  const { postpone } = useTaskChanges()
  const [isPicking, setIsPicking] = useState(false)
  const due = task.due_date === null ? undefined : new Date(task.due_date)
  const { tomorrow, dayAfter, nextMonday } = postponeChoices(due, new Date(), calendar)
  const choice = (label: string, date: Date) => ({
    label,
    icon: 'right' as const,
    after: dates.day(date, new Date()),
    select: () => postpone(task, date),
  })
  return (
    <>
      <Button small tabIndex={-1} class={styles.tomorrow} onClick={() => postpone(task, tomorrow)}>
        {texts.myDay.tomorrow}
      </Button>
      <LazyMenu
        align="end"
        label={texts.myDay.postpone(task.title)}
        open={keys.postponing === task.id}
        onOpenChange={(isOpen) => keys.setPostponing(isOpen ? task.id : undefined)}
        trigger={<IconButton small icon="clock" label={texts.myDay.postpone(task.title)} tabIndex={-1} />}
        groups={() => [
          {
            actions: [
              choice(texts.myDay.tomorrow, tomorrow),
              choice(texts.myDay.dayAfter, dayAfter),
              choice(texts.myDay.nextMonday, nextMonday),
            ],
          },
          {
            actions: [
              { label: texts.myDay.pickDate, icon: 'calendar', select: () => setIsPicking(true) },
              { label: texts.myDay.noDateChoice, icon: 'x', select: () => postpone(task, undefined) },
            ],
          },
        ]}
      />
      {isPicking && (
        <Suspense fallback={null}>
          <DayDialog
            title={texts.myDay.postpone(task.title)}
            due={due}
            choose={(date) => postpone(task, date)}
            close={() => setIsPicking(false)}
          />
        </Suspense>
      )}
    </>
  )
}
