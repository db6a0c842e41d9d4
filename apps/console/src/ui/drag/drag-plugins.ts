import {
  AutoScroller,
  Cursor,
  type DragDropManagerInput,
  Feedback,
  PreventSelection,
  StyleInjector,
} from '@dnd-kit/dom'
import { STYLE_NONCE } from '../../session/page-settings.ts'

/**
 * The plugins of what is dragged, without the library's announcements: the live region of the page says them in the
 * user's language. The policy of the page allows the library's styles by their nonce.
 */
export const DRAG_PLUGINS: NonNullable<DragDropManagerInput['plugins']> = [
  Feedback.configure({ feedback: 'clone', dropAnimation: null }),
  AutoScroller,
  Cursor,
  PreventSelection,
  StyleInjector.configure({ nonce: STYLE_NONCE }),
]
