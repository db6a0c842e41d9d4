import { idFilter, ownerFilter, sinceFilter } from '../../engine/list-query.ts'
import { loadOwners, type Owner } from '../../engine/owner.ts'
import { OWNER_REFERENCES, referenceTo } from '../../engine/references.ts'
import { defineResource, lifecycleEvents, noDerivedFields } from '../../engine/resource.ts'
import { collectIds, getOrNull, loadViews } from '../../engine/views.ts'
import type { WorkspaceTransaction } from '../../engine/workspace-transaction.ts'
import { httpsUrl, integer, knownEmail, uuid } from '../../kernel/field-schemas.ts'
import { changeable, clearable, object, optional, resettable } from '../../kernel/object-schemas.ts'
import { singleLineText, singleLineTextOrNull } from '../../kernel/text-schemas.ts'
import { type AssociationFields, NO_ASSOCIATIONS } from '../../schema/associations.ts'
import type { Person } from '../../schema/person.ts'
import {
  type AssociatedDetail,
  type AssociatedItem,
  loadAssociatedDetails,
  loadAssociatedItems,
} from '../associations/association-views.ts'
import {
  associationCreateFields,
  associationUpdateFields,
  DETAIL_ONLY_COLUMNS,
  dealsCreateField,
  dealsUpdateField,
} from '../associations/associations.ts'
import { buildSearchTerms } from '../associations/build-search-terms.ts'
import { searchFilters } from '../associations/search-filters.ts'
import { type CompanySummary, loadCompanySummaries } from '../companies/company.ts'
import { emails, extractContactTerms, phones } from '../contacts/contact-fields.ts'

const fullName = singleLineText(1, 70)
const score = integer(0, 100)
const nullableFields = {
  position: singleLineTextOrNull(120),
  avatar_url: httpsUrl,
  company_id: uuid,
  owner_user_id: uuid,
  owner_email: knownEmail,
}

/** A person as deals and tasks embed it. */
export interface PersonSummary
  extends Pick<
    Person,
    'id' | 'full_name' | 'emails' | 'phones' | 'score' | 'position' | 'created_at' | 'updated_at'
  > {}

/** A person as `crm.people.list` returns it. */
export interface PersonItem
  extends Omit<Person, 'company_id' | 'owner_user_id' | keyof AssociationFields>,
    AssociatedItem {
  /** Null for nobody and for a removed member. */
  readonly owner: Owner | null
}

/** A person as `crm.people.get`, `create` and `update` return it, with tags, lists and company. */
export interface PersonDetail extends PersonItem, AssociatedDetail {
  /** Null without a company, and if it was deleted. */
  readonly company: CompanySummary | null
}

export const personEvents = lifecycleEvents('person.created', 'person.updated', 'person.deleted')

/**
 * The definition of people: the schemas of `PersonInput` (`create`) and `PersonChanges` (`update`), and the
 * filters, orders and scopes.
 */
export const people = defineResource<Person>()({
  label: 'Person',
  scopes: { read: 'people:read', write: 'people:write' },
  collection: 'people',
  orderBy: ['created_at', 'updated_at', 'full_name'],
  filters: {
    ...searchFilters<Person>(),
    owner_email: ownerFilter<Person>('owner_user_id'),
    company_id: idFilter<Person>('company_id', 'companies'),
    updated_after: sinceFilter<Person>('updated_at'),
  },
  create: object({
    full_name: fullName,
    ...optional({ emails, phones, score, ...nullableFields }),
    ...associationCreateFields,
    ...dealsCreateField,
  }),
  update: object({
    ...changeable({ full_name: fullName }),
    emails: resettable(emails, []),
    phones: resettable(phones, []),
    score: resettable(score, 0),
    ...clearable(nullableFields),
    ...associationUpdateFields,
    ...dealsUpdateField,
  }),
  references: { ...OWNER_REFERENCES, company_id: referenceTo('company_id', 'companies', 'Company') },
  codePrefix: 'P',
  defaults: {
    entity_id: '',
    full_name: '',
    emails: [],
    phones: [],
    position: null,
    score: 0,
    avatar_url: null,
    company_id: null,
    owner_user_id: null,
    ...NO_ASSOCIATIONS,
  },
  searchTerms: (person) => buildSearchTerms(extractContactTerms(person), person),
  deriveFields: noDerivedFields,
  events: personEvents,
  omitFromLists: [...DETAIL_ONLY_COLUMNS, 'company_id'],
  listView: buildPersonItems,
  detailView: buildPersonDetails,
  snapshot: buildPersonSnapshot,
})

/** The detail of the person with the addresses under their positions. */
function buildPersonSnapshot(person: PersonDetail): object {
  return {
    person: {
      ...person,
      email: Object.fromEntries(person.emails.map(({ email }, position) => [position, email])),
    },
  }
}

export function loadPersonSummaries(
  ids: readonly string[],
  { stores }: WorkspaceTransaction,
): Promise<ReadonlyMap<string, PersonSummary>> {
  return loadViews(
    stores.people,
    ids,
    ({ id, full_name, emails, phones, score, position, created_at, updated_at }) => {
      return { id, full_name, emails, phones, score, position, created_at, updated_at }
    },
  )
}

async function buildPersonItems(page: readonly Person[], unit: WorkspaceTransaction): Promise<PersonItem[]> {
  const [owners, associations] = await Promise.all([
    loadOwners(page, unit),
    loadAssociatedItems(page, 'people', unit),
  ])
  return page.map((person) => ({ ...pickOwnFields(person, owners), ...associations(person) }))
}

async function buildPersonDetails(
  page: readonly Person[],
  unit: WorkspaceTransaction,
): Promise<PersonDetail[]> {
  const [owners, companies, associations] = await Promise.all([
    loadOwners(page, unit),
    loadCompanySummaries(collectIds(page, 'company_id'), unit),
    loadAssociatedDetails(page, 'people', unit),
  ])
  return page.map((person) => ({
    ...pickOwnFields(person, owners),
    company: getOrNull(companies, person.company_id),
    ...associations(person),
  }))
}

/** Lists the fields explicitly: a rest pattern takes several times as long. */
function pickOwnFields(person: Person, owners: ReadonlyMap<string, Owner>) {
  const {
    id,
    entity_id,
    full_name,
    emails,
    phones,
    position,
    score,
    avatar_url,
    owner_user_id,
    created_at,
    updated_at,
  } = person
  const owner = getOrNull(owners, owner_user_id)
  return {
    id,
    entity_id,
    full_name,
    emails,
    phones,
    position,
    score,
    avatar_url,
    created_at,
    updated_at,
    owner,
  }
}
