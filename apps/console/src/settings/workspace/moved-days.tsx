import type { Workspace } from '@sales-crm/client'
import { useNow } from '../../app/now.tsx'
import { Notice } from '../../ui/notice.tsx'
import { useWorkspaceTexts } from './texts.ts'

/** How long the page says what has moved. */
const SHOWN_MS = 600_000

/** Shows how far tasks and forecasts have moved with a new time zone. */
export function MovedDays({ change }: { readonly change: Workspace['time_zone_change'] }) {
  const texts = useWorkspaceTexts()
  const now = useNow()
  if (!change) return null
  const { visited, total, moved, refused, ended_at } = change
  if (ended_at === null) return <Notice>{texts.movingDays(visited, total)}</Notice>
  if (now.getTime() - Date.parse(ended_at) > SHOWN_MS) return null
  return (
    <Notice kind={refused > 0 ? 'caution' : 'done'}>
      {texts.movedDays(moved)} {refused > 0 && texts.notMovedDays(refused)}
    </Notice>
  )
}
