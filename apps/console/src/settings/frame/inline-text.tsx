import { useConsole } from '../../app/console-context.ts'
import { explainError, fieldErrors } from '../../cache/explain-error.ts'
import { classNames } from '../../ui/class-names.ts'
import { Field, Input, Textarea } from '../../ui/field.tsx'
import { useInlineEdit } from '../../ui/use-inline-edit.ts'
import { useSettingsTexts } from '../texts.ts'
import styles from './inline-text.module.css'

interface InlineTextProps {
  readonly label: string
  /** The name of the field in the errors of the service. */
  readonly field: string
  readonly value: string
  readonly maxLength: number
  /** True if the text may be empty. */
  readonly isOptional?: boolean
  readonly isMultiline?: boolean
  readonly isStrong?: boolean
  /** Undefined if the member may not change it. */
  readonly save: ((value: string, onError: (error: unknown) => void) => void) | undefined
}

/** A text that is edited where it stands. */
export function InlineText(props: InlineTextProps) {
  const { label, field, value, maxLength, isOptional = false, isMultiline, isStrong = false, save } = props
  const { texts } = useConsole()
  const settings = useSettingsTexts()
  const edit = useInlineEdit({
    text: value,
    isMultiline,
    save(draft, reopen) {
      const typed = draft.trim()
      if (typed === '' && !isOptional) return texts.errors.required
      if (typed !== value)
        save?.(typed, (error) =>
          reopen(fieldErrors(error)[field] ?? texts.errors.notSaved(explainError(error, texts))),
        )
      return undefined
    },
  })
  const look = classNames(styles.value, isStrong && styles.strong, value === '' && styles.isMissing)
  if (!save) return <span class={classNames(look, styles.isFixed)}>{value}</span>
  if (!edit.isEditing)
    return (
      <button
        ref={edit.button}
        type="button"
        class={look}
        title={value}
        aria-label={value === '' ? settings.add(label) : settings.edit(label, value)}
        onClick={edit.open}
      >
        {value === '' ? settings.add(label) : value}
      </button>
    )
  const control = { ...edit.control, maxLength }
  return (
    <div class={styles.editor}>
      <Field label={label} error={edit.error}>
        {(ids) =>
          isMultiline ? (
            <Textarea {...ids} {...control} rows={2} />
          ) : (
            <Input {...ids} {...control} small aria-label={label} />
          )
        }
      </Field>
    </div>
  )
}
