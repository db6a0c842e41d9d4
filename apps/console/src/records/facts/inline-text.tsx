import type { ComponentChildren } from 'preact'
import { useId, useRef, useState } from 'preact/hooks'
import { useConsole } from '../../app/console-context.ts'
import { IconButton } from '../../ui/button.tsx'
import { classNames } from '../../ui/class-names.ts'
import { Fault, Input, Textarea } from '../../ui/field.tsx'
import text from '../../ui/text.module.css'
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
  /** In a cell of a table: the row is the stop of the Tab key, and E opens the field. */
  readonly isCell?: boolean
  /** The value is an address that can be followed. */
  readonly href?: string | undefined
  /**
   * Saves the text. `reopen` shows a refusal at the field, with what was typed.
   * @returns a fault that was found before anything was sent
   */
  readonly save: (text: string, reopen: (fault: string) => void) => string | undefined
}

/** A value that is edited where it stands: Enter and leaving save, Esc puts it back. */
export function InlineText(props: InlineTextProps) {
  const {
    label,
    display,
    text: value,
    type = 'text',
    inputMode,
    multiline = false,
    isCell = false,
    href,
    save,
  } = props
  const { texts } = useConsole()
  const [draft, setDraft] = useState<string>()
  const [fault, setFault] = useState<string>()
  const button = useRef<HTMLButtonElement>(null)
  const faultId = useId()
  // The field loses the focus when it is removed, which must not save it.
  const isOpen = useRef(false)

  function open(): void {
    isOpen.current = true
    setDraft(value)
  }

  function close(): void {
    isOpen.current = false
    setDraft(undefined)
    setFault(undefined)
  }
  function submit(edited: string): void {
    if (!isOpen.current) return
    if (edited === value) {
      close()
      return
    }
    isOpen.current = false
    const found = save(edited, (words) => {
      isOpen.current = true
      setDraft(edited)
      setFault(words)
    })
    setFault(found)
    if (found === undefined) setDraft(undefined)
    else isOpen.current = true
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

  if (draft === undefined && href !== undefined)
    return (
      <span class={styles.follow}>
        <a class={classNames(styles.value, text.cut)} href={href} target="_blank" rel="noreferrer">
          {display}
        </a>
        <IconButton ref={button} small icon="edit" label={`${texts.actions.edit} ${label}`} onClick={open} />
      </span>
    )
  if (draft === undefined)
    return (
      <button
        ref={button}
        type="button"
        class={classNames(styles.value, isCell && styles.cell, display === undefined && styles.missing)}
        tabIndex={isCell ? -1 : undefined}
        data-edit
        title={`${texts.actions.edit}: ${label}`}
        onClick={open}
      >
        {display ?? (isCell ? '—' : texts.record.addValue(label))}
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
