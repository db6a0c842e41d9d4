import type { TaskListItem } from '@sales-crm/client'
import { useMemo } from 'preact/hooks'
import { useConsole } from '../app/console-context.ts'
import { useNow } from '../app/now.tsx'
import { useViewParams } from '../app/use-view-params.ts'
import { LoadError } from '../shell/load-boundary.tsx'
import { Bar, BarEnd, Hints, usePageTitle } from '../shell/page-parts.tsx'
import { useShell } from '../shell/shell-context.ts'
import { TaskList } from '../tasks/task-list.tsx'
import { useTaskKeys } from '../tasks/use-task-keys.ts'
import { Button } from '../ui/button.tsx'
import group from '../ui/group.module.css'
import skeleton from '../ui/skeleton.module.css'
import text from '../ui/text.module.css'
import { DealsWithoutTask } from './deals-without-task.tsx'
import styles from './my-day.module.css'
import { type DueSection, groupByDue, useDueTasks } from './use-my-day.ts'

const SECTIONS: readonly DueSection[] = ['overdue', 'today', 'week']

/** What is due: overdue, today and this week; and the deals without a next step. */
export function MyDayPage() {
  const { texts, dates } = useConsole()
  const { params, set } = useViewParams()
  const { openCreate } = useShell()
  const now = useNow()
  const isMine = params.get('whose') !== 'everyone'
  const tasks = useDueTasks(isMine, now)
  usePageTitle(texts.myDay.title)
  return (
    <>
      <Bar>
        <h1>{texts.myDay.title}</h1>
        <p class={`${text.soft} ${text.small} ${text.deskOnly}`}>{dates.long(now)}</p>
        <BarEnd>
          <fieldset class={group.group} aria-label={texts.myDay.whose}>
            <button type="button" aria-pressed={isMine} onClick={() => set({ whose: undefined })}>
              {texts.myDay.mine}
            </button>
            <button type="button" aria-pressed={!isMine} onClick={() => set({ whose: 'everyone' })}>
              {texts.myDay.everyone}
            </button>
          </fieldset>
          <Button look="main" icon="plus" class={text.deskOnly} onClick={() => openCreate('tasks')}>
            {texts.create.tasks} <kbd>T</kbd>
          </Button>
        </BarEnd>
      </Bar>
      <div class={styles.day}>
        <div>
          {tasks.error && !tasks.data && <LoadError error={tasks.error} retry={tasks.refetch} />}
          {!tasks.data && !tasks.error && <div class={skeleton.line} />}
          {tasks.data && <DueTasks tasks={tasks.data} now={now} />}
        </div>
        <aside aria-label={texts.myDay.without}>
          <DealsWithoutTask isMine={isMine} />
        </aside>
      </div>
      <Hints
        keys={[
          [['J', 'K'], texts.shortcuts.next],
          [['Space'], texts.shortcuts.complete],
          [['H'], texts.shortcuts.postpone],
          [['Enter'], texts.shortcuts.open],
          [['E'], texts.actions.edit],
          [['Z'], texts.actions.undo],
        ]}
      />
    </>
  )
}

function DueTasks({ tasks, now }: { readonly tasks: readonly TaskListItem[]; readonly now: Date }) {
  const { texts, calendar } = useConsole()
  const groups = groupByDue(tasks, now, calendar)
  const keys = useTaskKeys(useMemo(() => SECTIONS.flatMap((section) => groups[section]), [tasks, now]))
  if (tasks.length === 0) return <p class={styles.empty}>{texts.myDay.empty}</p>
  return SECTIONS.filter((section) => groups[section].length > 0).map((section) => (
    <section key={section} aria-labelledby={`due-${section}`}>
      <header class={styles.head}>
        <h2 id={`due-${section}`} class={section === 'overdue' ? text.late : undefined}>
          {texts.myDay[section]}
        </h2>
        <span class={text.count}>{groups[section].filter(({ completed }) => !completed).length}</span>
      </header>
      <TaskList tasks={groups[section]} keys={keys} />
    </section>
  ))
}
