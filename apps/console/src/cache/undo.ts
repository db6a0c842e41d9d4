/** The last change that can be taken back. */
let lastUndo: (() => void) | undefined

export function setUndo(undo: (() => void) | undefined): void {
  lastUndo = undo
}

/** Takes the last change back, once. */
export function undoLast(): void {
  const undo = lastUndo
  lastUndo = undefined
  undo?.()
}
