import { useConsole } from '../app/console-context.ts'
import { useViewParams } from '../app/use-view-params.ts'
import { addMonths, listMonths } from '../format/calendar.ts'
import { OwnerFilter } from '../reference/owner-filter.tsx'
import { TagFilter } from '../reference/tag-filter.tsx'
import { FilterMenu } from '../ui/filter-menu.tsx'
import { SearchField } from '../ui/search-field.tsx'

const MONTHS = 12

/** Owner, tag, forecast month and search of the shown deals. */
export function DealFilters() {
  const { texts, dates, calendar } = useConsole()
  const { params, set } = useViewParams()
  const { filters } = texts.deals
  const present = calendar.monthOf(new Date())
  const nextMonths = listMonths(present, addMonths(present, MONTHS - 1))
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
        options={nextMonths.map((month) => ({ value: month, label: dates.month(month) }))}
        choose={(month) => set({ month })}
      />
    </>
  )
}
