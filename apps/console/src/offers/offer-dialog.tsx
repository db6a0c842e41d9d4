import type { OfferLanguage } from '@sales-crm/client'
import { useState } from 'preact/hooks'
import { useConsole } from '../app/console-context.ts'
import { useNow } from '../app/now.tsx'
import { TextField } from '../create/inputs.tsx'
import { useCreateForm } from '../create/use-create-form.ts'
import { addDays } from '../format/calendar.ts'
import { Button } from '../ui/button.tsx'
import { Dialog, DialogActions } from '../ui/dialog.tsx'
import { Field, Select, Textarea } from '../ui/field.tsx'
import { Notice } from '../ui/notice.tsx'
import { showDone } from '../ui/toasts.tsx'
import { useOfferTexts } from './texts.ts'

const VALID_DAYS = 30
const MAX_NOTES_LENGTH = 4000

/** Makes an offer of what the deal sells now. */
export function OfferDialog({ dealId, close }: { readonly dealId: string; readonly close: () => void }) {
  const { crm, texts: shared, calendar } = useConsole()
  const texts = useOfferTexts()
  const today = calendar.dayOf(useNow())
  const form = useCreateForm()
  const [draft, setDraft] = useState({
    valid_until: addDays(today, VALID_DAYS),
    language: shared.language as OfferLanguage,
    notes: '',
  })
  const [idempotencyKey] = useState(() => crypto.randomUUID())

  async function create(): Promise<void> {
    const { number } = await crm.deals.offers.create(dealId, draft, { idempotencyKey })
    close()
    showDone(texts.made(number))
  }
  const submit = () =>
    form.submit(create, { valid_until: draft.valid_until === '' ? shared.errors.required : undefined })
  return (
    <Dialog title={texts.make} close={close}>
      <form
        onKeyDown={(event) => {
          if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return
          event.preventDefault()
          submit()
        }}
        onSubmit={(event) => {
          event.preventDefault()
          submit()
        }}
      >
        {form.error && <Notice kind="error">{form.error}</Notice>}
        <TextField
          type="date"
          label={texts.validUntil}
          error={form.errors['valid_until']}
          value={draft.valid_until}
          change={(valid_until) => setDraft({ ...draft, valid_until })}
        />
        <Field label={texts.language} error={form.errors['language']}>
          {(ids) => (
            <Select
              {...ids}
              value={draft.language}
              change={(language) => setDraft({ ...draft, language: language as OfferLanguage })}
            >
              <option value="en">{texts.languages.en}</option>
              <option value="pt-BR">{texts.languages['pt-BR']}</option>
            </Select>
          )}
        </Field>
        <Field label={texts.notes} error={form.errors['notes']}>
          {(ids) => (
            <Textarea
              {...ids}
              rows={4}
              maxLength={MAX_NOTES_LENGTH}
              value={draft.notes}
              change={(notes) => setDraft({ ...draft, notes })}
            />
          )}
        </Field>
        <DialogActions>
          <Button onClick={close}>{shared.actions.cancel}</Button>
          <Button look="main" type="submit" aria-busy={form.isBusy} aria-keyshortcuts="Control+Enter">
            {texts.make}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}
