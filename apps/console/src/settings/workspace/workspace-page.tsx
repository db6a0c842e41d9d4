import type { Workspace } from '@sales-crm/client'
import type { ComponentChildren } from 'preact'
import { useConsole } from '../../app/console-context.ts'
import { formatBytes } from '../../format/bytes.ts'
import { PartPage } from '../frame/part-page.tsx'
import { PartQuery } from '../frame/part-query.tsx'
import { useSettingsTexts } from '../texts.ts'
import { useWorkspaceTexts } from './texts.ts'
import { UsageMeter } from './usage-meter.tsx'
import { useWorkspace } from './use-workspace.ts'
import styles from './workspace-page.module.css'

export function WorkspacePage() {
  const { parts } = useSettingsTexts()
  const texts = useWorkspaceTexts()
  const workspace = useWorkspace()
  return (
    <PartPage title={parts.workspace} lead={texts.lead}>
      <PartQuery query={workspace}>{(data) => <WorkspaceFacts workspace={data} />}</PartQuery>
    </PartPage>
  )
}

function WorkspaceFacts({ workspace }: { readonly workspace: Workspace }) {
  const { texts: shared, formatNumber } = useConsole()
  const texts = useWorkspaceTexts()
  const { language } = shared
  const { name, slug, locale, currency, time_zone, storage } = workspace
  return (
    <dl class={styles.facts}>
      <Fact label={texts.name}>{name}</Fact>
      <Fact label={texts.slug}>/w/{slug}</Fact>
      <Fact label={texts.locale}>{describe(language, 'language', locale)}</Fact>
      <Fact label={texts.currency}>{describe(language, 'currency', currency)}</Fact>
      <Fact label={texts.timeZone}>{time_zone.replaceAll('_', ' ')}</Fact>
      <Fact label={texts.records}>
        <UsageMeter
          label={texts.records}
          value={storage.records}
          max={storage.max_records}
          format={formatNumber}
        />
      </Fact>
      <Fact label={texts.storage}>
        <UsageMeter
          label={texts.storage}
          value={storage.bytes}
          max={storage.max_bytes}
          format={(bytes) => formatBytes(bytes, language)}
        />
      </Fact>
    </dl>
  )
}

function Fact({ label, children }: { readonly label: string; readonly children: ComponentChildren }) {
  return (
    <div class={styles.fact}>
      <dt>{label}</dt>
      <dd>{children}</dd>
    </div>
  )
}

/** The name of a code in the user's language, with the code. */
function describe(language: string, type: 'language' | 'currency', code: string): string {
  const name = new Intl.DisplayNames(language, { type }).of(code)
  return name === undefined || name === code ? code : `${name} (${code})`
}
