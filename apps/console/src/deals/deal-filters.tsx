import { useConsole } from '../app/console-context.ts'
import { useViewParams } from '../app/use-view-params.ts'
import { OwnerFilter } from '../reference/owner-filter.tsx'
import { TagFilter } from '../reference/tag-filter.tsx'
import { FilterMenu } from '../ui/filter-menu.tsx'
import { SearchField } from '../ui/search-field.tsx'

const MONTHS = 12

/** Owner, tag, forecast month and search of the shown deals. */
export function DealFilters() {
  const { texts, dates } = useConsole()
  const { params, set } = useViewParams()
  const { filters } = texts.deals
  return (
    <>
      <SearchField
        label={filters.search}
        value={params.get('search') ?? ''}
        change={(search) => set({ search })}
      />
      <OwnerFilter />
      <TagFilter />
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
