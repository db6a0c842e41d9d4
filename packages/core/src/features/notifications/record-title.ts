import { extractHtmlText } from '../../kernel/html-text.ts'
import type { NoticeEntity } from '../../schema/notification.ts'

const MAX_EXCERPT_LENGTH = 120

/** The name of a record, or how a note begins. */
export function titleOf(entity: NoticeEntity, record: object): string {
  const { full_name, name, title, content_html } = record as Readonly<Record<string, string>>
  if (entity !== 'activities') return full_name ?? name ?? title ?? ''
  const characters = Array.from(
    extractHtmlText(content_html ?? '')
      .replaceAll(/\s+/g, ' ')
      .trim(),
  )
  return characters.slice(0, MAX_EXCERPT_LENGTH).join('')
}
