import * as v from 'valibot'
import type { DeriveInput } from '../../engine/resource.ts'
import { collectIds, getOrNull, loadViews } from '../../engine/views.ts'
import type { WorkspaceTransaction } from '../../engine/workspace-transaction.ts'
import type { Condition } from '../../ports/index.ts'
import type { Activity } from '../../schema/activity.ts'

/** What an activity can be linked to, in the words of the wire. */
export const ENTITIES = ['people', 'companies', 'deals'] as const

export type Entity = (typeof ENTITIES)[number]

export interface LinkView {
  readonly entity: Entity | null
  readonly entity_id: string | null
}

const LINKS = {
  people: { column: 'person_id', label: 'Person' },
  companies: { column: 'company_id', label: 'Company' },
  deals: { column: 'deal_id', label: 'Deal' },
} as const satisfies Record<Entity, { column: keyof Activity; label: string }>

const UNLINKED = { person_id: null, company_id: null, deal_id: null }
const NO_LINK: LinkView = { entity: null, entity_id: null }

/** A body that names a link by both its parts or not at all. `weigh` tells how much a part says: the one that says less is at fault. */
export function checkLinkFields<S extends v.GenericSchema>(schema: S, weightOf: (value: unknown) => number) {
  return v.pipe(
    schema,
    v.rawCheck(({ dataset, addIssue }) => {
      const link: Readonly<Record<string, unknown>> = Object(dataset.value)
      const [entity, id] = [weightOf(link['entity']), weightOf(link['entity_id'])]
      if (entity === id) return
      const [key, missing] = entity < id ? ['entity', 'entity_id'] : ['entity_id', 'entity']
      const path = [{ type: 'object', origin: 'value', input: link, key, value: link[key] }] as const
      addIssue({ message: `Required together with ${missing}.`, path: [...path] })
    }),
  )
}

/** In a create, null says no more than nothing. */
export function createWeight(value: unknown): number {
  return value == null ? 0 : 1
}

/** In an update, null says that the link goes. */
export function updateWeight(value: unknown): number {
  return value === undefined ? 0 : 1 + createWeight(value)
}

/** The link as the record keeps it: another takes the place of the one before. */
export async function deriveLink(
  { fields }: Pick<DeriveInput<Activity>, 'fields'>,
  { stores }: WorkspaceTransaction,
  errors: Map<string, string>,
): Promise<DeriveInput<Activity>['fields']> {
  const { entity, entity_id, ...own } = fields as typeof fields & Partial<LinkView>
  if (entity === undefined) return own
  if (entity === null || entity_id == null) return { ...own, ...UNLINKED }
  const { column, label } = LINKS[entity]
  if (!(await stores[entity].get(entity_id))) errors.set('entity_id', `${label} not found.`)
  return { ...own, ...UNLINKED, [column]: entity_id }
}

export function whereLinkedTo(entity: Entity, id: string): Condition<Activity> {
  return { field: LINKS[entity].column, is: id }
}

/** How each activity of a page names its link. One whose record is deleted has none. */
export async function loadLinks(
  page: readonly Activity[],
  { stores }: WorkspaceTransaction,
): Promise<(activity: Activity) => LinkView> {
  const [people, companies, deals] = await Promise.all([
    loadViews(stores.people, collectIds(page, 'person_id'), toLinkView('people')),
    loadViews(stores.companies, collectIds(page, 'company_id'), toLinkView('companies')),
    loadViews(stores.deals, collectIds(page, 'deal_id'), toLinkView('deals')),
  ])
  return ({ person_id, company_id, deal_id }) =>
    getOrNull(people, person_id) ?? getOrNull(companies, company_id) ?? getOrNull(deals, deal_id) ?? NO_LINK
}

function toLinkView(entity: Entity): (record: { readonly id: string }) => LinkView {
  return ({ id }) => ({ entity, entity_id: id })
}
