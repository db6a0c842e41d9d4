import type { Deal } from '@sales-crm/client'
import { lazy, Suspense } from 'preact/compat'
import { useLocation } from 'wouter'
import { useConsole } from '../app/console-context.ts'
import { NotFoundPage } from '../app/not-found-page.tsx'
import { explainReadOnly } from '../app/permissions.ts'
import { isNotFound } from '../cache/query-client.ts'
import { undoLast } from '../cache/undo.ts'
import { defaultsFor } from '../create/create-defaults.ts'
import { useKeys } from '../keyboard/use-keys.ts'
import { LoadBoundary, LoadError } from '../shell/load-boundary.tsx'
import { usePageTitle } from '../shell/page-parts.tsx'
import { usePlaceDefaults, useRecordAtHand } from '../shell/shell-context.ts'
import { classNames } from '../ui/class-names.ts'
import { showReason } from '../ui/toasts.tsx'
import { Composer } from './composer/composer.tsx'
import { RecordFacts } from './facts/record-facts.tsx'
import { type Kind, recordName } from './kinds.ts'
import { LinkedRecords } from './linked/linked-records.tsx'
import { ReadOnlyContext } from './read-only.tsx'
import { RecordBar } from './record-bar.tsx'
import { RecordHead } from './record-head.tsx'
import { buildRecordMenu } from './record-menu.ts'
import styles from './record-page.module.css'
import { RecordSkeleton } from './record-skeleton.tsx'
import { Timeline } from './timeline/timeline.tsx'
import { type AnyRecord, useRecord } from './use-record.ts'
import { useRecordActions } from './use-record-actions.tsx'
import { useRecordKeys } from './use-record-keys.ts'

const ItemsSection = lazy(async () => ({
  default: (await import('../items/items-section.tsx')).ItemsSection,
}))

interface RecordPageProps {
  readonly kind: Kind
  readonly id: string
}

/** Everything about a person, a company or a deal. */
export function RecordPage({ kind, id }: RecordPageProps) {
  const record = useRecord(kind, id)
  if (isNotFound(record.error)) return <NotFoundPage />
  if (record.data) return <RecordView kind={kind} record={record.data} />
  return (
    <>
      <RecordBar kind={kind} />
      {record.error ? <LoadError error={record.error} retry={record.refetch} /> : <RecordSkeleton />}
    </>
  )
}

function RecordView({ kind, record }: { readonly kind: Kind; readonly record: AnyRecord }) {
  const console = useConsole()
  const { texts } = console
  const [, navigate] = useLocation()
  usePageTitle(recordName(record))
  const defaults = defaultsFor(kind, record)
  const reason = explainReadOnly(console, kind, [record])
  const actions = useRecordActions(kind)
  useRecordKeys(kind, actions, () => [record])
  usePlaceDefaults(defaults)
  useRecordAtHand(() => ({
    name: recordName(record),
    menu: buildRecordMenu(kind, record, actions, console, () => navigate(`/${kind}`)),
    defaults,
  }))
  useKeys({
    n: () => document.getElementById('note')?.focus(),
    e: () => {
      if (reason === undefined)
        document.querySelector<HTMLElement>('#details ~ * button, dl dd button')?.focus()
      else showReason(reason)
    },
    z: undoLast,
    Escape: () => navigate(`/${kind}`),
  })
  return (
    <ReadOnlyContext.Provider value={reason}>
      <RecordBar kind={kind} record={record} actions={actions} />
      <RecordHead kind={kind} record={record} reason={reason} moveTo={actions.moveTo} />
      <div class={classNames(styles.record, kind === 'deals' && styles.deal)}>
        <RecordFacts kind={kind} record={record} />
        {kind === 'deals' && (
          <LoadBoundary fallback={<LoadError retry={() => location.reload()} />}>
            <Suspense fallback={<div class={styles.items} />}>
              <ItemsSection key={record.id} deal={record as Deal} />
            </Suspense>
          </LoadBoundary>
        )}
        <section class={styles.main} aria-label={texts.record.timeline}>
          <Composer kind={kind} record={record} defaults={defaults} />
          <Timeline kind={kind} id={record.id} />
        </section>
        <LinkedRecords kind={kind} record={record} defaults={defaults} />
      </div>
    </ReadOnlyContext.Provider>
  )
}
