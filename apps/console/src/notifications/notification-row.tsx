import type { EventName, Notification } from '@sales-crm/client'
import { Link } from 'wouter'
import { useConsole } from '../app/console-context.ts'
import { useNow } from '../app/now.tsx'
import { Avatar } from '../ui/avatar.tsx'
import { IconButton } from '../ui/button.tsx'
import { classNames } from '../ui/class-names.ts'
import { Icon } from '../ui/icon.tsx'
import text from '../ui/text.module.css'
import styles from './notifications.module.css'
import { type NotificationTexts, useNotificationTexts } from './texts.ts'

interface NotificationRowProps {
  readonly notification: Notification
  readonly mark: (read: boolean) => void
  readonly close: () => void
}

/** What happened, with the way to its record, which marks it as read. */
export function NotificationRow({ notification, mark, close }: NotificationRowProps) {
  const { dates } = useConsole()
  const texts = useNotificationTexts()
  const now = useNow()
  const { actor, changes, read_at, created_at } = notification
  const isUnread = read_at === null
  const words = describeNotification(notification, texts)
  const href = hrefOf(notification)
  const open = () => {
    if (isUnread) mark(true)
    close()
  }
  return (
    <li class={classNames(styles.row, isUnread && styles.isUnread)}>
      {actor ? <Avatar of={actor} label="" /> : <Icon name="clock" />}
      <div class={styles.words}>
        <p>
          {isUnread && <span class={text.hidden}>{texts.isUnread}: </span>}
          {href === undefined ? (
            words
          ) : (
            <Link href={href} onClick={open}>
              {words}
            </Link>
          )}
          {changes > 1 && <span class={text.soft}> · {texts.changes(changes)}</span>}
        </p>
        <time class={classNames(text.soft, text.tiny)} dateTime={created_at}>
          {dates.due(new Date(created_at), now)}
        </time>
      </div>
      <IconButton
        small
        icon={isUnread ? 'check' : 'bell'}
        label={isUnread ? texts.markRead : texts.markUnread}
        onClick={() => mark(isUnread)}
      />
    </li>
  )
}

export function describeNotification(
  { kind, event, title, actor }: Pick<Notification, 'kind' | 'event' | 'title' | 'actor'>,
  texts: NotificationTexts,
): string {
  const describe = (kind === 'change' && texts.events[event as EventName]) || texts.what[kind]
  return describe(title ?? texts.hidden, actor?.name ?? texts.somebody)
}

/** The page of the record; undefined for a note without one, and for what is not seen any more. */
function hrefOf({ entity, entity_id, title }: Notification): string | undefined {
  if (title === null || entity === 'activities') return undefined
  return entity === 'tasks' ? '/tasks' : `/${entity}/${entity_id}`
}
