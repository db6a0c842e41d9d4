import type { Task } from '@sales-crm/client'
import { useEffect, useRef, useState } from 'preact/hooks'
import { useLocation } from 'wouter'
import { undoLast } from '../cache/undo.ts'
import { useFocusRef } from '../keyboard/use-focus-ref.ts'
import { useKeys } from '../keyboard/use-keys.ts'
import { useShell } from '../shell/shell-context.ts'
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
export function useTaskKeys(tasks: readonly Task[]): TaskKeys {
  const { openCreate } = useShell()
  const openDialog = useTaskDialog()
  const [, navigate] = useLocation()
  const { taskNow, step, tabStop, focus } = useTaskFocus(tasks)
  const [postponing, setPostponing] = useState<string>()

  function openSubject(): void {
    const task = taskNow()
    const [subject] = task ? taskSubjects(task) : []
    if (subject) navigate(subject.href)
  }

  useKeys({
    j: () => step(1),
    k: () => step(-1),
    ArrowDown: () => step(1),
    ArrowUp: () => step(-1),
    e: () => {
      const task = taskNow()
      if (task) openDialog(task)
    },
    h: () => {
      const task = taskNow()
      if (task && !task.completed) setPostponing(task.id)
    },
    Enter: openSubject,
    t: () => openCreate('tasks'),
    c: () => openCreate('tasks'),
    z: undoLast,
  })
  return { tabStop, focus, postponing, setPostponing }
}

/** The task that has the focus. */
function useTaskFocus(tasks: readonly Task[]) {
  const focus = useFocusRef<string>()
  const indexOf = (focusedId: string | undefined) => tasks.findIndex(({ id }) => id === focusedId)

  function step(rows: number): void {
    const index = indexOf(focus.ref.current)
    const next = tasks[index === -1 ? 0 : Math.max(0, Math.min(index + rows, tasks.length - 1))]
    focusTask(next)
  }
  function focusTask(task: Task | undefined): void {
    if (!task) return
    focus.set(task.id)
    document.querySelector<HTMLElement>(`[data-task="${task.id}"] input`)?.focus()
  }
  // A task that is completed or postponed may be drawn anew in another place.
  const lastIndex = useRef(-1)
  useEffect(() => {
    if (focus.value === undefined || document.activeElement !== document.body) return
    const index = indexOf(focus.value)
    focusTask(tasks[index === -1 ? Math.min(lastIndex.current, tasks.length - 1) : index])
  }, [tasks])
  useEffect(() => {
    const index = indexOf(focus.value)
    if (index !== -1) lastIndex.current = index
  })
  return {
    taskNow: () => tasks[indexOf(focus.ref.current)],
    step,
    tabStop: indexOf(focus.value) === -1 ? tasks[0]?.id : focus.value,
    focus: focus.set,
  }
}
