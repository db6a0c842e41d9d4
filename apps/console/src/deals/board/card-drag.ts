import {
  DragDropManager,
  Draggable,
  Droppable,
  PointerActivationConstraints,
  PointerSensor,
} from '@dnd-kit/dom'
import { DRAG_PLUGINS } from '../../ui/drag-plugins.ts'
import styles from './board.module.css'

export interface DragListener {
  readonly onLift: (dealId: string) => void
  /** @param stageId undefined if the card was dropped elsewhere, or put back by Esc */
  readonly onDrop: (dealId: string, stageId: string | undefined) => void
}

const HOLD_MS = 300
const HOLD_TOLERANCE_PX = 8
const DISTANCE_PX = 5

/**
 * Makes the cards of a board draggable to its stages: the elements with `data-deal`, and those with `data-stage`.
 * Keys move cards by `useBoardKeys`, and screen readers hear the live region of the page, so the library's own keys
 * and announcements are left out.
 */
export function startCardDrag(
  board: HTMLElement,
  listener: { readonly current: DragListener | null },
): () => void {
  const manager = new DragDropManager({
    sensors: [PointerSensor.configure({ activationConstraints, preventActivation: isOnButton })],
    plugins: DRAG_PLUGINS,
  })
  const entities = new Map<Element, Draggable | Droppable>()
  let isDragging = false

  function register(): void {
    if (isDragging) return
    for (const [element, entity] of entities)
      if (!element.isConnected) {
        entity.destroy()
        entities.delete(element)
      }
    for (const element of board.querySelectorAll<HTMLElement>('[data-deal], [data-stage]'))
      if (!entities.has(element)) entities.set(element, createEntity(element, manager))
  }

  manager.monitor.addEventListener('dragstart', ({ operation }) => {
    isDragging = true
    board.classList.add(styles.isDragging ?? '')
    listener.current?.onLift(String(operation.source?.id))
  })
  manager.monitor.addEventListener('dragover', ({ operation }) => markTarget(board, operation.target?.id))
  manager.monitor.addEventListener('dragend', ({ operation, canceled }) => {
    isDragging = false
    board.classList.remove(styles.isDragging ?? '')
    markTarget(board, undefined)
    const target = canceled ? undefined : operation.target?.id
    const { source } = operation
    // The library puts the card back into its place after this event.
    setTimeout(() => {
      register()
      listener.current?.onDrop(String(source?.id), target === undefined ? undefined : String(target))
    })
  })

  const observer = new MutationObserver(register)
  observer.observe(board, { childList: true, subtree: true })
  register()
  return () => {
    observer.disconnect()
    manager.destroy()
  }
}

function createEntity(element: HTMLElement, manager: DragDropManager): Draggable | Droppable {
  const { deal, stage } = element.dataset
  return deal === undefined
    ? new Droppable({ id: stage ?? '', element }, manager)
    : new Draggable({ id: deal, element }, manager)
}

/** A finger that moves at once scrolls. */
function activationConstraints({ pointerType }: PointerEvent) {
  return pointerType === 'touch'
    ? [new PointerActivationConstraints.Delay({ value: HOLD_MS, tolerance: HOLD_TOLERANCE_PX })]
    : [new PointerActivationConstraints.Distance({ value: DISTANCE_PX })]
}

function isOnButton({ target }: PointerEvent): boolean {
  return target instanceof Element && target.closest('button') !== null
}

function markTarget(board: HTMLElement, stageId: unknown): void {
  for (const element of board.querySelectorAll<HTMLElement>('[data-stage]'))
    element.classList.toggle(styles.isOver ?? '', element.dataset['stage'] === stageId)
}
