import { useMemo, useState } from 'preact/hooks'
import { useConsole } from '../app/console-context.ts'
import { useViewParams } from '../app/use-view-params.ts'
import type { CreatableKind } from '../records/kinds.ts'
import { AddFilter } from './add-filter.tsx'
import { ConditionChip, NestedChip, NewCondition } from './condition-chip.tsx'
import { ConditionWriter } from './describe-condition.ts'
import { type Filter, formatFilter, isCondition, parseFilter } from './filter.ts'
import styles from './filter-bar.module.css'
import type { FilterField } from './filter-field.ts'
import { useFilterTexts } from './texts.ts'
import { useFilterFields } from './use-filter-fields.ts'

/** The comparisons of the fields of a kind, which the address holds, and the way to add one. */
export function FilterBar({ kind }: { readonly kind: CreatableKind }) {
  const console = useConsole()
  const texts = useFilterTexts()
  const fields = useFilterFields(kind)
  const { params, set } = useViewParams()
  const [chosen, setChosen] = useState<FilterField>()
  const writer = useMemo(() => new ConditionWriter(fields, texts, console), [fields, texts, console])
  const filter = parseFilter(params.get('filter') ?? undefined)
  const { parts } = filter
  const change = (next: Partial<Filter>) => set({ filter: formatFilter({ ...filter, ...next }) })
  return (
    <>
      {parts.length > 1 && <JoinSwitch filter={filter} change={change} />}
      {parts.map((part, index) => {
        const remove = () => change({ parts: parts.toSpliced(index, 1) })
        const key = `${index} ${JSON.stringify(part)}`
        if (!isCondition(part)) return <NestedChip key={key} tree={part} writer={writer} remove={remove} />
        return (
          <ConditionChip
            key={key}
            field={fields.find(({ name }) => name === part.field)}
            condition={part}
            writer={writer}
            change={(next) => change({ parts: parts.toSpliced(index, 1, next) })}
            remove={remove}
          />
        )
      })}
      {chosen && (
        <NewCondition
          field={chosen}
          save={(condition) => {
            setChosen(undefined)
            change({ parts: [...parts, condition] })
          }}
          cancel={() => setChosen(undefined)}
        />
      )}
      <AddFilter
        fields={fields}
        writer={writer}
        add={(condition) => change({ parts: [...parts, condition] })}
        choose={setChosen}
      />
    </>
  )
}

interface JoinSwitchProps {
  readonly filter: Filter
  readonly change: (next: Partial<Filter>) => void
}

/** Whether all or any of the comparisons must hold. */
function JoinSwitch({ filter, change }: JoinSwitchProps) {
  const texts = useFilterTexts()
  const join = filter.join === 'and' ? 'or' : 'and'
  return (
    <button
      type="button"
      class={styles.join}
      title={texts.switchTo(join === 'and' ? texts.all : texts.any)}
      onClick={() => change({ join })}
    >
      {filter.join === 'and' ? texts.all : texts.any}
    </button>
  )
}
