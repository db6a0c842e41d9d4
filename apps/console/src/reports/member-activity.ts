import type { MemberListItem } from '@sales-crm/client'

export interface MemberActivity {
  /** Null for what has no owner. */
  readonly id: string | null
  /** The name; of a former member the e-mail address. */
  readonly name: string
  readonly activities: number
  readonly tasks: number
}

type Groups = readonly {
  readonly key: string | boolean | null
  readonly name: string | null
  readonly count: number
}[]

/** Joins what each member recorded and completed, the most active first. What nobody owns is last. */
export function joinActivity(
  activities: Groups,
  tasks: Groups,
  members: readonly Pick<MemberListItem, 'id' | 'name'>[],
): readonly MemberActivity[] {
  const names = new Map(members.map(({ id, name }) => [id, name]))
  const groups = new Map([...activities, ...tasks].map((group) => [group.key, group]))
  const countOf = (all: Groups, key: Groups[number]['key']) => all.find((group) => group.key === key)?.count
  const rows = [...groups.values()].map(({ key, name }): MemberActivity => {
    const id = key === null ? null : String(key)
    return {
      id,
      name: names.get(id ?? '') ?? name ?? id ?? '',
      activities: countOf(activities, key) ?? 0,
      tasks: countOf(tasks, key) ?? 0,
    }
  })
  return rows.toSorted((a, b) => Number(a.id === null) - Number(b.id === null) || total(b) - total(a))
}

export function total({ activities, tasks }: Pick<MemberActivity, 'activities' | 'tasks'>): number {
  return activities + tasks
}

/** Splits the rows that are shown by themselves from the sum of the others, if these are several. */
export function splitOthers(
  rows: readonly MemberActivity[],
  max: number,
): { readonly shown: readonly MemberActivity[]; readonly others: readonly MemberActivity[] } {
  if (rows.length <= max + 1) return { shown: rows, others: [] }
  return { shown: rows.slice(0, max), others: rows.slice(max) }
}
