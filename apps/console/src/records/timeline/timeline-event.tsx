import type { Owner, StageMove, TaskListItem, TimelineEntry } from '@sales-crm/client'
import type { ComponentChildren } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import { Link } from 'wouter'
import { useConsole } from '../../app/console-context.ts'
import { useNow } from '../../app/now.tsx'
import { canChange } from '../../app/permissions.ts'
import { StageLabel } from '../../reference/stage-label.tsx'
import { NextTaskDue } from '../../tasks/due.tsx'
import { taskTypeIcon } from '../../tasks/task-type-icon.ts'
import { classNames } from '../../ui/class-names.ts'
import { Gauge } from '../../ui/gauge.tsx'
import { Icon } from '../../ui/icon.tsx'
import text from '../../ui/text.module.css'
import type { Kind } from '../kinds.ts'
import { Note, NoteMenu } from './note.tsx'
import styles from './timeline.module.css'
import { useNoteId } from './use-sought-note.ts'

interface TimelineEventProps {
  readonly entry: TimelineEntry
  /** The kind of the record whose timeline it is. */
  readonly kind: Kind
}

export function TimelineEvent({ entry, kind }: TimelineEventProps) {
  switch (entry.kind) {
    case 'activity':
      return <ActivityEvent at={entry.at} activity={entry.activity} />
    case 'task':
      return <TaskEvent at={entry.at} task={entry.task} />
    case 'stage_move':
      return <StageMoveEvent at={entry.at} move={entry.stage_move} isOnDeal={kind === 'deals'} />
    case 'deal':
      return <DealEvent at={entry.at} deal={entry.deal} />
  }
}

interface EventProps {
  readonly at: string
  readonly sign: ComponentChildren
  readonly isWon?: boolean
  /** True for the entry that the address names. */
  readonly isSought?: boolean
  readonly line: ComponentChildren
  /** Stands at the end of the line. */
  readonly menu?: ComponentChildren
  readonly children?: ComponentChildren
}

function Event({ at, sign, isWon = false, isSought = false, line, menu, children }: EventProps) {
  const { dates } = useConsole()
  const now = useNow()
  const date = new Date(at)
  const item = useRef<HTMLLIElement>(null)
  useEffect(() => {
    if (!isSought) return
    item.current?.scrollIntoView({ block: 'center' })
    item.current?.focus({ preventScroll: true })
  }, [isSought])
  return (
    <li
      ref={item}
      class={classNames(styles.event, isSought && styles.sought)}
      {...(isSought && { tabIndex: -1, 'aria-current': true })}
    >
      <span class={classNames(styles.sign, isWon && styles.won)}>{sign}</span>
      <div>
        <p class={styles.line}>
          <span>{line}</span>
          <time dateTime={at} title={dates.full(date)}>
            {dates.instant(date, now)}
          </time>
          {menu}
        </p>
        {children}
      </div>
    </li>
  )
}

function Who({ member }: { readonly member: Owner | null }) {
  const { texts } = useConsole()
  return <b>{member?.name ?? texts.record.nobody}</b>
}

type ActivityEntry = Extract<TimelineEntry, { kind: 'activity' }>

function ActivityEvent({ at, activity }: Pick<ActivityEntry, 'at' | 'activity'>) {
  const { me, texts } = useConsole()
  const [isEditing, setIsEditing] = useState(false)
  return (
    <Event
      at={at}
      isSought={useNoteId() === activity.id}
      menu={
        canChange(me, 'activities', activity) && <NoteMenu note={activity} edit={() => setIsEditing(true)} />
      }
      sign={<Icon name="note" small />}
      line={
        <>
          <Who member={activity.owner} /> {texts.record.wroteNote}
        </>
      }
    >
      <Note note={activity} isEditing={isEditing} close={() => setIsEditing(false)} />
    </Event>
  )
}

function TaskEvent({ at, task }: { readonly at: string; readonly task: TaskListItem }) {
  const { texts } = useConsole()
  return (
    <Event
      at={at}
      sign={<Icon name={task.completed ? 'check' : taskTypeIcon(task.type)} small />}
      line={
        <>
          <Who member={task.owner} /> {task.completed ? texts.record.completedVerb : texts.record.plannedVerb}{' '}
          <b>{task.title}</b>
        </>
      }
    >
      {!task.completed && <NextTaskDue task={task} />}
      {task.notes && <p class={text.soft}>{task.notes}</p>}
    </Event>
  )
}

interface StageMoveEventProps {
  readonly at: string
  readonly move: StageMove
  readonly isOnDeal: boolean
}

function StageMoveEvent({ at, move, isOnDeal }: StageMoveEventProps) {
  const { texts } = useConsole()
  const { deal, from_stage, to_stage, to_pipeline, user } = move
  const isWon = to_stage?.type === 'win'
  return (
    <Event
      at={at}
      isWon={isWon}
      sign={isWon ? <Gauge type="win" /> : <Icon name="branch" small />}
      line={
        <>
          <Who member={user} /> {texts.record.movedVerb}{' '}
          {!isOnDeal && deal && (
            <Link class={text.plain} href={`/deals/${deal.id}`}>
              <b>{deal.name}</b>{' '}
            </Link>
          )}
          {from_stage ? texts.record.moved(from_stage.name) : texts.record.movedTo}{' '}
          {to_stage && (
            <b>
              <StageLabel stage={to_stage} pipelineId={to_pipeline?.id} />
            </b>
          )}
        </>
      }
    />
  )
}

type DealEntry = Extract<TimelineEntry, { kind: 'deal' }>

function DealEvent({ at, deal }: Pick<DealEntry, 'at' | 'deal'>) {
  const { texts } = useConsole()
  return (
    <Event
      at={at}
      sign={<Icon name="board" small />}
      line={
        <>
          {texts.record.createdDeal}{' '}
          <Link class={text.plain} href={`/deals/${deal.id}`}>
            <b>{deal.name}</b>
          </Link>
        </>
      }
    />
  )
}
