import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import { useConsole } from '../../app/console-context.ts'
import { explainError, fieldFaults } from '../../cache/explain-error.ts'
import { classNames } from '../../ui/class-names.ts'
import { Field, Input, Textarea } from '../../ui/field.tsx'
import { useSettingsTexts } from '../texts.ts'
import styles from './inline-text.module.css'

interface InlineTextProps {
  readonly label: string
  /** The name of the field in the faults of the service. */
  readonly field: string
  readonly value: string
  readonly maxLength: number
  /** True if the text may be empty. */
  readonly isOptional?: boolean
  readonly isMultiline?: boolean
  readonly isStrong?: boolean
  /** Undefined if the member may not change it. */
  readonly save: ((value: string, onFault: (error: unknown) => void) => void) | undefined
}

/** A text that is edited in its place: Enter saves, Esc puts back, leaving saves. */
export function InlineText(props: InlineTextProps) {
  const { label, field, value, isOptional = false, isStrong = false, save } = props
  const { texts } = useConsole()
  const settings = useSettingsTexts()
  const [draft, setDraft] = useState<string>()
  const [fault, setFault] = useState<string>()
  const button = useRef<HTMLButtonElement>(null)
  // The field loses the focus when it is removed, which must not save it again.
  const isOpen = useRef(false)
  const look = classNames(styles.value, isStrong && styles.strong, value === '' && styles.isMissing)
  if (!save) return <span class={classNames(look, styles.isFixed)}>{value}</span>
  if (draft === undefined)
    return (
      <button
        ref={button}
        type="button"
        class={look}
        title={value}
        aria-label={value === '' ? settings.add(label) : settings.edit(label, value)}
        onClick={() => {
          isOpen.current = true
          setDraft(value)
        }}
      >
        {value === '' ? settings.add(label) : value}
      </button>
    )

  const end = () => {
    isOpen.current = false
    setDraft(undefined)
    setFault(undefined)
  }
  const finish = () => {
    if (!isOpen.current) return
    const typed = draft.trim()
    if (typed === value || (typed === '' && !isOptional && fault === undefined)) return end()
    if (typed === '' && !isOptional) return setFault(texts.faults.required)
    end()
    save(typed, (error) => {
      isOpen.current = true
      setDraft(typed)
      setFault(fieldFaults(error)[field] ?? texts.faults.notSaved(explainError(error, texts)))
    })
  }
  return (
    <TextEditor
      {...props}
      draft={draft}
      fault={fault}
      change={setDraft}
      finish={finish}
      cancel={end}
      focusValue={() => setTimeout(() => button.current?.focus())}
    />
  )
}

interface TextEditorProps extends InlineTextProps {
  readonly draft: string
  readonly fault: string | undefined
  readonly change: (draft: string) => void
  readonly finish: () => void
  readonly cancel: () => void
  readonly focusValue: () => void
}

function TextEditor(props: TextEditorProps) {
  const { label, maxLength, isMultiline, draft, fault, change, finish, cancel, focusValue } = props
  const frame = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => {
    const input = frame.current?.querySelector<HTMLInputElement | HTMLTextAreaElement>('input, textarea')
    input?.focus()
    input?.setSelectionRange(input.value.length, input.value.length)
  }, [fault])
  const control = {
    value: draft,
    change,
    maxLength,
    onBlur: finish,
    onKeyDown: (event: KeyboardEvent) => {
      const isEnd = event.key === 'Enter' && (!isMultiline || event.ctrlKey || event.metaKey)
      if (!isEnd && event.key !== 'Escape') return
      event.preventDefault()
      if (isEnd) finish()
      else cancel()
      focusValue()
    },
  }
  return (
    <div ref={frame} class={styles.editor}>
      <Field label={label} fault={fault}>
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
