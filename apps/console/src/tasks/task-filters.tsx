import { useConsole } from '../app/console-context.ts'
import { useViewParams } from '../app/use-view-params.ts'
import { useMembers } from '../reference/use-members.ts'
import { FilterMenu } from '../ui/filter-menu.tsx'

/** Owner and status of the shown tasks. */
export function TaskFilters() {
  const { me, texts } = useConsole()
  const { params, set } = useViewParams()
  const members = useMembers()
  const { filters } = texts.deals
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
      <FilterMenu
        label={filters.owner}
        value={params.get('owner') ?? undefined}
        anyLabel={filters.everybody}
        options={[
          { value: 'me', label: filters.mine },
          ...(members.data ?? [])
            .filter(({ id }) => id !== me.id)
            .map(({ email, name }) => ({ value: email, label: name })),
        ]}
        choose={(owner) => set({ owner })}
      />
    </>
  )
}
