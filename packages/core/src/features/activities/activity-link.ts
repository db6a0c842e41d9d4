import type { PartLoader } from '../../engine/build-views.ts'
import type { DeriveInput } from '../../engine/resource.ts'
import { collectIds, getOrNull, loadViews } from '../../engine/views.ts'
import type { WorkspaceTransaction } from '../../engine/workspace-transaction.ts'
import { notFoundRule } from '../../kernel/errors.ts'
import type { Condition } from '../../ports/index.ts'
import type { Activity, Entity } from '../../schema/activity.ts'

/** The record that an activity is about. Both are null without one, and if it was deleted. */
export interface LinkView {
  readonly entity: Entity | null
  readonly entity_id: string | null
}

const LINKS = {
  people: { column: 'person_id', label: 'Person' },
  companies: { column: 'company_id', label: 'Company' },
  deals: { column: 'deal_id', label: 'Deal' },
} as const satisfies Record<Entity, { column: keyof Activity; label: string }>

const NO_LINK_COLUMNS = { person_id: null, company_id: null, deal_id: null }
const NO_LINK: LinkView = { entity: null, entity_id: null }

/** Derives the link columns. A new link replaces the previous one. */
export async function deriveLink(
  { fields }: Pick<DeriveInput<Activity>, 'fields'>,
  { stores }: WorkspaceTransaction,
  errors: Map<string, string>,
): Promise<DeriveInput<Activity>['fields']> {
  const { entity, entity_id, ...otherFields } = fields as typeof fields & Partial<LinkView>
  if (entity === undefined) return otherFields
  if (entity === null || entity_id == null) return { ...otherFields, ...NO_LINK_COLUMNS }
  const { column, label } = LINKS[entity]
  if (!(await stores[entity].get(entity_id))) errors.set('entity_id', notFoundRule(label))
  return { ...otherFields, ...NO_LINK_COLUMNS, [column]: entity_id }
}

export function whereLinkedTo(entity: Entity, id: string): Condition<Activity> {
  return { field: LINKS[entity].column, is: id }
}

const linksByPage = new WeakMap<readonly Activity[], Promise<(activity: Activity) => LinkView>>()

/** Loads a field of the links of a page of activities. The two fields share the reads. */
export function linkLoader(field: keyof LinkView): PartLoader<Activity> {
  return async (page, transaction) => {
    const links = linksByPage.get(page) ?? loadLinks(page, transaction)
    linksByPage.set(page, links)
    const linkOf = await links
    return (activity) => linkOf(activity)[field]
  }
}

/** A link to a deleted record is null. */
async function loadLinks(
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
