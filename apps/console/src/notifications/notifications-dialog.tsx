import { useState } from 'preact/hooks'
import { useConsole } from '../app/console-context.ts'
import { Button } from '../ui/button.tsx'
import { classNames } from '../ui/class-names.ts'
import { Dialog, DialogActions } from '../ui/dialog.tsx'
import { Notice } from '../ui/notice.tsx'
import tabs from '../ui/tabs.module.css'
import text from '../ui/text.module.css'
import { FollowingList } from './following-list.tsx'
import { NoticeSettings } from './notice-settings.tsx'
import { NotificationRow } from './notification-row.tsx'
import styles from './notifications.module.css'
import { useNotificationTexts } from './texts.ts'
import { useMarks, useNotifications } from './use-notifications.ts'

interface NotificationsDialogProps {
  readonly close: () => void
}

/** What the member was told, and the choice of what it is told. */
export function NotificationsDialog({ close }: NotificationsDialogProps) {
  const { texts: consoleTexts } = useConsole()
  const texts = useNotificationTexts()
  const [isChoosing, setIsChoosing] = useState(false)
  return (
    <Dialog title={isChoosing ? texts.choose : texts.title} close={close} size="wide">
      {isChoosing ? <NoticeSettings /> : <NoticeTabs close={close} />}
      <DialogActions>
        <Button icon={isChoosing ? 'left' : 'gear'} onClick={() => setIsChoosing(!isChoosing)}>
          {isChoosing ? texts.back : texts.choose}
        </Button>
        <Button look="main" onClick={close}>
          {consoleTexts.actions.close}
        </Button>
      </DialogActions>
    </Dialog>
  )
}

const TABS = ['title', 'following'] as const

/** What the member was told, and what it follows. */
function NoticeTabs({ close }: NotificationsDialogProps) {
  const texts = useNotificationTexts()
  const [tab, setTab] = useState<(typeof TABS)[number]>('title')
  return (
    <>
      <div class={classNames(tabs.tabs, styles.tabs)} role="tablist">
        {TABS.map((name) => (
          <button
            key={name}
            type="button"
            role="tab"
            aria-selected={tab === name}
            onClick={() => setTab(name)}
          >
            {texts[name]}
          </button>
        ))}
      </div>
      {tab === 'title' ? <NotificationList close={close} /> : <FollowingList close={close} />}
    </>
  )
}

function NotificationList({ close }: NotificationsDialogProps) {
  const texts = useNotificationTexts()
  const { data, isError, hasNextPage, fetchNextPage } = useNotifications()
  const { mark, markAll } = useMarks()
  const rows = data?.pages.flatMap((page) => page.data) ?? []
  if (isError && !data) return <Notice>{texts.failed}</Notice>
  if (data && rows.length === 0) return <p class={text.soft}>{texts.none}</p>
  return (
    <>
      {rows.some(({ read_at }) => read_at === null) && (
        <p class={styles.all}>
          <Button small icon="check" onClick={() => void markAll()}>
            {texts.readAll}
          </Button>
        </p>
      )}
      <ul class={styles.list} aria-label={texts.title}>
        {rows.map((notification) => (
          <NotificationRow
            key={notification.id}
            notification={notification}
            mark={(read) => void mark(notification, read)}
            close={close}
          />
        ))}
      </ul>
      {hasNextPage && <Button onClick={() => void fetchNextPage()}>{texts.more}</Button>}
    </>
  )
}
