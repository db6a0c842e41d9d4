import { useRef } from 'preact/hooks'
import { useConsole } from '../../app/console-context.ts'
import { useViewParams } from '../../app/use-view-params.ts'
import { useKeys } from '../../keyboard/use-keys.ts'
import type { CreatableKind } from '../../records/kinds.ts'
import { FilterMenu } from '../../ui/filter-menu.tsx'
import { GROUPINGS } from './grouping.ts'
import { useGroupTexts } from './texts.ts'
import { useGrouping } from './use-groups.ts'

/** Chooses what the rows of a table are grouped by. The address keeps the choice. */
export function GroupMenu({ kind }: { readonly kind: CreatableKind }) {
  const { texts } = useConsole()
  const groupTexts = useGroupTexts()
  const { set } = useViewParams()
  const element = useRef<HTMLSpanElement>(null)
  useKeys({ 'Shift+G': () => element.current?.querySelector('button')?.click() })
  return (
    <span ref={element}>
      <FilterMenu
        label={groupTexts.groupBy}
        value={useGrouping(kind)?.name}
        anyLabel={groupTexts.none}
        options={GROUPINGS[kind].map(({ name, label, isMonth }) => ({
          value: name,
          label: isMonth ? groupTexts.byMonth(texts.labels[label]) : texts.labels[label],
        }))}
        choose={(group) => set({ group })}
      />
    </span>
  )
}
