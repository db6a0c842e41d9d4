import { useConsole } from '../app/console-context.ts'
import { useViewParams } from '../app/use-view-params.ts'
import { FilterMenu } from '../ui/filter-menu.tsx'
import { useMenu } from './queries.ts'

export function TagFilter() {
  const { texts } = useConsole()
  const { params, set } = useViewParams()
  const tags = useMenu('tags')
  const { tag, anyTag } = texts.deals.filters
  return (
    <FilterMenu
      label={tag}
      value={params.get('tag') ?? undefined}
      anyLabel={anyTag}
      options={(tags.data ?? []).map(({ key, name, color }) => ({ value: key, label: name, colour: color }))}
      choose={(value) => set({ tag: value })}
    />
  )
}
