import type { Webhook } from '@sales-crm/client'
import { useState } from 'preact/hooks'
import { useLocation } from 'wouter'
import { useConsole } from '../../app/console-context.ts'
import { useChange } from '../../cache/use-change.ts'
import { usePageTitle } from '../../shell/page-parts.tsx'
import { Button } from '../../ui/button.tsx'
import { Notice } from '../../ui/notice.tsx'
import { DeletionQuestion } from '../frame/deletion-question.tsx'
import { PartMessage, PartPage, partStyles, Section } from '../frame/part-page.tsx'
import { PartQuery } from '../frame/part-query.tsx'
import { useSettingsTexts } from '../texts.ts'
import { DeliveryLog } from './delivery-log.tsx'
import { useManagerNames, useWebhooks } from './queries.ts'
import { useWebhookTexts } from './texts.ts'
import { useWebhookTest } from './use-webhook-test.ts'
import { WebhookDialog } from './webhook-dialog.tsx'
import styles from './webhooks.module.css'

export function WebhookPage({ id }: { readonly id: string }) {
  const settings = useSettingsTexts()
  const webhooks = useWebhooks()
  const webhook = webhooks.data?.find((each) => each.id === id)
  usePageTitle(webhook?.url ?? settings.parts.webhooks)
  return (
    <PartPage
      crumb={{ href: '/settings/webhooks', label: settings.parts.webhooks }}
      {...(webhook && { title: webhook.url })}
    >
      {webhook ? (
        <WebhookView webhook={webhook} />
      ) : (
        <PartQuery query={webhooks}>{() => <PartMessage>{settings.notFound}</PartMessage>}</PartQuery>
      )}
    </PartPage>
  )
}

function WebhookView({ webhook }: { readonly webhook: Webhook }) {
  const { texts: shared } = useConsole()
  const texts = useWebhookTexts()
  const test = useWebhookTest(webhook.id)
  const [dialog, setDialog] = useState<'edit' | 'deletion'>()
  const close = () => setDialog(undefined)
  return (
    <>
      <div class={styles.summary}>
        {webhook.stopped && <StoppedNotice webhook={webhook} />}
        <p>{webhook.auth_enable ? texts.signedText : texts.unsignedText}</p>
        <ul class={styles.events} aria-label={texts.events}>
          {webhook.events.map((event) => (
            <li key={event}>
              <code>{event}</code>
            </li>
          ))}
        </ul>
        <div class={partStyles.actions}>
          <Button icon="edit" aria-haspopup="dialog" onClick={() => setDialog('edit')}>
            {shared.actions.edit}
          </Button>
          <Button onClick={test} disabled={webhook.stopped}>
            {texts.test}
          </Button>
          <Button look="risky" aria-haspopup="dialog" onClick={() => setDialog('deletion')}>
            {shared.actions.delete}
          </Button>
        </div>
      </div>
      <Section title={texts.deliveries}>
        <DeliveryLog webhookId={webhook.id} />
      </Section>
      {dialog === 'edit' && <WebhookDialog webhook={webhook} close={close} />}
      {dialog === 'deletion' && <WebhookDeletion webhook={webhook} close={close} />}
    </>
  )
}

function StoppedNotice({ webhook }: { readonly webhook: Webhook }) {
  const { crm, me } = useConsole()
  const texts = useWebhookTexts()
  const owners = useManagerNames(({ role }) => role === 'owner')
  const change = useChange()
  const takeOver = () => change({ send: () => crm.webhooks.takeOver(webhook.id), done: texts.takenOver })
  return (
    <>
      <Notice kind="caution">
        {texts.stoppedText(webhook.creator?.name)} {me.role !== 'owner' && texts.ownersTakeOver(owners)}
      </Notice>
      {me.role === 'owner' && (
        <div class={partStyles.actions}>
          <Button look="main" onClick={takeOver}>
            {texts.takeOver}
          </Button>
        </div>
      )}
    </>
  )
}

interface WebhookDeletionProps {
  readonly webhook: Webhook
  readonly close: () => void
}

function WebhookDeletion({ webhook, close }: WebhookDeletionProps) {
  const { crm } = useConsole()
  const texts = useWebhookTexts()
  const [, navigate] = useLocation()
  return (
    <DeletionQuestion
      id={webhook.id}
      name={webhook.url}
      send={() => crm.webhooks.delete(webhook.id)}
      onDone={() => navigate('/settings/webhooks')}
      close={close}
    >
      {texts.deleteText}
    </DeletionQuestion>
  )
}
