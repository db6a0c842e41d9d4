/** The last change that can be taken back. */
let lastUndo: (() => void) | undefined

export function setUndo(undo: (() => void) | undefined): void {
  lastUndo = undo
}

/** Forgets how a change is taken back, unless another one was made since. */
export function clearUndo(undo: (() => void) | undefined): void {
  if (lastUndo === undo) lastUndo = undefined
}

/** Takes the last change back, once. */
export function undoLast(): void {
  const undo = lastUndo
  lastUndo = undefined
  undo?.()
}
