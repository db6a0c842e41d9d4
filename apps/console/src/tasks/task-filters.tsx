import { useConsole } from '../app/console-context.ts'
import { useViewParams } from '../app/use-view-params.ts'
import { OwnerFilter } from '../reference/owner-filter.tsx'
import { FilterMenu } from '../ui/filter-menu.tsx'

/** Owner and status of the shown tasks. */
export function TaskFilters() {
  const { texts } = useConsole()
  const { params, set } = useViewParams()
  return (
    <>
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
      <OwnerFilter />
    </>
  )
}
