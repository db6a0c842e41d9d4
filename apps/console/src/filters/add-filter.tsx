import type { FilterCondition } from '@sales-crm/client'
import { useMemo, useState } from 'preact/hooks'
import { useConsole } from '../app/console-context.ts'
import { findMatch } from '../format/find-match.ts'
import { type Choice, Combobox } from '../ui/combobox.tsx'
import type { ConditionWriter } from './describe-condition.ts'
import styles from './filter-bar.module.css'
import { type FilterField, listOperators } from './filter-field.ts'
import { createReadValue } from './read-value.ts'
import { suggestConditions } from './suggest-conditions.ts'
import { useFilterTexts } from './texts.ts'

interface AddFilterProps {
  readonly fields: readonly FilterField[]
  readonly writer: ConditionWriter
  readonly add: (condition: FilterCondition) => void
  /** Takes a field whose comparison is then asked for. */
  readonly choose: (field: FilterField) => void
}

const FIELD = 'field '

/** One line that takes a field, or a whole comparison in a short form. */
export function AddFilter({ fields, writer, add, choose }: AddFilterProps) {
  const console = useConsole()
  const texts = useFilterTexts()
  const [typed, setTyped] = useState('')
  const [round, setRound] = useState(0)
  const choices = useMemo((): readonly Choice[] => {
    const conditions = suggestConditions(typed, fields, texts, createReadValue(console, texts))
    const found = fields.filter(({ label }) => typed.trim() === '' || findMatch(label, firstWord(typed)))
    return [
      ...conditions.map((condition) => ({
        value: JSON.stringify(condition),
        label: writer.write(condition),
        icon: 'plus' as const,
      })),
      ...found.map((field) => ({
        value: `${FIELD}${field.name}`,
        label: field.label,
        after: listOperators(field)
          .slice(0, 3)
          .map((operator) => texts.operators[operator])
          .join(', '),
      })),
    ]
  }, [typed, fields, texts, writer, console])

  function take(choice: Choice | null): void {
    if (!choice) return
    setTyped('')
    setRound(round + 1)
    const field = fields.find(({ name }) => choice.value === `${FIELD}${name}`)
    if (field) choose(field)
    else add(JSON.parse(choice.value) as FilterCondition)
  }

  return (
    <span class={styles.add} data-filter-add>
      <Combobox
        key={round}
        ids={{ 'aria-label': texts.find }}
        choices={choices}
        chosen={null}
        choose={take}
        search={setTyped}
        placeholder={`+ ${texts.add}`}
        noneText={texts.none(typed)}
        clearLabel={console.texts.actions.clear}
        small
      />
    </span>
  )
}

function firstWord(typed: string): string {
  return typed.trim().split(/\s+/)[0] ?? ''
}
