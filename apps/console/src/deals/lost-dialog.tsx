import type { LostReasonReference } from '@sales-crm/client'
import { useState } from 'preact/hooks'
import { Link } from 'wouter'
import { isAdmin, useConsole } from '../app/console-context.ts'
import { useMenu } from '../reference/queries.ts'
import { Button } from '../ui/button.tsx'
import { classNames } from '../ui/class-names.ts'
import { Dialog, DialogActions } from '../ui/dialog.tsx'
import { Field, FieldError, Textarea } from '../ui/field.tsx'
import text from '../ui/text.module.css'
import type { Loss } from './loss.ts'
import styles from './lost-dialog.module.css'

interface LostDialogProps {
  /** The name of the deal, or the number of them. */
  readonly subject: string
  /** What the deal has, if it is lost already. */
  readonly loss?: Loss
  /** What the stage requires. */
  readonly required?: readonly string[]
  readonly lose: (loss: Loss) => void
  readonly close: () => void
}

const MAX_NOTE_LENGTH = 2000
const NO_LOSS: Loss = { lost_reason: null, lost_note: '' }

/** Asks why a deal was lost. Reason and note may be left out, unless the stage requires them. */
export function LostDialog(props: LostDialogProps) {
  const reasons = useMenu('lostReasons')
  // The focus is on the first reason, if there is one.
  if (reasons.isPending) return null
  return <LossForm {...props} reasons={reasons.data ?? []} />
}

interface LossFormProps extends LostDialogProps {
  readonly reasons: readonly LostReasonReference[]
}

function LossForm({ subject, loss = NO_LOSS, required = [], lose, close, reasons: all }: LossFormProps) {
  const { me, texts } = useConsole()
  const [draft, setDraft] = useState(loss)
  const [isSubmitted, setIsSubmitted] = useState(false)
  const reasons = listOffered(all, loss)
  const lacksReason = required.includes('lost_reason') && draft.lost_reason === null
  const lacksNote = required.includes('lost_note') && draft.lost_note.trim() === ''

  const choose = (reason: LostReasonReference) =>
    setDraft({ ...draft, lost_reason: reason.id === draft.lost_reason?.id ? null : reason })
  function submit(): void {
    setIsSubmitted(true)
    if (lacksReason || lacksNote) return
    close()
    lose(draft)
  }
  function onKeyDown(event: KeyboardEvent): void {
    const { key, target, ctrlKey, metaKey, altKey } = event
    if ((ctrlKey || metaKey) && key === 'Enter') submit()
    const reason = /^[1-9]$/.test(key) ? reasons[Number(key) - 1] : undefined
    if (!reason || ctrlKey || metaKey || altKey || target instanceof HTMLTextAreaElement) return
    event.preventDefault()
    choose(reason)
  }
  return (
    <Dialog title={texts.deals.whyLost(subject)} close={close}>
      <form
        onKeyDown={onKeyDown}
        onSubmit={(event) => {
          event.preventDefault()
          submit()
        }}
      >
        <p class={classNames(text.soft, styles.lead)}>
          {required.length > 0 ? texts.deals.whyLostRequired : texts.deals.whyLostHint}
        </p>
        {reasons.length > 0 && (
          <fieldset class={styles.reasons}>
            <legend class={text.hidden}>{texts.labels.lostReason}</legend>
            {reasons.map((reason, index) => (
              <label key={reason.id}>
                <input
                  type="radio"
                  name="lost_reason"
                  checked={reason.id === draft.lost_reason?.id}
                  onChange={() => {}}
                  onClick={() => choose(reason)}
                />
                {reason.name}
                {index < 9 && <kbd class={text.push}>{index + 1}</kbd>}
              </label>
            ))}
          </fieldset>
        )}
        {isSubmitted && lacksReason && <FieldError>{texts.deals.reasonRequired}</FieldError>}
        <Field
          label={texts.labels.lostNote}
          error={isSubmitted && lacksNote ? texts.errors.required : undefined}
        >
          {(ids) => (
            <Textarea
              {...ids}
              rows={3}
              maxLength={MAX_NOTE_LENGTH}
              value={draft.lost_note}
              change={(lost_note) => setDraft({ ...draft, lost_note })}
            />
          )}
        </Field>
        <DialogActions>
          {isAdmin(me) && (
            <Link class={styles.edit} href="/settings/lost-reasons" onClick={close}>
              {texts.deals.editReasons}
            </Link>
          )}
          <Button onClick={close}>{texts.actions.cancel}</Button>
          <Button look="main" type="submit" aria-keyshortcuts="Control+Enter">
            {loss === NO_LOSS ? texts.deals.saveLost : texts.actions.save}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}

/** The reasons that can be chosen, and the one that the deal has although it was deleted. */
function listOffered(
  reasons: readonly LostReasonReference[],
  { lost_reason: current }: Loss,
): readonly LostReasonReference[] {
  const offered = reasons.map(({ id, name }) => ({ id, name }))
  return current && !offered.some(({ id }) => id === current.id) ? [...offered, current] : offered
}
