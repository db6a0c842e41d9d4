import { useState } from 'preact/hooks'

/** Takes the files that are dropped on an element: `isOver` while they are over it, and the element's handlers. */
export function useFileDrop(take: (files: FileList) => void) {
  const [isOver, setIsOver] = useState(false)
  const dropHandlers = {
    onDragOver(event: DragEvent): void {
      event.preventDefault()
      setIsOver(true)
    },
    onDragLeave(): void {
      setIsOver(false)
    },
    onDrop(event: DragEvent): void {
      event.preventDefault()
      setIsOver(false)
      if (event.dataTransfer) take(event.dataTransfer.files)
    },
  }
  return { isOver, dropHandlers }
}
