import type { FilterCondition } from '@sales-crm/client'
import { useState } from 'preact/hooks'
import { useConsole } from '../app/console-context.ts'
import { DayInput } from '../dates/day-input.tsx'
import { editableNumber } from '../format/number.ts'
import { editableMoney } from '../format/typed-money.ts'
import { Button } from '../ui/button.tsx'
import { Check, Field, FieldError, Input, Select } from '../ui/field.tsx'
import styles from './filter-bar.module.css'
import {
  type FilterField,
  type FilterType,
  isChosen,
  listOperators,
  takesDays,
  takesNoValue,
  takesSeveral,
} from './filter-field.ts'
import { readCondition } from './read-condition.ts'
import { createReadValue, flagChoices } from './read-value.ts'
import { type FilterTexts, type Operator, useFilterTexts } from './texts.ts'

interface ConditionFormProps {
  readonly field: FilterField
  /** Undefined for a new one. */
  readonly condition: FilterCondition | undefined
  readonly save: (condition: FilterCondition) => void
}

/** How a field is compared, and with what. */
export function ConditionForm({ field, condition, save }: ConditionFormProps) {
  const console = useConsole()
  const texts = useFilterTexts()
  const [op, setOp] = useState<Operator>((condition?.op as Operator) ?? listOperators(field)[0]!)
  const [values, setValues] = useState<readonly string[]>(() => editableValues(field, condition, console))
  const [error, setError] = useState<string>()
  const isDays = takesDays(op)
  const set = (index: number, value: string) => setValues(values.toSpliced(index, 1, value))
  const changeOperator = (next: string) => {
    const wasDays = isDays
    setOp(next as Operator)
    setError(undefined)
    if (wasDays !== takesDays(next)) setValues([])
  }

  function submit(event: Event): void {
    event.preventDefault()
    const read = readCondition(field, op, values, createReadValue(console, texts))
    if (read) save(read)
    else setError(findError(field, op, texts))
  }

  return (
    <form class={styles.form} onSubmit={submit}>
      <strong>{field.label}</strong>
      <Select aria-label={texts.operator} value={op} change={changeOperator} autoFocus={!condition}>
        {listOperators(field).map((each) => (
          <option key={each} value={each}>
            {each === 'any_of' && field.type === 'options' ? texts.hasAny : texts.operators[each]}
          </option>
        ))}
      </Select>
      <ValueControls field={field} op={op} values={values} set={set} setAll={setValues} />
      {error && <FieldError>{error}</FieldError>}
      <Button look="main" type="submit">
        {texts.apply}
      </Button>
    </form>
  )
}

function findError({ type }: FilterField, op: Operator, texts: FilterTexts): string {
  if (takesDays(op)) return texts.wrongDays
  if (type === 'day') return texts.wrongDate
  if (type === 'phones') return texts.wrongPhone
  return type === 'number' || type === 'amount' ? texts.wrongNumber : texts.choose
}

const INPUT_MODES: Readonly<Partial<Record<FilterType, 'decimal' | 'email' | 'tel'>>> = {
  ...{ number: 'decimal', amount: 'decimal', emails: 'email', phones: 'tel' },
}

interface ValueControlsProps {
  readonly field: FilterField
  readonly op: Operator
  readonly values: readonly string[]
  readonly set: (index: number, value: string) => void
  readonly setAll: (values: readonly string[]) => void
}

function ValueControls({ field, op, values, set, setAll }: ValueControlsProps) {
  const texts = useFilterTexts()
  if (takesNoValue(op)) return null
  const choices = field.type === 'flag' && field.choices.length === 0 ? flagChoices(texts) : field.choices
  if (takesSeveral(op))
    return (
      <ul class={styles.checks} aria-label={texts.value}>
        {choices.map(({ value, label }) => (
          <li key={value}>
            {/* biome-ignore lint/a11y/noLabelWithoutControl: the checkbox is in the component. */}
            <label>
              <Check
                label={label}
                checked={values.includes(value)}
                change={(isOn) => setAll(isOn ? [...values, value] : values.filter((each) => each !== value))}
              />
              {label}
            </label>
          </li>
        ))}
      </ul>
    )
  if (isChosen(field))
    return (
      <Select aria-label={texts.value} value={values[0] ?? ''} change={(value) => set(0, value)}>
        {values[0] === undefined && <option value="" />}
        {choices.map(({ value, label }) => (
          <option key={value} value={value}>
            {label}
          </option>
        ))}
      </Select>
    )
  const isDays = takesDays(op)
  const isDay = field.type === 'day' && !isDays
  const inputMode = isDays ? 'numeric' : INPUT_MODES[field.type]
  const labels = isDays ? [texts.days] : op === 'between' ? [texts.from, texts.to] : [texts.value]
  return (
    <>
      {labels.map((label, index) => (
        <Field key={label} label={label}>
          {(ids) => {
            const control = {
              ...ids,
              value: values[index] ?? '',
              change: (value: string) => set(index, value),
            }
            return isDay ? (
              <DayInput {...control} />
            ) : (
              <Input {...control} inputMode={inputMode} maxLength={255} />
            )
          }}
        </Field>
      ))}
    </>
  )
}

/** The values of a comparison as they are edited. */
function editableValues(
  field: FilterField,
  condition: FilterCondition | undefined,
  { workspace, calendar }: Pick<ReturnType<typeof useConsole>, 'workspace' | 'calendar'>,
): readonly string[] {
  if (!condition || condition.value === undefined) return []
  const { op, value } = condition
  const values = Array.isArray(value) ? value : [value]
  return values.map((each) => {
    if (typeof each === 'number' && !takesDays(op))
      return field.type === 'amount'
        ? editableMoney({ amount: each, currency: workspace.currency }, workspace.locale)
        : editableNumber(each, workspace.locale)
    const days = { yesterday: -1, today: 0, tomorrow: 1 }
    if (field.type === 'day' && typeof each === 'string' && each in days)
      return calendar.dayOf(new Date(Date.now() + days[each as keyof typeof days] * 86_400_000))
    return String(each)
  })
}
