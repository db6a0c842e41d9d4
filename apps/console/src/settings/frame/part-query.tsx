import type { UseQueryResult } from '@tanstack/react-query'
import type { ComponentChildren } from 'preact'
import { isNotFound } from '../../cache/query-client.ts'
import { LoadError } from '../../shell/load-boundary.tsx'
import skeleton from '../../ui/skeleton.module.css'
import { useDelayed } from '../../ui/use-delayed.ts'
import { useSettingsTexts } from '../texts.ts'
import { PartMessage, partStyles } from './part-page.tsx'

const DELAY_MS = 200
const ROWS = ['1', '2', '3', '4']

interface PartQueryProps<Data> {
  readonly query: UseQueryResult<Data>
  readonly children: (data: Data) => ComponentChildren
}

/** Shows what a query has read: its shape while it is read, and why if it could not be. */
export function PartQuery<Data>({ query, children }: PartQueryProps<Data>) {
  const settings = useSettingsTexts()
  const { data, error, refetch } = query
  if (data !== undefined) return <>{children(data)}</>
  if (error && isNotFound(error)) return <PartMessage>{settings.notFound}</PartMessage>
  return error ? <LoadError error={error} retry={refetch} /> : <RowsSkeleton />
}

function RowsSkeleton() {
  const settings = useSettingsTexts()
  const isShown = useDelayed(DELAY_MS)
  if (!isShown) return null
  return (
    <ul class={partStyles.rows} aria-label={settings.loading}>
      {ROWS.map((row) => (
        <li class={partStyles.row} key={row}>
          <div class={partStyles.rowText}>
            <div class={skeleton.line} />
            <div class={skeleton.short} />
          </div>
        </li>
      ))}
    </ul>
  )
}
