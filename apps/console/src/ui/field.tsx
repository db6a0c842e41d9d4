import type { ComponentChildren, Ref } from 'preact'
import { useId, useLayoutEffect, useRef } from 'preact/hooks'
import { classNames } from './class-names.ts'
import styles from './field.module.css'
import { Icon } from './icon.tsx'
import { showReason } from './toasts.tsx'

interface FieldProps {
  readonly label: string
  readonly error?: string | undefined
  readonly hint?: ComponentChildren
  readonly children: (ids: FieldIds) => ComponentChildren
}

export interface FieldIds {
  readonly id: string
  readonly 'aria-describedby'?: string | undefined
  readonly 'aria-invalid'?: true | undefined
}

/** A control with its label above it, and its error below. */
export function Field({ label, error, hint, children }: FieldProps) {
  const id = useId()
  const describedBy = [error && `${id}-error`, hint && `${id}-hint`].filter(Boolean).join(' ')
  const ids = {
    id,
    ...(describedBy && { 'aria-describedby': describedBy }),
    ...(error && { 'aria-invalid': true as const }),
  }
  return (
    <div class={styles.field}>
      <label for={id}>{label}</label>
      {children(ids)}
      {error && <FieldError id={`${id}-error`}>{error}</FieldError>}
      {hint && (
        <p class={styles.hint} id={`${id}-hint`}>
          {hint}
        </p>
      )}
    </div>
  )
}

export function FieldError({ id, children }: { readonly id?: string; readonly children: ComponentChildren }) {
  return (
    <p class={styles.error} id={id}>
      <Icon name="alert" />
      <span>{children}</span>
    </p>
  )
}

/** What inputs, text areas and selections have in common. */
interface ControlProps<Element> extends Partial<FieldIds> {
  readonly value: string
  readonly change: (value: string) => void
  readonly class?: string | undefined
  readonly placeholder?: string | undefined
  readonly maxLength?: number
  readonly autoFocus?: boolean
  readonly disabled?: boolean
  readonly 'aria-label'?: string | undefined
  readonly 'aria-keyshortcuts'?: string
  readonly onKeyDown?: (event: KeyboardEvent) => void
  readonly onBlur?: () => void
  readonly ref?: Ref<Element>
}

interface InputProps extends ControlProps<HTMLInputElement> {
  readonly type?: 'text' | 'search' | 'email' | 'tel' | 'url' | 'date' | 'time'
  readonly inputMode?: 'decimal' | 'numeric' | 'email' | 'tel' | undefined
  /** The id of a `datalist`. */
  readonly list?: string | undefined
  readonly small?: boolean
}

export function Input({ small, class: className, change, type = 'text', ...attributes }: InputProps) {
  return (
    <input
      autocomplete="off"
      {...attributes}
      {...({ type } as { readonly type: 'text' })}
      {...(type === 'date' && { max: '9999-12-31' })}
      class={classNames(styles.input, small && styles.small, className)}
      onInput={({ currentTarget }) => change(currentTarget.value)}
    />
  )
}

interface TextareaProps extends ControlProps<HTMLTextAreaElement> {
  readonly rows: number
}

export function Textarea({ class: className, change, ...attributes }: TextareaProps) {
  return (
    <textarea
      {...attributes}
      class={classNames(styles.input, styles.textarea, className)}
      onInput={({ currentTarget }) => change(currentTarget.value)}
    />
  )
}

interface SelectProps extends Omit<ControlProps<HTMLSelectElement>, 'placeholder' | 'maxLength' | 'value'> {
  readonly value: string | undefined
  readonly children: ComponentChildren
  readonly small?: boolean
}

export function Select({ small, class: className, change, ...attributes }: SelectProps) {
  return (
    <select
      {...attributes}
      class={classNames(styles.input, styles.select, small && styles.small, className)}
      onChange={({ currentTarget }) => change(currentTarget.value)}
    />
  )
}

export function Joined({ children }: { readonly children: ComponentChildren }) {
  return <span class={styles.joined}>{children}</span>
}

interface CheckProps {
  readonly label: string
  readonly checked: boolean
  readonly change: (isChecked: boolean, withShift: boolean) => void
  readonly round?: boolean
  readonly disabled?: boolean
  /** Why it cannot be changed. It can have the focus, and a press says the reason. */
  readonly disabledReason?: string | undefined
  /** Neither checked nor not: some of many are. */
  readonly indeterminate?: boolean
  readonly tabIndex?: number
}

/** A checkbox whose label is not on the page, or stands in the text beside it. */
export function Check({ label, round, change, disabledReason, ...attributes }: CheckProps) {
  const { checked, indeterminate = false } = attributes
  const input = useRef<HTMLInputElement>(null)
  const withShift = useRef(false)
  // A press changes both in the document, whether or not they change here.
  useLayoutEffect(() => {
    if (input.current) Object.assign(input.current, { checked, indeterminate })
  })
  return (
    <span class={classNames(styles.check, round && styles.round)}>
      <input
        type="checkbox"
        aria-label={label}
        {...attributes}
        ref={input}
        {...(disabledReason !== undefined && { 'aria-disabled': true, title: disabledReason })}
        onClick={(event) => {
          withShift.current = event.shiftKey
          if (disabledReason === undefined) return
          event.preventDefault()
          showReason(disabledReason)
        }}
        onChange={({ currentTarget }) => change(currentTarget.checked, withShift.current)}
      />
      <Icon name={indeterminate ? 'minus' : 'check'} />
    </span>
  )
}

export { styles as fieldStyles }
