import { Draggable, Droppable, PointerActivationConstraints, PointerSensor } from '@dnd-kit/dom'
import type { ListenerRef } from '../../ui/drag/drag-listener.ts'
import { DragSurface } from '../../ui/drag/drag-surface.ts'
import styles from './order.module.css'

const DISTANCE_PX = 4

/**
 * Makes the rows of a list draggable by their handles: the elements with `data-row`, and those with `data-grip` in
 * them. A mark shows where the row is dropped; the order changes after that.
 */
export function createRowDrag(list: HTMLElement, listener: ListenerRef): DragSurface {
  return new DragSurface(list, listener, {
    selector: '[data-row]',
    target: 'row',
    sensor: PointerSensor.configure({
      activationConstraints: [new PointerActivationConstraints.Distance({ value: DISTANCE_PX })],
    }),
    createEntities(element, manager) {
      const id = element.dataset['row'] ?? ''
      const handle = element.querySelector('[data-grip]') ?? element
      return [new Draggable({ id, element, handle }, manager), new Droppable({ id, element }, manager)]
    },
    markTarget: (source, target) => markTarget(list, source, target),
  })
}

/** A row that is moved down comes after its target, and before it otherwise. */
function markTarget(list: HTMLElement, source: string | undefined, target: string | undefined): void {
  const rows = [...list.querySelectorAll<HTMLElement>('[data-row]')]
  const indexOf = (id: string | undefined) => rows.findIndex((row) => row.dataset['row'] === id)
  const isDown = indexOf(source) < indexOf(target)
  for (const row of rows) {
    const isTarget = target !== source && row.dataset['row'] === target
    row.classList.toggle(styles.dropBefore ?? '', isTarget && !isDown)
    row.classList.toggle(styles.dropAfter ?? '', isTarget && isDown)
  }
}
