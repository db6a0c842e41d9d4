import { useConsole } from '../app/console-context.ts'
import { useViewParams } from '../app/use-view-params.ts'
import { useMembers } from '../reference/use-members.ts'
import { useTags } from '../reference/use-tags.ts'
import { FilterMenu } from '../ui/filter-menu.tsx'
import { SearchField } from '../ui/search-field.tsx'

const MONTHS = 12

/** Owner, tag, forecast month and search of the shown deals. */
export function DealFilters() {
  const { texts, me, dates } = useConsole()
  const { params, set } = useViewParams()
  const members = useMembers()
  const tags = useTags()
  const { filters } = texts.deals
  const others = (members.data ?? []).filter(({ id }) => id !== me.id)
  return (
    <>
      <SearchField
        label={filters.search}
        value={params.get('search') ?? ''}
        change={(search) => set({ search })}
      />
      <FilterMenu
        label={filters.owner}
        value={params.get('owner') ?? undefined}
        anyLabel={filters.everybody}
        options={[
          { value: 'me', label: filters.mine },
          ...others.map(({ name, email }) => ({ value: email, label: name })),
        ]}
        choose={(owner) => set({ owner })}
      />
      <FilterMenu
        label={filters.tag}
        value={params.get('tag') ?? undefined}
        anyLabel={filters.anyTag}
        options={(tags.data ?? []).map(({ key, name, color }) => ({
          value: key,
          label: name,
          colour: color,
        }))}
        choose={(tag) => set({ tag })}
      />
      <FilterMenu
        label={filters.forecast}
        value={params.get('month') ?? undefined}
        anyLabel={filters.anyMonth}
        options={nextMonths(new Date()).map((month) => ({
          value: monthKey(month),
          label: dates.month(month),
        }))}
        choose={(month) => set({ month })}
      />
    </>
  )
}

function nextMonths(now: Date): readonly Date[] {
  return Array.from({ length: MONTHS }, (_, index) => new Date(now.getFullYear(), now.getMonth() + index, 1))
}

function monthKey(month: Date): string {
  return `${month.getFullYear()}-${String(month.getMonth() + 1).padStart(2, '0')}`
}
