import type { TaskListItem } from '@sales-crm/client'
import { useEffect, useRef } from 'preact/hooks'
import { useLocation } from 'wouter'
import { useConsole } from '../app/console-context.ts'
import { explainReadOnly } from '../app/permissions.ts'
import { undoLast } from '../cache/undo.ts'
import { FocusStandIn } from '../keyboard/focus-stand-in.ts'
import { useFocusRef } from '../keyboard/use-focus-ref.ts'
import { useKeys } from '../keyboard/use-keys.ts'
import { useShell } from '../shell/shell-context.ts'
import { showReason } from '../ui/toasts.tsx'
import { taskSubjects } from './task-subjects.ts'
import { useTaskDialog } from './use-task-dialog.tsx'

export interface TaskKeys {
  /** Id of the task that the Tab key reaches. */
  readonly tabStop: string | undefined
  readonly focus: (id: string) => void
  /** Id of the task whose menu is open. */
  readonly postponing: string | undefined
  readonly setPostponing: (id: string | undefined) => void
}

/** The keys of a list of tasks. The space bar completes, since the checkbox has the focus. */
export function useTaskKeys(tasks: readonly TaskListItem[]): TaskKeys {
  const console = useConsole()
  const { openCreate } = useShell()
  const openDialog = useTaskDialog()
  const [, navigate] = useLocation()
  const { taskNow, step, tabStop, focus } = useTaskFocus(tasks)
  const { value: postponing, ref: postponingNow, set: setPostponing } = useFocusRef<string>()

  function openSubject(): void {
    // The menu gets the key as soon as it is drawn.
    if (postponingNow.current !== undefined) return
    const task = taskNow()
    const [subject] = task ? taskSubjects(task) : []
    if (subject) navigate(subject.href)
  }

  /** Changes the task that has the focus, or says why the member may not. */
  function changeTask(run: (task: TaskListItem) => void): void {
    const task = taskNow()
    const reason = task && explainReadOnly(console, 'tasks', [task])
    if (reason !== undefined) showReason(reason)
    else if (task) run(task)
  }
  useKeys({
    j: () => step(1),
    k: () => step(-1),
    ArrowDown: () => step(1),
    ArrowUp: () => step(-1),
    e: () => changeTask(openDialog),
    h: () => changeTask(({ id, completed }) => completed || setPostponing(id)),
    Enter: openSubject,
    t: () => openCreate('tasks'),
    c: () => openCreate('tasks'),
    z: undoLast,
  })
  return { tabStop, focus, postponing, setPostponing }
}

/** The task that has the focus. */
function useTaskFocus(tasks: readonly TaskListItem[]) {
  const focus = useFocusRef<string>()
  const indexOf = (focusedId: string | undefined) => tasks.findIndex(({ id }) => id === focusedId)

  function step(rows: number): void {
    const index = indexOf(focus.ref.current)
    const next = tasks[index === -1 ? 0 : Math.max(0, Math.min(index + rows, tasks.length - 1))]
    focusTask(next)
  }
  function focusTask(task: TaskListItem | undefined): void {
    if (!task) return
    focus.set(task.id)
    document.querySelector<HTMLElement>(taskSelector(task.id))?.focus()
  }
  useRestoredFocus(tasks, { focus, focusTask })
  return {
    taskNow: () => tasks[indexOf(focus.ref.current)],
    step,
    tabStop: indexOf(focus.value) === -1 ? tasks[0]?.id : focus.value,
    focus: focus.set,
  }
}

interface TaskFocus {
  readonly focus: ReturnType<typeof useFocusRef<string>>
  readonly focusTask: (task: TaskListItem | undefined) => void
}

/**
 * A task that is completed or postponed may be drawn anew in another place. One that leaves the list gives the focus to
 * its neighbour, and gets it back when it comes back.
 */
function useRestoredFocus(tasks: readonly TaskListItem[], { focus, focusTask }: TaskFocus): void {
  const lastIndex = useRef(-1)
  const standIn = useRef(new FocusStandIn()).current
  const indexOf = (id: string | undefined) => tasks.findIndex((task) => task.id === id)
  useEffect(() => {
    const id = focus.ref.current
    if (id === undefined) return
    const returned = standIn.end(id, (each) => indexOf(each) !== -1)
    const hasFocus = document.activeElement === document.querySelector(taskSelector(id))
    if (document.activeElement !== document.body && !(returned && hasFocus)) return
    const index = indexOf(returned ?? id)
    const target = tasks[index === -1 ? Math.min(lastIndex.current, tasks.length - 1) : index]
    focusTask(target)
    if (index === -1 && target) standIn.begin(id, target.id)
  }, [tasks])
  useEffect(() => {
    const index = indexOf(focus.ref.current)
    if (index !== -1) lastIndex.current = index
  })
}

function taskSelector(id: string): string {
  return `[data-task="${id}"] input`
}
