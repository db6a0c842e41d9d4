import { closeToast, showDone } from '../ui/toasts.tsx'
import { type TakeBack, UndoStack } from './undo-stack.ts'

/** More than anybody remembers. */
const MAX_CHANGES = 20

const changes = new UndoStack(MAX_CHANGES)

/** Takes the last change back. */
export function undoLast(): void {
  changes.run()
}

/** Forgets all changes: one was made that stays. */
export function clearUndo(): void {
  changes.clear()
}

/**
 * Remembers how a change is taken back, and says it, if there are words for it.
 * @returns forgets it again
 */
export function announceUndoable(text: string | undefined, label: string, takeBack: TakeBack): () => void {
  let toast: string | undefined
  const close = () => toast !== undefined && closeToast(toast)
  const entry = (): void => {
    close()
    takeBack()
  }
  changes.add(entry)
  if (text !== undefined) toast = showDone(text, { label, shortcut: 'Z', run: () => changes.run(entry) })
  return () => {
    close()
    changes.delete(entry)
  }
}
