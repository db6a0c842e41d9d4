import { useConsole } from '../app/console-context.ts'
import { useViewParams } from '../app/use-view-params.ts'
import { FilterMenu } from '../ui/filter-menu.tsx'
import { useMenu } from './queries.ts'

const ME = 'me'

/** Filters by the owner. The address says `me` for whoever opens it. */
export function OwnerFilter() {
  const { me, texts } = useConsole()
  const { params, set } = useViewParams()
  const members = useMenu('members')
  const { owner, everybody, mine } = texts.deals.filters
  const others = (members.data ?? []).filter(({ id }) => id !== me.id)
  return (
    <FilterMenu
      label={owner}
      value={params.get('owner') ?? undefined}
      anyLabel={everybody}
      options={[
        { value: ME, label: mine },
        ...others.map(({ email, name }) => ({ value: email, label: name })),
      ]}
      choose={(value) => set({ owner: value })}
    />
  )
}

/** The owner that the address names; undefined for all. */
export function useOwnerEmail(): string | undefined {
  const { me } = useConsole()
  const { params } = useViewParams()
  const owner = params.get('owner') || undefined
  return owner === ME ? me.email : owner
}
