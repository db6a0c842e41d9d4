import { isAdmin, useConsole } from '../app/console-context.ts'
import { useViewParams } from '../app/use-view-params.ts'
import { FilterMenu } from '../ui/filter-menu.tsx'
import { ME, teamValue } from './owner-query.ts'
import { useMenu } from './queries.ts'

/** Filters by the owner: mine, those of a team, or those of another member. */
export function OwnerFilter() {
  const { me, texts } = useConsole()
  const { params, set } = useViewParams()
  const members = useMenu('members')
  const teams = useTeamOptions()
  const { owner, everybody, mine } = texts.deals.filters
  const others = (members.data ?? []).filter(({ id }) => id !== me.id)
  return (
    <FilterMenu
      label={owner}
      value={params.get('owner') ?? undefined}
      anyLabel={everybody}
      options={[
        { value: ME, label: mine },
        ...teams,
        ...others.map(({ email, name }) => ({ value: email, label: name })),
      ]}
      choose={(value) => set({ owner: value })}
    />
  )
}

/** The teams of the member, and for owners and admins all. */
function useTeamOptions() {
  const { me, texts } = useConsole()
  const teams = useMenu('teams').data ?? []
  const isOwn = ({ members }: (typeof teams)[number]) => members.some(({ id }) => id === me.id)
  const own = teams.filter(isOwn)
  const others = isAdmin(me) ? teams.filter((team) => !isOwn(team)) : []
  const { myTeam } = texts.deals.filters
  return [...own, ...others].map(({ id, name }) => ({
    value: teamValue(id),
    label: own.length === 1 && own[0]?.id === id ? myTeam : name,
  }))
}
