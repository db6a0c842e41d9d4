import { useShell } from '../shell/shell-context.ts'
import { classNames } from '../ui/class-names.ts'
import { Icon } from '../ui/icon.tsx'
import text from '../ui/text.module.css'
import { useNotificationTexts } from './texts.ts'
import { useUnreadCount } from './use-notifications.ts'

interface BellButtonProps {
  readonly class: string | undefined
  readonly textClass: string | undefined
  readonly countClass: string | undefined
}

/** Opens the notifications, and says how many are unread. */
export function BellButton({ class: className, textClass, countClass }: BellButtonProps) {
  const { openNotifications } = useShell()
  const texts = useNotificationTexts()
  const unread = useUnreadCount()
  return (
    <button
      type="button"
      class={className}
      aria-haspopup="dialog"
      aria-keyshortcuts="g n"
      title={`${texts.title} (G N)`}
      onClick={openNotifications}
    >
      <Icon name="bell" />
      <span class={textClass}>{texts.title}</span>
      {unread > 0 && (
        <span class={classNames(text.lateCount, countClass)} title={texts.unread(unread)}>
          {unread}
          <span class={text.hidden}> {texts.unread(unread)}</span>
        </span>
      )}
    </button>
  )
}
