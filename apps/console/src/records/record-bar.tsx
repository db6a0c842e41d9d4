import { Link, useLocation } from 'wouter'
import { useHistoryState } from 'wouter/use-browser-location'
import { useConsole } from '../app/console-context.ts'
import { defaultsFor } from '../create/create-defaults.ts'
import { useKeys } from '../keyboard/use-keys.ts'
import { FollowButton } from '../notifications/follow-button.tsx'
import { ShareButton } from '../sharing/share-button.tsx'
import { Bar, BarEnd } from '../shell/page-parts.tsx'
import { useShell } from '../shell/shell-context.ts'
import { Button, IconButton } from '../ui/button.tsx'
import { Icon } from '../ui/icon.tsx'
import { Menu } from '../ui/menu.tsx'
import text from '../ui/text.module.css'
import type { Kind } from './kinds.ts'
import { type ListPosition, neighbourOf } from './list-position.ts'
import styles from './record-bar.module.css'
import { buildRecordMenu } from './record-menu.ts'
import type { AnyRecord } from './use-record.ts'
import type { RecordActions } from './use-record-actions.tsx'

interface RecordBarProps {
  readonly kind: Kind
  readonly record?: AnyRecord
  readonly actions?: RecordActions
}

/** The way back to the list, its neighbours, and the actions of the record. */
export function RecordBar({ kind, record, actions }: RecordBarProps) {
  const { texts } = useConsole()
  const list = useHistoryState<{ readonly list?: ListPosition } | null>()?.list
  const back = list?.href ?? `/${kind}`
  return (
    <Bar>
      <Link class={styles.crumb} href={back}>
        <Icon name="left" />
        {texts.labels[kind]}
      </Link>
      <BarEnd>
        {list && <Neighbours kind={kind} list={list} />}
        {record && actions && <ActionButtons kind={kind} record={record} actions={actions} back={back} />}
      </BarEnd>
    </Bar>
  )
}

interface NeighboursProps {
  readonly kind: Kind
  readonly list: ListPosition
}

/** The place of the record in the list it was opened from. */
function Neighbours({ kind, list }: NeighboursProps) {
  const { texts, formatNumber } = useConsole()
  const [, navigate] = useLocation()
  const step = (rows: number) => {
    const next = neighbourOf(list, rows)
    if (next) navigate(`/${kind}/${next.id}`, { state: { list: next.list }, replace: true })
  }
  useKeys({ j: () => step(1), k: () => step(-1) })
  return (
    <>
      <span class={`${text.tiny} ${text.soft} ${text.deskOnly}`}>
        {texts.record.position(formatNumber(list.index + 1), formatNumber(list.total))}
      </span>
      <IconButton class={text.deskOnly} icon="up" label={texts.record.previous} onClick={() => step(-1)} />
      <IconButton class={text.deskOnly} icon="down" label={texts.record.next} onClick={() => step(1)} />
    </>
  )
}

interface ActionButtonsProps extends Required<RecordBarProps> {
  /** The page that is shown after the record was deleted. */
  readonly back: string
}

function ActionButtons({ kind, record, actions, back }: ActionButtonsProps) {
  const console = useConsole()
  const { texts } = console
  const { openCreate } = useShell()
  const [, navigate] = useLocation()
  return (
    <>
      <FollowButton kind={kind} id={record.id} />
      <ShareButton kind={kind} id={record.id} open={() => actions.share(record)} />
      <Button class={text.deskOnly} icon="tasks" onClick={() => actions.addTask(record)}>
        {texts.labels.task} <kbd>T</kbd>
      </Button>
      {kind !== 'deals' && (
        <Button
          class={text.deskOnly}
          icon="plus"
          onClick={() => openCreate('deals', defaultsFor(kind, record))}
        >
          {texts.labels.deal} <kbd>D</kbd>
        </Button>
      )}
      <Menu
        align="end"
        trigger={<IconButton icon="dots" label={texts.actions.moreActions} />}
        groups={buildRecordMenu(kind, record, actions, console, () => navigate(back))}
      />
    </>
  )
}
