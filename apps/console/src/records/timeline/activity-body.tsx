import type { ActivityListItem } from '@sales-crm/client'
import { useQuery } from '@tanstack/react-query'
import { useConsole } from '../../app/console-context.ts'
import { formatBytes } from '../../format/bytes.ts'
import { ISSUER } from '../../session/page-settings.ts'
import { Icon } from '../../ui/icon.tsx'
import text from '../../ui/text.module.css'
import mention from '../mention.module.css'
import { showMentions } from '../show-mentions.ts'
import styles from './timeline.module.css'

/** What was noted. The service has removed from the HTML what is not formatting. */
export function ActivityBody({ activity }: { readonly activity: ActivityListItem }) {
  const html = showMentions(activity.content_html, ISSUER, mention.mention ?? '')
  return (
    <>
      {/* The service has cleaned the HTML, and the policy of the page refuses scripts. */}
      <div class={styles.body} dir="auto" dangerouslySetInnerHTML={{ __html: html }} />
      {activity.attachments_count > 0 && <Attachments activityId={activity.id} />}
    </>
  )
}

function Attachments({ activityId }: { readonly activityId: string }) {
  const { crm, texts } = useConsole()
  const activity = useQuery({
    queryKey: ['activities', activityId],
    queryFn: ({ signal }) => crm.activities.get(activityId, { signal }),
  })
  return (activity.data?.attachments ?? []).map(({ id, url, filename, size }) => (
    <a key={id} class={styles.file} href={url} download={filename}>
      <Icon name="clip" />
      {filename} <span class={text.soft}>{formatBytes(size, texts.language)}</span>
    </a>
  ))
}
