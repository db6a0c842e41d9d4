import type { TimelineEntry } from '@sales-crm/client'
import { useConsole } from '../../app/console-context.ts'
import { LoadError } from '../../shell/load-boundary.tsx'
import { EndSentinel } from '../../ui/end-sentinel.tsx'
import skeleton from '../../ui/skeleton.module.css'
import type { Kind } from '../kinds.ts'
import { groupByMonth } from './group-by-month.ts'
import styles from './timeline.module.css'
import { TimelineEvent } from './timeline-event.tsx'
import { useSoughtNote } from './use-sought-note.ts'
import { useTimeline } from './use-timeline.ts'

interface TimelineProps {
  readonly kind: Kind
  readonly id: string
}

/** What happened on a record. Earlier entries load before the end is reached. */
export function Timeline({ kind, id }: TimelineProps) {
  const { texts, dates, calendar } = useConsole()
  const timeline = useTimeline(kind, id)
  useSoughtNote(timeline)
  if (timeline.error && !timeline.data) return <LoadError error={timeline.error} retry={timeline.refetch} />
  const entries = timeline.data?.pages.flatMap(({ data }) => data)
  if (!entries) return <div class={skeleton.line} />
  if (entries.length === 0) return <p class={styles.empty}>{texts.record.emptyTimeline}</p>
  return (
    <div class={styles.timeline}>
      {groupByMonth(entries, calendar).map(({ month, entries: ofMonth }) => (
        <section key={month}>
          <h3>{dates.month(month)}</h3>
          <ol>
            {ofMonth.map((entry) => (
              <TimelineEvent key={entryKey(entry)} entry={entry} kind={kind} />
            ))}
          </ol>
        </section>
      ))}
      {timeline.hasNextPage && (
        <EndSentinel
          label={texts.record.loadMore}
          isBusy={timeline.isFetchingNextPage}
          reach={() => void timeline.fetchNextPage()}
        />
      )}
    </div>
  )
}

function entryKey(entry: TimelineEntry): string {
  const { at: _, kind, ...record } = entry
  const [{ id }] = Object.values(record) as [{ readonly id: string }]
  return `${kind} ${id}`
}
