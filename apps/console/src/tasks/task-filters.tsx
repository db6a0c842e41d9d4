import { useConsole } from '../app/console-context.ts'
import { useViewParams } from '../app/use-view-params.ts'
import { OwnerFilter } from '../reference/owner-filter.tsx'
import { FilterMenu } from '../ui/filter-menu.tsx'
import { SearchField } from '../ui/search-field.tsx'
import { DUE_FILTERS } from './due-range.ts'

/** Search, status, due date and owner of the shown tasks. */
export function TaskFilters() {
  const { texts } = useConsole()
  const { params, set } = useViewParams()
  const due = params.get('due') ?? 'dated'
  return (
    <>
      <SearchField
        label={texts.tables.search(texts.labels.tasks)}
        value={params.get('search') ?? ''}
        change={(search) => set({ search })}
      />
      <FilterMenu
        label={texts.labels.status}
        value={params.get('status') ?? undefined}
        anyLabel={texts.tasks.open}
        options={[
          { value: 'done', label: texts.tasks.done },
          { value: 'all', label: texts.tasks.all },
        ]}
        choose={(status) => set({ status })}
      />
      <FilterMenu
        label={texts.labels.due}
        value={due === 'any' ? undefined : due}
        anyLabel={texts.tasks.due.any}
        options={DUE_FILTERS.map((value) => ({ value, label: texts.tasks.due[value] }))}
        choose={(value) => set({ due: value === 'dated' ? undefined : (value ?? 'any') })}
      />
      <OwnerFilter />
    </>
  )
}
