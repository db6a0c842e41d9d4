import type { Stage } from '@sales-crm/client'
import { useState } from 'preact/hooks'
import { useConsole } from '../../app/console-context.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog, DialogActions } from '../../ui/dialog.tsx'
import { Check, Field, Input } from '../../ui/field.tsx'
import styles from '../custom-fields/custom-field-page.module.css'
import { rulesOf, type StageRules } from './stage-rules.ts'
import { usePipelineTexts } from './texts.ts'
import { useRequirableFields } from './use-requirable-fields.ts'

const MAX_DAYS = 3650

interface StageRulesDialogProps {
  readonly stage: Stage
  readonly save: (rules: StageRules) => void
  readonly close: () => void
}

/** Sets which fields a stage requires, and after how many days its deals are stale. */
export function StageRulesDialog({ stage, save, close }: StageRulesDialogProps) {
  const { texts: shared } = useConsole()
  const texts = usePipelineTexts()
  const fields = useRequirableFields(stage.type)
  const before = rulesOf(stage)
  const [names, setNames] = useState(before.required_fields)
  const [typed, setTyped] = useState(before.stale_after_days === null ? '' : String(before.stale_after_days))
  const [isSubmitted, setIsSubmitted] = useState(false)
  const days = typed.trim() === '' ? null : Number(typed)
  const isWrong = days !== null && !(Number.isInteger(days) && days >= 1 && days <= MAX_DAYS)
  const toggle = (name: string, isChecked: boolean) =>
    setNames(isChecked ? [...names, name] : names.filter((each) => each !== name))
  return (
    <Dialog title={texts.changeRules(stage.name)} close={close}>
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          setIsSubmitted(true)
          if (isWrong) return
          close()
          save({ required_fields: names, stale_after_days: days })
        }}
      >
        <fieldset class={styles.checks}>
          <legend class={styles.legend}>{texts.requiredFields}</legend>
          {fields.map(({ name, label }) => (
            <span class={styles.check} key={name}>
              <Check
                label={label}
                checked={names.includes(name)}
                change={(isChecked) => toggle(name, isChecked)}
              />
              <span aria-hidden="true">{label}</span>
            </span>
          ))}
        </fieldset>
        <Field
          label={texts.staleDays}
          hint={texts.staleHint}
          error={isSubmitted && isWrong ? texts.staleError : undefined}
        >
          {(ids) => <Input {...ids} inputMode="numeric" maxLength={4} value={typed} change={setTyped} />}
        </Field>
        <DialogActions>
          <Button onClick={close}>{shared.actions.cancel}</Button>
          <Button look="main" type="submit">
            {shared.actions.save}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}
