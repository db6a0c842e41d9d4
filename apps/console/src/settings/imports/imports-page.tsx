import type { ImportListItem } from '@sales-crm/client'
import { Link, useLocation } from 'wouter'
import { useConsole } from '../../app/console-context.ts'
import { useNow } from '../../app/now.tsx'
import { useImportStep, useImports } from '../../import/queries.ts'
import { findStep } from '../../import/steps/find-step.ts'
import { useImportTexts } from '../../import/texts/texts.ts'
import { useKeys } from '../../keyboard/use-keys.ts'
import { LoadError } from '../../shell/load-boundary.tsx'
import { Avatar } from '../../ui/avatar.tsx'
import { Button, buttonStyles } from '../../ui/button.tsx'
import { classNames } from '../../ui/class-names.ts'
import { EndSentinel } from '../../ui/end-sentinel.tsx'
import { Icon } from '../../ui/icon.tsx'
import text from '../../ui/text.module.css'
import { PartPage, partStyles } from '../frame/part-page.tsx'
import { useSettingsTexts } from '../texts.ts'
import { BulkChanges } from './bulk-changes.tsx'
import { describeOutcome } from './describe-outcome.ts'
import styles from './imports-page.module.css'

/** The files that came in, the newest first. */
export function ImportsPage() {
  const { parts } = useSettingsTexts()
  const { texts: shared } = useConsole()
  const texts = useImportTexts()
  const [, navigate] = useLocation()
  const { data, error, refetch, fetchNextPage, hasNextPage, isFetching } = useImports()
  const imports = data?.pages.flatMap((page) => page.data) ?? []
  useKeys({ c: () => navigate('/import') })
  return (
    <PartPage title={parts.imports} lead={texts.list.lead}>
      <p>
        <Link class={classNames(buttonStyles.button, buttonStyles['main'])} href="/import">
          <Icon name="upload" />
          {texts.importFile} <kbd>C</kbd>
        </Link>
      </p>
      {imports
        .filter(({ state }) => state === 'running' || state === 'paused')
        .map((each) => (
          <RunningCard key={each.id} running={each} />
        ))}
      {!data && error && <LoadError error={error} retry={refetch} />}
      {data &&
        (imports.length === 0 ? (
          <p class={partStyles.empty}>{texts.list.none}</p>
        ) : (
          <Table imports={imports} />
        ))}
      {hasNextPage && (
        <EndSentinel label={shared.deals.loadMore} isBusy={isFetching} reach={() => void fetchNextPage()} />
      )}
      <p class={classNames(text.soft, text.small)}>{texts.list.hint}</p>
      <BulkChanges />
    </PartPage>
  )
}

function RunningCard({ running }: { readonly running: ImportListItem }) {
  const { list, run } = useImportTexts()
  const step = useImportStep(running.id)
  const { id, name, state, done, rows } = running
  const part = rows ? Math.floor((100 * done) / rows) : 0
  const isPaused = state === 'paused'
  return (
    <section class={styles.running} aria-label={name}>
      <span>
        <b>{name}</b> <span class={text.soft}>{isPaused ? list.states.paused : list.progress(part)}</span>
      </span>
      <span class={partStyles.actions}>
        <Button
          small
          aria-label={isPaused ? undefined : list.pauseOne(name)}
          onClick={() => step.mutate((imports) => (isPaused ? imports.resume(id) : imports.pause(id)))}
        >
          {isPaused ? run.goOn : run.pause}
        </Button>
        <Link
          class={classNames(buttonStyles.button, buttonStyles['quiet'], buttonStyles['small'])}
          href={`/imports/${id}`}
          aria-label={list.openOne(name)}
        >
          {list.open}
        </Link>
      </span>
      <progress max={rows ?? 1} value={done} aria-label={run.progress} />
    </section>
  )
}

function Table({ imports }: { readonly imports: readonly ImportListItem[] }) {
  const { list } = useImportTexts()
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a table that scrolls must be reached by the keyboard.
    <section class={styles.framed} tabIndex={0} aria-label={list.table}>
      <table class={styles.table} aria-label={list.table}>
        <thead>
          <tr>
            <th scope="col">{list.file}</th>
            <th scope="col">{list.by}</th>
            <th scope="col" class={styles.isNumber}>
              {list.rows}
            </th>
            <th scope="col">{list.state}</th>
            <th scope="col">{list.undoUntil}</th>
          </tr>
        </thead>
        <tbody>
          {imports.map((each) => (
            <Row key={each.id} shown={each} />
          ))}
        </tbody>
      </table>
    </section>
  )
}

const WAITS = new Set(['ready', 'checked', 'unreadable', 'uploading', 'paused'])

function Row({ shown }: { readonly shown: ImportListItem }) {
  const { dates, formatNumber } = useConsole()
  const now = useNow()
  const { list, kinds, step } = useImportTexts()
  const { id, name, user, state, rows, created_at } = shown
  const at = state === 'ready' || state === 'checked' ? list.at(step[findStep(state, null)]) : undefined
  const outcome = describeOutcome(shown, list) ?? at
  return (
    <tr>
      <th scope="row">
        <Link class={text.plain} href={`/imports/${id}`} title={name}>
          {name}
        </Link>
        <span class={styles.note}>{shown.kinds.map((kind) => kinds[kind]).join(', ')}</span>
      </th>
      <td>
        <span class={styles.by}>
          <Avatar of={user ?? undefined} label={user?.name ?? list.formerMember} />
          {dates.instant(new Date(created_at), now)}
        </span>
      </td>
      <td class={styles.isNumber}>{rows === null ? '—' : formatNumber(rows)}</td>
      <td>
        <span class={WAITS.has(state) ? styles.waits : undefined}>{list.states[state]}</span>
        {outcome !== undefined && <span class={styles.note}>{outcome}</span>}
      </td>
      <td class={text.soft}>
        <UndoUntil shown={shown} />
      </td>
    </tr>
  )
}

function UndoUntil({ shown }: { readonly shown: ImportListItem }) {
  const { dates } = useConsole()
  const now = useNow()
  const { list } = useImportTexts()
  if (shown.state !== 'done' && shown.state !== 'cancelled') return <>—</>
  const expires = new Date(shown.expires_at)
  return <>{expires <= now ? list.expired : dates.day(expires, now)}</>
}
