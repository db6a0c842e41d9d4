import type { Currency } from '@sales-crm/client'
import { CURRENCIES } from '@sales-crm/core/browser'
import type { ComponentChildren } from 'preact'
import { useConsole } from '../app/console-context.ts'
import { DayInput } from '../dates/day-input.tsx'
import { formatMoney } from '../format/money.ts'
import { Field, Input, Joined, Select } from '../ui/field.tsx'

interface TextFieldProps {
  readonly label: string
  readonly value: string
  /** @param time of day that was typed after a day */
  readonly change: (value: string, time?: string) => void
  readonly error?: string | undefined
  readonly type?: 'text' | 'email' | 'tel' | 'date' | 'time'
  readonly placeholder?: string | undefined
  readonly autoFocus?: boolean
}

/** A labelled input of one line. */
export function TextField({ label, error, type = 'text', placeholder, ...input }: TextFieldProps) {
  return (
    <Field label={label} error={error}>
      {(ids) =>
        type === 'date' ? (
          <DayInput {...ids} {...input} />
        ) : (
          <Input {...ids} {...input} type={type} placeholder={placeholder} />
        )
      }
    </Field>
  )
}

interface TimeFieldProps {
  readonly value: string
  readonly change: (value: string) => void
  readonly onBlur?: () => void
}

/** A time of day in the workspace. Names its time zone to somebody whose clock shows another one. */
export function TimeField({ change, ...input }: TimeFieldProps) {
  const { texts, calendar } = useConsole()
  const place = calendar.timeZone.split('/').at(-1)?.replaceAll('_', ' ') ?? ''
  return (
    <Field
      label={texts.labels.time}
      hint={calendar.differsAt(new Date()) ? texts.create.timeIn(place) : undefined}
    >
      {(ids) => <Input {...ids} {...input} type="time" change={change} />}
    </Field>
  )
}

interface MoneyFieldProps {
  readonly label: string
  readonly currency: Currency
  readonly amount: string
  readonly change: (changes: { readonly currency?: Currency; readonly amount?: string }) => void
  readonly error: string | undefined
  readonly hint?: ComponentChildren
}

/** An amount as it is typed, and its currency. */
export function MoneyField({ label, currency, amount, change, error, hint }: MoneyFieldProps) {
  const { texts, workspace } = useConsole()
  return (
    <Field label={label} error={error} hint={hint}>
      {(ids) => (
        <Joined>
          <Select
            aria-label={texts.labels.currency}
            value={currency}
            change={(value) => change({ currency: value as Currency })}
          >
            {CURRENCIES.map((each) => (
              <option key={each}>{each}</option>
            ))}
          </Select>
          <Input
            {...ids}
            inputMode="decimal"
            placeholder={formatMoney({ amount: 0, currency }, workspace.locale)}
            value={amount}
            change={(value) => change({ amount: value })}
          />
        </Joined>
      )}
    </Field>
  )
}
