import { useConsole } from '../app/console-context.ts'
import { useViewParams } from '../app/use-view-params.ts'
import { useLists } from '../reference/use-lists.ts'
import { useMembers } from '../reference/use-members.ts'
import { useTags } from '../reference/use-tags.ts'
import { FilterMenu } from '../ui/filter-menu.tsx'
import { SearchField } from '../ui/search-field.tsx'

/** Search, owner, tag and list of a table of people or companies. */
export function ListFilters({ searchLabel }: { readonly searchLabel: string }) {
  const { me, texts } = useConsole()
  const { params, set } = useViewParams()
  const members = useMembers()
  const tags = useTags()
  const lists = useLists()
  const { filters } = texts.deals
  return (
    <>
      <SearchField
        label={searchLabel}
        value={params.get('search') ?? ''}
        change={(search) => set({ search })}
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
        label={texts.tables.list}
        value={params.get('list') ?? undefined}
        anyLabel={texts.tables.anyList}
        options={(lists.data ?? []).map(({ id, name }) => ({ value: id, label: name }))}
        choose={(list) => set({ list })}
      />
    </>
  )
}
