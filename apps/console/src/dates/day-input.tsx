import type { Ref } from 'preact'
import { useRef, useState } from 'preact/hooks'
import { useConsole } from '../app/console-context.ts'
import { formatTypedDay, isDay, parseTypedDate } from '../format/typed-date.ts'
import { IconButton } from '../ui/button.tsx'
import { type FieldIds, Input } from '../ui/field.tsx'
import { useMedia } from '../ui/use-media.ts'
import styles from './day-input.module.css'

interface DayInputProps extends Partial<FieldIds> {
  /** `2026-12-31`, or what was typed and is no day. */
  readonly value: string
  /** @param time of day that was typed after the day */
  readonly change: (value: string, time?: string) => void
  readonly small?: boolean
  readonly autoFocus?: boolean
  readonly 'aria-label'?: string | undefined
  readonly onKeyDown?: (event: KeyboardEvent) => void
  readonly onBlur?: () => void
  readonly ref?: Ref<HTMLInputElement>
}

/**
 * A day as it is typed, `fri` or `+3`, with the day that is understood beside it. Devices without a mouse have their own
 * field for it.
 */
export function DayInput({ value, change, onBlur, ...input }: DayInputProps) {
  const { texts, workspace, calendar, dates } = useConsole()
  const isTouch = useMedia('(pointer: coarse)')
  const { locale } = workspace
  const [typed, setTyped] = useState<{ readonly text: string; readonly value: string }>()
  const picker = useRef<HTMLInputElement>(null)
  if (isTouch) return <Input {...input} type="date" value={value} change={change} onBlur={onBlur} />
  // What was typed stays while it means the value.
  const text = typed?.value === value ? typed.text : isDay(value) ? formatTypedDay(value, locale) : value

  function read(next: string): void {
    const found = parseTypedDate(next, { locale, today: calendar.dayOf(new Date()) })
    setTyped({ text: next, value: found?.day ?? next })
    change(found?.day ?? next, found?.time)
  }

  function leave(): void {
    setTyped(undefined)
    onBlur?.()
  }

  return (
    <span class={styles.day}>
      <Input
        {...input}
        value={text}
        placeholder={texts.create.dayExample}
        maxLength={40}
        change={read}
        onBlur={leave}
      />
      {isDay(value) && typed?.value === value && (
        <span class={styles.meaning} aria-live="polite">
          {dates.plainWeekday(value)}
        </span>
      )}
      <input
        ref={picker}
        class={styles.picker}
        type="date"
        tabIndex={-1}
        aria-hidden="true"
        value={isDay(value) ? value : ''}
        max="9999-12-31"
        onChange={({ currentTarget }) => change(currentTarget.value)}
      />
      <IconButton
        small
        icon="calendar"
        label={texts.create.chooseDay}
        tabIndex={-1}
        // A press must not take the focus from a field that is saved when it is left.
        onMouseDown={(event: MouseEvent) => event.preventDefault()}
        onClick={() => picker.current?.showPicker()}
      />
    </span>
  )
}
