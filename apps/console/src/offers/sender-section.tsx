import type { Workspace, WorkspaceChanges } from '@sales-crm/client'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'preact/hooks'
import { useConsole } from '../app/console-context.ts'
import { useCreateForm } from '../create/use-create-form.ts'
import { readAttachment } from '../records/composer/attached-files.ts'
import { Section } from '../settings/frame/part-page.tsx'
import { Button } from '../ui/button.tsx'
import { Field, FieldError, Input, Textarea } from '../ui/field.tsx'
import { Notice } from '../ui/notice.tsx'
import text from '../ui/text.module.css'
import { showDone } from '../ui/toasts.tsx'
import styles from './offers.module.css'
import { useOfferTexts } from './texts.ts'

const MAX_LENGTHS = { legal_name: 120, tax_id: 40, address: 400, email: 254 } as const

type SenderField = keyof typeof MAX_LENGTHS
type Draft = Readonly<Record<SenderField, string>>

/** Who makes the offers of the workspace, for an owner. */
export function SenderSection({ workspace: { sender } }: { readonly workspace: Workspace }) {
  const { crm, texts: shared } = useConsole()
  const texts = useOfferTexts().sender
  const client = useQueryClient()
  const form = useCreateForm()
  const [draft, setDraft] = useState<Draft>({
    legal_name: sender?.legal_name ?? '',
    tax_id: sender?.tax_id ?? '',
    address: sender?.address ?? '',
    email: sender?.email ?? '',
  })
  /** Base64; null removes it. */
  const [logo, setLogo] = useState<string | null>()

  async function save(): Promise<void> {
    const { legal_name, tax_id, address, email } = draft
    const changes: WorkspaceChanges = {
      sender: {
        legal_name,
        ...{ tax_id: tax_id || null, address: address || null, email: email.trim() || null },
        ...(logo !== undefined && { logo }),
      },
    }
    client.setQueryData(['workspace'], await crm.workspace.update(changes))
    setLogo(undefined)
    showDone(texts.saved)
  }
  const submit = () =>
    form.submit(save, {
      'sender.legal_name': draft.legal_name.trim() === '' ? shared.errors.required : undefined,
    })
  const errorOf = (name: SenderField | 'logo') => form.errors[`sender.${name}`]
  const fieldOf = (name: Exclude<SenderField, 'address'>, type: 'text' | 'email' = 'text') => (
    <Field label={texts[name]} error={errorOf(name)}>
      {(ids) => (
        <Input
          {...ids}
          type={type}
          maxLength={MAX_LENGTHS[name]}
          value={draft[name]}
          change={(value) => setDraft({ ...draft, [name]: value })}
        />
      )}
    </Field>
  )
  const hasLogo = logo === undefined ? sender?.logo_url != null : logo !== null
  return (
    <Section title={texts.title}>
      <form
        class={styles.sender}
        onSubmit={(event) => {
          event.preventDefault()
          submit()
        }}
      >
        <p class={text.soft}>{texts.text}</p>
        {form.error && <Notice kind="error">{form.error}</Notice>}
        {fieldOf('legal_name')}
        {fieldOf('tax_id')}
        <Field label={texts.address} error={errorOf('address')}>
          {(ids) => (
            <Textarea
              {...ids}
              rows={3}
              maxLength={MAX_LENGTHS.address}
              value={draft.address}
              change={(address) => setDraft({ ...draft, address })}
            />
          )}
        </Field>
        {fieldOf('email', 'email')}
        <Field label={texts.logo} hint={texts.logoHint}>
          {(ids) => (
            <input
              {...ids}
              type="file"
              accept="image/png,image/jpeg"
              onChange={async ({ currentTarget: { files } }) => {
                if (files?.[0]) setLogo((await readAttachment(files[0])).content)
              }}
            />
          )}
        </Field>
        {errorOf('logo') && <FieldError>{errorOf('logo')}</FieldError>}
        {logo === undefined && sender?.logo_url != null && (
          <img class={styles.logo} src={sender.logo_url} alt={texts.logo} />
        )}
        <div class={styles.actions}>
          <Button look="main" type="submit" aria-busy={form.isBusy}>
            {texts.save}
          </Button>
          {hasLogo && (
            <Button look="quiet" onClick={() => setLogo(null)}>
              {texts.removeLogo}
            </Button>
          )}
        </div>
      </form>
    </Section>
  )
}
