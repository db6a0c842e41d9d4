import { useConsole } from '../app/console-context.ts'
import { useViewParams } from '../app/use-view-params.ts'
import { OwnerFilter } from '../reference/owner-filter.tsx'
import { useMenu } from '../reference/queries.ts'
import { TagFilter } from '../reference/tag-filter.tsx'
import { FilterMenu } from '../ui/filter-menu.tsx'
import { SearchField } from '../ui/search-field.tsx'

/** Search, owner, tag and list of a table of people or companies. */
export function ListFilters({ searchLabel }: { readonly searchLabel: string }) {
  const { texts } = useConsole()
  const { params, set } = useViewParams()
  const lists = useMenu('lists')
  return (
    <>
      <SearchField
        label={searchLabel}
        value={params.get('search') ?? ''}
        change={(search) => set({ search })}
      />
      <OwnerFilter />
      <TagFilter />
      <FilterMenu
        label={texts.tables.list}
        value={params.get('list') ?? undefined}
        anyLabel={texts.tables.anyList}
        options={(lists.data ?? []).map(({ id, name }) => ({ value: id, label: name }))}
        choose={(list) => set({ list })}
      />
    </>
  )
}
