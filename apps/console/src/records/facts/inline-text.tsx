import type { ComponentChildren } from 'preact'
import { useId, useRef, useState } from 'preact/hooks'
import { useConsole } from '../../app/console-context.ts'
import { classNames } from '../../ui/class-names.ts'
import { Fault, Input, Textarea } from '../../ui/field.tsx'
import styles from './facts.module.css'

interface InlineTextProps {
  readonly label: string
  /** What is shown; undefined for a field without a value. */
  readonly display: ComponentChildren | undefined
  /** What is edited. */
  readonly text: string
  readonly type?: 'text' | 'email' | 'tel' | 'url' | 'date'
  readonly inputMode?: 'decimal' | 'numeric'
  readonly multiline?: boolean
  /**
   * Saves the text. `reopen` shows a refusal at the field, with what was typed.
   * @returns a fault that was found before anything was sent
   */
  readonly save: (text: string, reopen: (fault: string) => void) => string | undefined
}

/** A value that is edited where it stands: Enter and leaving save, Esc puts it back. */
export function InlineText(props: InlineTextProps) {
  const { label, display, text, type = 'text', inputMode, multiline = false, save } = props
  const { texts } = useConsole()
  const [draft, setDraft] = useState<string>()
  const [fault, setFault] = useState<string>()
  const button = useRef<HTMLButtonElement>(null)
  const faultId = useId()

  function close(): void {
    setDraft(undefined)
    setFault(undefined)
  }
  function submit(value: string): void {
    if (value === text) {
      close()
      return
    }
    const found = save(value, (words) => {
      setDraft(value)
      setFault(words)
    })
    setFault(found)
    if (found === undefined) setDraft(undefined)
  }
  function handleKey(event: KeyboardEvent): void {
    if (event.key === 'Escape') {
      event.stopPropagation()
      close()
      focusSoon(button)
    }
    if (event.key !== 'Enter' || (multiline && !event.ctrlKey && !event.metaKey)) return
    event.preventDefault()
    submit(draft ?? '')
    focusSoon(button)
  }

  if (draft === undefined)
    return (
      <button
        ref={button}
        type="button"
        class={classNames(styles.value, display === undefined && styles.missing)}
        aria-label={display === undefined ? undefined : `${texts.actions.edit} ${label}`}
        title={texts.actions.edit}
        onClick={() => setDraft(text)}
      >
        {display ?? texts.record.addValue(label)}
      </button>
    )
  const control = {
    value: draft,
    change: setDraft,
    autoFocus: true,
    onKeyDown: handleKey,
    onBlur: () => submit(draft),
    'aria-label': label,
    'aria-invalid': fault === undefined ? undefined : (true as const),
    'aria-describedby': fault === undefined ? undefined : faultId,
  }
  return (
    <>
      {multiline ? (
        <Textarea {...control} rows={4} />
      ) : (
        <Input {...control} small type={type} inputMode={inputMode} />
      )}
      {fault && <Fault id={faultId}>{fault}</Fault>}
    </>
  )
}

/** After the button is there again. */
function focusSoon(button: { readonly current: HTMLButtonElement | null }): void {
  requestAnimationFrame(() => button.current?.focus())
}
