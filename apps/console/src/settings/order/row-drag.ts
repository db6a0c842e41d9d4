import {
  DragDropManager,
  Draggable,
  Droppable,
  PointerActivationConstraints,
  PointerSensor,
} from '@dnd-kit/dom'
import { DRAG_PLUGINS } from '../../ui/drag-plugins.ts'
import styles from './order.module.css'

export interface RowDragListener {
  readonly onLift: (key: string) => void
  /** @param target the row that it was dropped on; undefined if it was dropped elsewhere, or put back by Esc */
  readonly onDrop: (key: string, target: string | undefined) => void
}

const DISTANCE_PX = 4

/**
 * Makes the rows of a list draggable by their handles: the elements with `data-row`, and those with `data-grip` in
 * them. A mark shows where the row is dropped; the order changes after that. Keys move rows by `useReorder`.
 */
export function startRowDrag(
  list: HTMLElement,
  listener: { readonly current: RowDragListener | null },
): () => void {
  const manager = new DragDropManager({
    sensors: [
      PointerSensor.configure({
        activationConstraints: [new PointerActivationConstraints.Distance({ value: DISTANCE_PX })],
      }),
    ],
    plugins: DRAG_PLUGINS,
  })
  const entities = new Map<Element, readonly [Draggable, Droppable]>()
  let isDragging = false

  function register(): void {
    if (isDragging) return
    for (const [element, pair] of entities)
      if (!element.isConnected) {
        for (const entity of pair) entity.destroy()
        entities.delete(element)
      }
    for (const element of rowsOf(list))
      if (!entities.has(element)) entities.set(element, createEntities(element, manager))
  }

  manager.monitor.addEventListener('dragstart', ({ operation }) => {
    isDragging = true
    listener.current?.onLift(String(operation.source?.id))
  })
  manager.monitor.addEventListener('dragover', ({ operation }) =>
    markTarget(list, operation.source?.id, operation.target?.id),
  )
  manager.monitor.addEventListener('dragend', ({ operation, canceled }) => {
    isDragging = false
    markTarget(list, undefined, undefined)
    const target = canceled ? undefined : operation.target?.id
    const { source } = operation
    // The library puts the row back into its place after this event.
    setTimeout(() => {
      register()
      listener.current?.onDrop(String(source?.id), target === undefined ? undefined : String(target))
    })
  })

  const observer = new MutationObserver(register)
  observer.observe(list, { childList: true, subtree: true })
  register()
  return () => {
    observer.disconnect()
    manager.destroy()
  }
}

function rowsOf(list: HTMLElement): readonly HTMLElement[] {
  return [...list.querySelectorAll<HTMLElement>('[data-row]')]
}

function createEntities(element: HTMLElement, manager: DragDropManager): readonly [Draggable, Droppable] {
  const id = element.dataset['row'] ?? ''
  const handle = element.querySelector('[data-grip]') ?? element
  return [new Draggable({ id, element, handle }, manager), new Droppable({ id, element }, manager)]
}

/** A row that is moved down comes after its target, and before it otherwise. */
function markTarget(list: HTMLElement, source: unknown, target: unknown): void {
  const rows = rowsOf(list)
  const indexOf = (id: unknown) => rows.findIndex((row) => row.dataset['row'] === id)
  const isDown = indexOf(source) < indexOf(target)
  for (const row of rows) {
    const isTarget = target !== source && row.dataset['row'] === target
    row.classList.toggle(styles.dropBefore ?? '', isTarget && !isDown)
    row.classList.toggle(styles.dropAfter ?? '', isTarget && isDown)
  }
}
