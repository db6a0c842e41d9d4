import { DragDropManager, type Draggable, type Droppable, type PointerSensor } from '@dnd-kit/dom'
import type { ListenerRef } from './drag-listener.ts'
import { DRAG_PLUGINS } from './drag-plugins.ts'

export type DragEntity = Draggable | Droppable

interface DragSurfaceOptions {
  /** Selects the elements that can be dragged or dropped on. */
  readonly selector: string
  /** The attribute of what is dropped on, without `data-`. Its value is the id. */
  readonly target: string
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
      // The library finds its target some frames later than the pointer is there.
      const target = canceled ? undefined : this.#findTarget(operation.position.current)
      // The library puts the element back into its place after this event.
      setTimeout(() => {
        this.#registerElements()
        if (source !== undefined) this.#listener.current.onDrop(source, target)
      })
    })
  }

  /** What lies at a point, the topmost first. */
  #findTarget({ x, y }: { readonly x: number; readonly y: number }): string | undefined {
    const { target } = this.#options
    for (const element of document.elementsFromPoint(x, y)) {
      const found = element.closest<HTMLElement>(`[data-${target}]`)
      if (found && this.#root.contains(found)) return found.dataset[target]
    }
    return undefined
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
