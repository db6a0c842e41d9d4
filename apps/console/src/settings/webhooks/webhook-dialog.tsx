import type { EventName, Webhook } from '@sales-crm/client'
import { useState } from 'preact/hooks'
import { useLocation } from 'wouter'
import { useConsole } from '../../app/console-context.ts'
import { FormFrame } from '../../create/form-frame.tsx'
import { useCreateForm } from '../../create/use-create-form.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { Check, Field, fieldStyles, Input } from '../../ui/field.tsx'
import { showDone } from '../../ui/toasts.tsx'
import { useSettingsTexts } from '../texts.ts'
import { EventPicker } from './event-picker.tsx'
import { SecretView } from './secret-view.tsx'
import { useWebhookTexts } from './texts.ts'
import styles from './webhooks.module.css'

const MAX_URL_LENGTH = 2048

interface WebhookDialogProps {
  /** The webhook to edit; undefined for a new one. */
  readonly webhook?: Webhook
  readonly close: () => void
}

/** Creates or edits a webhook. A new secret is shown once, before the dialog can be closed. */
export function WebhookDialog({ webhook, close }: WebhookDialogProps) {
  const texts = useWebhookTexts()
  const [, navigate] = useLocation()
  const [saved, setSaved] = useState<{ readonly id: string; readonly secret: string }>()
  const finish = (id: string) => {
    close()
    if (!webhook) navigate(`/settings/webhooks/${id}`)
  }
  if (saved)
    return (
      <Dialog title={texts.secretTitle} close={() => {}}>
        <SecretView secret={saved.secret} close={() => finish(saved.id)} />
      </Dialog>
    )
  return (
    <Dialog title={webhook ? texts.edit : texts.create} close={close}>
      <WebhookForm
        webhook={webhook}
        close={close}
        onSaved={(id, secret) => (secret === undefined ? finish(id) : setSaved({ id, secret }))}
      />
    </Dialog>
  )
}

interface WebhookFormProps {
  readonly webhook: Webhook | undefined
  readonly close: () => void
  readonly onSaved: (id: string, secret: string | undefined) => void
}

function WebhookForm({ webhook, close, onSaved }: WebhookFormProps) {
  const { crm, texts: shared } = useConsole()
  const settings = useSettingsTexts()
  const texts = useWebhookTexts()
  const form = useCreateForm()
  const [url, setUrl] = useState(webhook?.url ?? '')
  const [events, setEvents] = useState<readonly EventName[]>(webhook?.events ?? [])
  const [isSigned, setIsSigned] = useState(webhook?.auth_enable ?? true)

  async function save(): Promise<void> {
    const input = { url: url.trim(), events: [...events], auth_enable: isSigned }
    const saved = webhook ? await crm.webhooks.update(webhook.id, input) : await crm.webhooks.create(input)
    if (webhook) showDone(settings.changed(saved.url))
    onSaved(saved.id, saved.webhook_secret)
  }

  return (
    <FormFrame
      form={form}
      cancel={close}
      submitLabel={webhook ? shared.actions.save : shared.create.submit}
      submit={() =>
        form.submit(save, {
          url: url.trim() === '' ? shared.errors.required : undefined,
          events: events.length === 0 ? texts.noEvents : undefined,
        })
      }
    >
      <Field label={texts.url} hint={texts.urlHint} error={form.errors['url']}>
        {(ids) => (
          <Input {...ids} type="url" autoFocus maxLength={MAX_URL_LENGTH} value={url} change={setUrl} />
        )}
      </Field>
      <EventPicker selected={events} select={setEvents} error={form.errors['events']} />
      <div>
        <span class={styles.check}>
          <Check label={texts.sign} checked={isSigned} change={setIsSigned} />
          <span aria-hidden="true">{texts.sign}</span>
        </span>
        <p class={fieldStyles.hint}>{webhook?.auth_enable ? texts.unsignHint : texts.signHint}</p>
      </div>
    </FormFrame>
  )
}
