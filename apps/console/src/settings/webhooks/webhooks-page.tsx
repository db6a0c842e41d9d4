import type { Webhook } from '@sales-crm/client'
import { useState } from 'preact/hooks'
import { Link } from 'wouter'
import { isAdmin, useConsole } from '../../app/console-context.ts'
import { BASE_PATH } from '../../session/page-settings.ts'
import { Button } from '../../ui/button.tsx'
import { PartPage, partStyles, Section } from '../frame/part-page.tsx'
import { PartQuery } from '../frame/part-query.tsx'
import { useSettingsTexts } from '../texts.ts'
import { useManagerNames, useWebhooks } from './queries.ts'
import { useWebhookTexts } from './texts.ts'
import { WebhookDialog } from './webhook-dialog.tsx'

export function WebhooksPage() {
  const { me } = useConsole()
  const { parts } = useSettingsTexts()
  return (
    <PartPage title={parts.webhooks}>
      <AppLinks />
      {isAdmin(me) ? <Webhooks /> : <ManagersOnly />}
    </PartPage>
  )
}

function ManagersOnly() {
  const texts = useWebhookTexts()
  return (
    <Section title={texts.webhooks}>
      <p class={partStyles.text}>{texts.forManagers(useManagerNames(isAdmin))}</p>
    </Section>
  )
}

function Webhooks() {
  const texts = useWebhookTexts()
  const webhooks = useWebhooks()
  const [isOpen, setIsOpen] = useState(false)
  return (
    <>
      <Section
        title={texts.webhooks}
        end={
          <Button small icon="plus" aria-haspopup="dialog" onClick={() => setIsOpen(true)}>
            {texts.create}
          </Button>
        }
      >
        <p class={partStyles.text}>{texts.lead}</p>
        <PartQuery query={webhooks}>
          {(data) =>
            data.length === 0 ? (
              <p class={partStyles.empty}>{texts.empty}</p>
            ) : (
              <ul class={partStyles.rows} aria-label={texts.webhooks}>
                {data.map((webhook) => (
                  <WebhookRow key={webhook.id} webhook={webhook} />
                ))}
              </ul>
            )
          }
        </PartQuery>
      </Section>
      {isOpen && <WebhookDialog close={() => setIsOpen(false)} />}
    </>
  )
}

/** The pages of the service where apps are let in and removed. */
function AppLinks() {
  const { me, workspace } = useConsole()
  const texts = useWebhookTexts()
  return (
    <Section title={texts.apps}>
      <p class={partStyles.text}>{texts.appsText}</p>
      <ul>
        <li>
          <a href={`${BASE_PATH}/account`}>{texts.ownApps}</a>
        </li>
        {isAdmin(me) && (
          <li>
            <a href={`${BASE_PATH}/workspaces/${workspace.slug}/members`}>{texts.memberApps}</a>
          </li>
        )}
      </ul>
    </Section>
  )
}

function WebhookRow({ webhook }: { readonly webhook: Webhook }) {
  const texts = useWebhookTexts()
  return (
    <li class={partStyles.row}>
      <span class={partStyles.rowText}>
        <Link class={partStyles.rowName} href={`/settings/webhooks/${webhook.id}`} title={webhook.url}>
          {webhook.url}
        </Link>
        <span class={partStyles.rowNote}>{webhook.events.join(' · ')}</span>
      </span>
      <span class={partStyles.rowEnd}>
        {webhook.stopped && `${texts.stopped}, `}
        {texts.eventCount(webhook.events.length)}
        {webhook.auth_enable && `, ${texts.signed.toLowerCase()}`}
      </span>
    </li>
  )
}
