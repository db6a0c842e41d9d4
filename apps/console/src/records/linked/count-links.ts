import type { CrmClient } from '@sales-crm/client'
import type { CreatableKind } from '../kinds.ts'

/** The kinds of records that are linked with a person, a company or a deal. */
export const LINKED_KINDS = ['people', 'deals', 'tasks'] as const

type LinkedKind = (typeof LINKED_KINDS)[number]

/** The filter of a list by a record of a kind, and the lists that have it. */
const LINKS: Readonly<
  Partial<Record<CreatableKind, readonly [filter: string, kinds: readonly LinkedKind[]]>>
> = {
  people: ['person_id', ['deals', 'tasks']],
  companies: ['company_id', ['people', 'deals', 'tasks']],
  deals: ['deal_id', ['tasks']],
}

/** Counts the records that are linked with a record, by kind. */
export async function countLinks(
  crm: CrmClient,
  kind: CreatableKind,
  id: string,
  signal: AbortSignal,
): Promise<Partial<Record<LinkedKind, number>>> {
  const [filter, kinds] = LINKS[kind] ?? ['', []]
  const count = async (linked: LinkedKind) => {
    const { meta } = await crm[linked].list({ [filter]: id, per_page: 1 }, { signal })
    return [linked, meta.total] as const
  }
  return Object.fromEntries(await Promise.all(kinds.map(count)))
}
