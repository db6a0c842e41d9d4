import { useState } from 'preact/hooks'
import { useConsole } from '../app/console-context.ts'
import { announceUndoable } from '../cache/undo.ts'
import { deleteDraft, draftKey, readDraft, writeDraft } from './draft-storage.ts'

/**
 * State that survives a reload and the end of the session, in this tab of the browser. `clear` forgets it.
 * @param place where it is written: what was written elsewhere, by another member or in another workspace is not shown
 */
export function useDraft<T>(place: string, initial: T): [T, (value: T) => void, () => void] {
  const key = useDraftKey(place)
  const [value, setValue] = useState<T>(() => mergeDraft(initial, readDraft<T>(key)))
  return [
    value,
    (next) => {
      setValue(next)
      if (JSON.stringify(next) === JSON.stringify(initial)) deleteDraft(key)
      else writeDraft(key, next)
    },
    () => {
      setValue(initial)
      deleteDraft(key)
    },
  ]
}

/**
 * Discards what was written at a place when it is cancelled, and offers it back.
 * @returns a function that gets what shows the place again
 */
export function useDraftDiscard(place: string): (reopen: () => void) => void {
  const { texts } = useConsole()
  const key = useDraftKey(place)
  return (reopen) => {
    const draft = readDraft(key)
    if (draft === undefined) return
    deleteDraft(key)
    announceUndoable(texts.create.discarded, texts.actions.undo, () => {
      writeDraft(key, draft)
      reopen()
    })
  }
}

function useDraftKey(place: string): string {
  const { me, workspace } = useConsole()
  return draftKey(me.id, workspace.id, place)
}

/** An earlier version of the console may have stored fewer fields. */
function mergeDraft<T>(initial: T, stored: T | undefined): T {
  if (stored === undefined) return initial
  return typeof initial === 'object' ? { ...initial, ...stored } : stored
}
