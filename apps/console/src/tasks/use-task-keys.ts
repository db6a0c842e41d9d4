import type { Task } from '@sales-crm/client'
import { useState } from 'preact/hooks'
import { useLocation } from 'wouter'
import { undoLast } from '../cache/undo.ts'
import { useKeys } from '../keyboard/use-keys.ts'
import { useShell } from '../shell/shell-context.ts'
import { taskSubjects } from './task-subjects.ts'

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
  const [, navigate] = useLocation()
  const [focusedId, setFocusedId] = useState<string>()
  const [postponing, setPostponing] = useState<string>()
  const index = tasks.findIndex(({ id }) => id === focusedId)
  const task = tasks[index]

  function step(rows: number): void {
    const next = tasks[index === -1 ? 0 : Math.max(0, Math.min(index + rows, tasks.length - 1))]
    if (!next) return
    setFocusedId(next.id)
    document.querySelector<HTMLElement>(`[data-task="${next.id}"] input`)?.focus()
  }
  function openSubject(): void {
    const [subject] = task ? taskSubjects(task) : []
    if (subject) navigate(subject.href)
  }

  useKeys({
    j: () => step(1),
    k: () => step(-1),
    ArrowDown: () => step(1),
    ArrowUp: () => step(-1),
    h: () => task && setPostponing(task.id),
    Enter: openSubject,
    t: () => openCreate('tasks'),
    c: () => openCreate('tasks'),
    z: undoLast,
  })
  return {
    tabStop: index === -1 ? tasks[0]?.id : focusedId,
    focus: setFocusedId,
    postponing,
    setPostponing,
  }
}
