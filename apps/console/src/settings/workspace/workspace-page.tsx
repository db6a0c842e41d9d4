import type { Workspace } from '@sales-crm/client'
import { nameOf } from '@sales-crm/core/browser'
import type { ComponentChildren } from 'preact'
import { useConsole } from '../../app/console-context.ts'
import { useWorkspace } from '../../reference/use-workspace.ts'
import { PartPage } from '../frame/part-page.tsx'
import { PartQuery } from '../frame/part-query.tsx'
import { useSettingsTexts } from '../texts.ts'
import { useManagerNames } from '../webhooks/queries.ts'
import { describeTimeZone } from './setting-choices.ts'
import { SpaceUsed } from './space-used.tsx'
import { useWorkspaceTexts } from './texts.ts'
import { WorkspaceForm } from './workspace-form.tsx'
import styles from './workspace-page.module.css'

/** The settings of the workspace, which owners change. */
export function WorkspacePage() {
  const { me } = useConsole()
  const workspace = useWorkspace()
  if (me.role === 'owner')
    return <PartQuery query={workspace}>{(data) => <WorkspaceForm workspace={data} />}</PartQuery>
  return <WorkspaceFacts />
}

function WorkspaceFacts() {
  const { parts } = useSettingsTexts()
  const texts = useWorkspaceTexts()
  const owners = useManagerNames(({ role }) => role === 'owner')
  const workspace = useWorkspace()
  return (
    <PartPage title={parts.workspace} lead={texts.forOwners(owners)}>
      <PartQuery query={workspace}>
        {(data) => (
          <>
            <FactList workspace={data} />
            <SpaceUsed storage={data.storage} />
          </>
        )}
      </PartQuery>
    </PartPage>
  )
}

function FactList({ workspace }: { readonly workspace: Workspace }) {
  const { language } = useConsole().texts
  const texts = useWorkspaceTexts()
  const { name, slug, country, locale, currency, time_zone } = workspace
  const { settings } = texts
  return (
    <dl class={styles.facts}>
      <Fact label={settings.name.label}>{name}</Fact>
      <Fact label={texts.slug}>/w/{slug}</Fact>
      <Fact label={settings.country.label}>
        {country === null ? texts.none : nameOf(language, 'region', country)}
      </Fact>
      <Fact label={settings.currency.label}>{`${currency}, ${nameOf(language, 'currency', currency)}`}</Fact>
      <Fact label={settings.locale.label}>{nameOf(language, 'language', locale)}</Fact>
      <Fact label={settings.time_zone.label}>{describeTimeZone(time_zone, language, new Date())}</Fact>
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
