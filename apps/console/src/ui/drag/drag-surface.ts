import { DragDropManager, type Draggable, type Droppable, type PointerSensor } from '@dnd-kit/dom'
import type { ListenerRef } from './drag-listener.ts'
import { DRAG_PLUGINS } from './drag-plugins.ts'

export type DragEntity = Draggable | Droppable

interface DragSurfaceOptions {
  /** Selects the elements that can be dragged or dropped on. */
  readonly selector: string
  readonly sensor: ReturnType<typeof PointerSensor.configure>
  createEntities(element: HTMLElement, manager: DragDropManager): readonly DragEntity[]
  /** Shows where it would be dropped; without a source when the drag has ended. */
  markTarget(source: string | undefined, target: string | undefined): void
}

/**
 * Makes elements below a root draggable, also those that are drawn later. Keys move them by the hooks of the page, and
 * screen readers hear the live region, so the library's own keys and announcements are left out.
 */
export class DragSurface {
  readonly #root: HTMLElement
  readonly #options: DragSurfaceOptions
  readonly #listener: ListenerRef
  readonly #manager: DragDropManager
  readonly #observer = new MutationObserver(() => this.#registerElements())
  readonly #entities = new Map<Element, readonly DragEntity[]>()
  #isDragging = false

  constructor(root: HTMLElement, listener: ListenerRef, options: DragSurfaceOptions) {
    this.#root = root
    this.#listener = listener
    this.#options = options
    this.#manager = new DragDropManager({ sensors: [options.sensor], plugins: DRAG_PLUGINS })
    this.#listenToManager()
    this.#observer.observe(root, { childList: true, subtree: true })
    this.#registerElements()
  }

  stop(): void {
    this.#observer.disconnect()
    this.#manager.destroy()
  }

  #listenToManager(): void {
    const { monitor } = this.#manager
    monitor.addEventListener('dragstart', ({ operation }) => {
      this.#isDragging = true
      const source = idOf(operation.source)
      this.#options.markTarget(source, undefined)
      if (source !== undefined) this.#listener.current.onLift(source)
    })
    monitor.addEventListener('dragover', ({ operation }) =>
      this.#options.markTarget(idOf(operation.source), idOf(operation.target)),
    )
    monitor.addEventListener('dragend', ({ operation, canceled }) => {
      this.#isDragging = false
      this.#options.markTarget(undefined, undefined)
      const source = idOf(operation.source)
      const target = canceled ? undefined : idOf(operation.target)
      // The library puts the element back into its place after this event.
      setTimeout(() => {
        this.#registerElements()
        if (source !== undefined) this.#listener.current.onDrop(source, target)
      })
    })
  }

  #registerElements(): void {
    if (this.#isDragging) return
    for (const [element, entities] of this.#entities)
      if (!element.isConnected) {
        for (const entity of entities) entity.destroy()
        this.#entities.delete(element)
      }
    for (const element of this.#root.querySelectorAll<HTMLElement>(this.#options.selector))
      if (!this.#entities.has(element))
        this.#entities.set(element, this.#options.createEntities(element, this.#manager))
  }
}

function idOf(entity: { readonly id: string | number } | null): string | undefined {
  return entity === null ? undefined : String(entity.id)
}
