import { type DragDropManager, StyleInjector } from '@dnd-kit/dom'
import './drag-feedback.css'

/** Removes the style elements of the library, which the policy of the page refuses. The imported sheet replaces them. */
export function removeInjectedStyles(manager: DragDropManager): void {
  manager.registry.plugins.unregister(StyleInjector)
}
