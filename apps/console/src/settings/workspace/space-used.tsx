import type { Workspace } from '@sales-crm/client'
import { useConsole } from '../../app/console-context.ts'
import { formatBytes } from '../../format/bytes.ts'
import { Section } from '../frame/part-page.tsx'
import { useWorkspaceTexts } from './texts.ts'
import { UsageMeter } from './usage-meter.tsx'
import styles from './workspace-page.module.css'

/** What the workspace holds, and may hold. */
export function SpaceUsed({ storage }: Pick<Workspace, 'storage'>) {
  const { texts: shared, formatNumber } = useConsole()
  const texts = useWorkspaceTexts()
  const { records, max_records, bytes, max_bytes } = storage
  return (
    <Section title={texts.usage}>
      <dl class={styles.meters}>
        <div>
          <dt>{texts.records}</dt>
          <dd>
            <UsageMeter label={texts.records} value={records} max={max_records} format={formatNumber} />
          </dd>
        </div>
        <div>
          <dt>{texts.storage}</dt>
          <dd>
            <UsageMeter
              label={texts.storage}
              value={bytes}
              max={max_bytes}
              format={(value) => formatBytes(value, shared.language)}
            />
          </dd>
        </div>
      </dl>
    </Section>
  )
}
