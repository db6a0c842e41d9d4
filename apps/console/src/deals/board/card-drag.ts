import { Draggable, Droppable, PointerActivationConstraints, PointerSensor } from '@dnd-kit/dom'
import type { ListenerRef } from '../../ui/drag/drag-listener.ts'
import { DragSurface } from '../../ui/drag/drag-surface.ts'
import styles from './board.module.css'

const HOLD_MS = 300
const HOLD_TOLERANCE_PX = 8
const DISTANCE_PX = 5
/** Of won and lost, which lie over the stages that are scrolled below them. */
const ABOVE_OTHERS = 10

/**
 * Makes the cards of a board draggable to its stages: the elements with `data-deal`, and those with `data-stage`. Cards
 * with `data-fixed` stay where they are.
 */
export function createCardDrag(board: HTMLElement, listener: ListenerRef): DragSurface {
  return new DragSurface(board, listener, {
    selector: '[data-deal]:not([data-fixed]), [data-stage]',
    target: 'stage',
    sensor: PointerSensor.configure({ activationConstraints, preventActivation: isOnButton }),
    createEntities(element, manager) {
      const { deal, stage } = element.dataset
      const collisionPriority = element.classList.contains(styles.end ?? '') ? ABOVE_OTHERS : undefined
      return deal === undefined
        ? [new Droppable({ id: stage ?? '', element, collisionPriority }, manager)]
        : [new Draggable({ id: deal, element }, manager)]
    },
    markTarget(source, target) {
      board.classList.toggle(styles.isDragging ?? '', source !== undefined)
      for (const element of board.querySelectorAll<HTMLElement>('[data-stage]'))
        element.classList.toggle(styles.isOver ?? '', element.dataset['stage'] === target)
    },
  })
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
