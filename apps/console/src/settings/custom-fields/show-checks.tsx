import type { CustomField } from '@sales-crm/client'
import { useConsole } from '../../app/console-context.ts'
import { Check } from '../../ui/field.tsx'
import styles from './custom-field-page.module.css'
import { FIELD_KINDS, showFieldOf } from './field-rules.ts'
import { useCustomFieldTexts } from './texts.ts'

export type Shows = Pick<CustomField, 'required' | 'show_people' | 'show_companies' | 'show_deals'>

interface ShowChecksProps {
  readonly shows: Shows
  readonly change: (changes: Partial<Shows>) => void
}

/** Which kinds show a field, and whether it must be filled in. */
export function ShowChecks({ shows, change }: ShowChecksProps) {
  const { texts: shared } = useConsole()
  const texts = useCustomFieldTexts()
  return (
    <>
      <fieldset class={styles.checks}>
        <legend class={styles.legend}>{texts.showsOn}</legend>
        {FIELD_KINDS.map((kind) => (
          <span class={styles.check} key={kind}>
            <Check
              label={shared.labels[kind]}
              checked={shows[showFieldOf(kind)]}
              change={(isChecked) => change({ [showFieldOf(kind)]: isChecked })}
            />
            <span aria-hidden="true">{shared.labels[kind]}</span>
          </span>
        ))}
      </fieldset>
      <span class={styles.check}>
        <Check label={texts.required} checked={shows.required} change={(required) => change({ required })} />
        <span aria-hidden="true">{texts.required}</span>
      </span>
    </>
  )
}
