import type { BulkChange } from '@sales-crm/client'
import { useQuery } from '@tanstack/react-query'
import { useConsole } from '../../app/console-context.ts'
import { useNow } from '../../app/now.tsx'
import { useBulkChange } from '../../bulk/use-bulk-change.ts'
import { useImportTexts } from '../../import/texts/texts.ts'
import { Avatar } from '../../ui/avatar.tsx'
import { Button } from '../../ui/button.tsx'
import { describeChange } from './describe-change.ts'
import styles from './imports-page.module.css'

const POLL_MS = 1_000
const PAGE_SIZE = 50

/** The changes of many records at once, of the last 30 days. Nothing if there are none. */
export function BulkChanges() {
  const { crm, texts } = useConsole()
  const { list } = useImportTexts()
  const { data = [] } = useQuery({
    queryKey: ['bulk-changes'],
    queryFn: async ({ signal }) => (await crm.bulkChanges.list({ per_page: PAGE_SIZE }, { signal })).data,
    refetchOnMount: 'always',
    refetchInterval: ({ state }) => (state.data?.some(isGoingOn) ? POLL_MS : false),
  })
  const { title, what, state } = texts.bulk.list
  if (data.length === 0) return null
  return (
    <>
      <h2>{title}</h2>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a table that scrolls must be reached by the keyboard. */}
      <section class={styles.framed} tabIndex={0} aria-label={title}>
        <table class={styles.table} aria-label={title}>
          <thead>
            <tr>
              <th scope="col">{what}</th>
              <th scope="col">{list.by}</th>
              <th scope="col">{state}</th>
              <th scope="col">{list.undoUntil}</th>
            </tr>
          </thead>
          <tbody>
            {data.map((each) => (
              <Row key={each.id} shown={each} />
            ))}
          </tbody>
        </table>
      </section>
    </>
  )
}

function isGoingOn({ state }: BulkChange): boolean {
  return state === 'running' || state === 'reverting'
}

function Row({ shown }: { readonly shown: BulkChange }) {
  const { dates, texts } = useConsole()
  const now = useNow()
  const { list } = useImportTexts()
  const { revert } = useBulkChange()
  const { kind, user, change, state, changed, total, failed, reversal, created_at, expires_at } = shown
  const { bulk, labels } = texts
  const canRevert = (state === 'done' || state === 'stopped') && changed > 0 && !('delete' in change)
  return (
    <tr>
      <th scope="row">
        {describeChange(change, texts)}
        <span class={styles.note}>{labels[kind]}</span>
      </th>
      <td>
        <span class={styles.by}>
          <Avatar of={user ?? undefined} label={user?.name ?? list.formerMember} />
          {dates.instant(new Date(created_at), now)}
        </span>
      </td>
      <td>
        {bulk.list.states[state]}
        <span class={styles.note}>
          {reversal
            ? bulk.list.restored(reversal.restored, reversal.failed)
            : bulk.list.changed(changed, total, failed)}
        </span>
      </td>
      <td>
        {canRevert ? (
          <Button
            small
            aria-label={bulk.list.undoOne(describeChange(change, texts))}
            onClick={() => revert(shown)}
          >
            {texts.actions.undo}: {dates.day(new Date(expires_at), now)}
          </Button>
        ) : (
          '—'
        )}
      </td>
    </tr>
  )
}
