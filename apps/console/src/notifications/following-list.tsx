import type { FollowedRecord } from '@sales-crm/client'
import { useState } from 'preact/hooks'
import { Link } from 'wouter'
import { useConsole } from '../app/console-context.ts'
import { useNow } from '../app/now.tsx'
import { KIND_ICONS } from '../records/kinds.ts'
import { Button } from '../ui/button.tsx'
import { classNames } from '../ui/class-names.ts'
import { Icon } from '../ui/icon.tsx'
import { Notice } from '../ui/notice.tsx'
import text from '../ui/text.module.css'
import styles from './notifications.module.css'
import { useNotificationTexts } from './texts.ts'
import { useFollow } from './use-follow.ts'
import { useFollowedRecords } from './use-notifications.ts'

interface FollowingListProps {
  readonly close: () => void
}

/** The records that the member follows, with the way to each. */
export function FollowingList({ close }: FollowingListProps) {
  const texts = useNotificationTexts()
  const { data, isError, hasNextPage, fetchNextPage } = useFollowedRecords()
  const rows = data?.pages.flatMap((page) => page.data) ?? []
  if (isError && !data) return <Notice>{texts.followingFailed}</Notice>
  if (data && rows.length === 0) return <p class={text.soft}>{texts.followsNothing}</p>
  return (
    <>
      <ul class={styles.list} aria-label={texts.following}>
        {rows.map((record) => (
          <FollowedRow key={record.id} record={record} close={close} />
        ))}
      </ul>
      {hasNextPage && <Button onClick={() => void fetchNextPage()}>{texts.more}</Button>}
    </>
  )
}

interface FollowedRowProps extends FollowingListProps {
  readonly record: FollowedRecord
}

/** Stays after its button is pressed, which then follows again. */
function FollowedRow({ record: { kind, id, name, since }, close }: FollowedRowProps) {
  const { texts: consoleTexts, dates } = useConsole()
  const texts = useNotificationTexts()
  const now = useNow()
  const follow = useFollow(kind, id)
  const [isFollowing, setIsFollowing] = useState(true)
  async function toggle(): Promise<void> {
    if (await follow(!isFollowing)) setIsFollowing(!isFollowing)
  }
  return (
    <li class={styles.row}>
      <Icon name={KIND_ICONS[kind]} />
      <div class={styles.words}>
        <p>
          <span class={text.hidden}>{consoleTexts.labels[kind]}: </span>
          <Link href={kind === 'tasks' ? '/tasks' : `/${kind}/${id}`} onClick={close}>
            {name}
          </Link>
        </p>
        <time class={classNames(text.soft, text.tiny)} dateTime={since}>
          {texts.since(dates.day(new Date(since), now))}
        </time>
      </div>
      <Button
        small
        aria-label={`${isFollowing ? texts.unfollow : texts.follow}: ${name}`}
        onClick={() => void toggle()}
      >
        {isFollowing ? texts.unfollow : texts.follow}
      </Button>
    </li>
  )
}
