import { ownerFilter, sinceFilter } from '../../engine/list-query.ts'
import { loadOwners, type Owner } from '../../engine/owner.ts'
import { OWNER_REFERENCES } from '../../engine/references.ts'
import { defineResource, lifecycleEvents, noDerivedFields } from '../../engine/resource.ts'
import { getOrNull, loadViews } from '../../engine/views.ts'
import type { WorkspaceTransaction } from '../../engine/workspace-transaction.ts'
import { httpsUrl, httpUrl, knownEmail, uuid } from '../../kernel/field-schemas.ts'
import { changeable, clearable, object, optional, resettable } from '../../kernel/object-schemas.ts'
import { singleLineText } from '../../kernel/text-schemas.ts'
import { type AssociationFields, NO_ASSOCIATIONS } from '../../schema/associations.ts'
import type { Company } from '../../schema/company.ts'
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
import { emails, extractContactTerms, phones } from '../contacts/contact-fields.ts'

const fullName = singleLineText(1, 120)
const nullableFields = {
  website: httpUrl,
  avatar_url: httpsUrl,
  owner_user_id: uuid,
  owner_email: knownEmail,
}

/** A company as people, deals and tasks embed it. */
export interface CompanySummary
  extends Pick<Company, 'id' | 'full_name' | 'emails' | 'phones' | 'created_at' | 'updated_at'> {}

/** A company as `crm.companies.list` returns it. */
export interface CompanyItem
  extends Omit<Company, 'owner_user_id' | keyof AssociationFields>,
    AssociatedItem {
  /** Null for nobody and for a removed member. */
  readonly owner: Owner | null
}

/** A company as `crm.companies.get`, `create` and `update` return it, with its tags and lists. */
export interface CompanyDetail extends CompanyItem, AssociatedDetail {}

export const companyEvents = lifecycleEvents('company.created', 'company.updated', 'company.deleted')

/**
 * The definition of companies: the schemas of `CompanyInput` (`create`) and `CompanyChanges` (`update`), and
 * the filters, orders and scopes.
 */
export const companies = defineResource<Company>()({
  label: 'Company',
  scopes: { read: 'companies:read', write: 'companies:write' },
  collection: 'companies',
  orderBy: ['created_at', 'updated_at', 'full_name'],
  filters: {
    ...searchFilters<Company>(),
    owner_email: ownerFilter<Company>('owner_user_id'),
    updated_after: sinceFilter<Company>('updated_at'),
  },
  create: object({
    full_name: fullName,
    ...optional({ emails, phones, ...nullableFields }),
    ...associationCreateFields,
    ...dealsCreateField,
  }),
  update: object({
    ...changeable({ full_name: fullName }),
    emails: resettable(emails, []),
    phones: resettable(phones, []),
    ...clearable(nullableFields),
    ...associationUpdateFields,
    ...dealsUpdateField,
  }),
  references: OWNER_REFERENCES,
  codePrefix: 'C',
  defaults: {
    entity_id: '',
    full_name: '',
    emails: [],
    phones: [],
    website: null,
    avatar_url: null,
    owner_user_id: null,
    ...NO_ASSOCIATIONS,
  },
  searchTerms: (company) => buildSearchTerms(extractContactTerms(company), company),
  deriveFields: noDerivedFields,
  events: companyEvents,
  omitFromLists: DETAIL_ONLY_COLUMNS,
  listView: buildCompanyItems,
  detailView: buildCompanyDetails,
  snapshot: (company) => ({ company }),
})

export function loadCompanySummaries(
  ids: readonly string[],
  { stores }: WorkspaceTransaction,
): Promise<ReadonlyMap<string, CompanySummary>> {
  return loadViews(stores.companies, ids, ({ id, full_name, emails, phones, created_at, updated_at }) => {
    return { id, full_name, emails, phones, created_at, updated_at }
  })
}

async function buildCompanyItems(
  page: readonly Company[],
  unit: WorkspaceTransaction,
): Promise<CompanyItem[]> {
  const [owners, associations] = await Promise.all([
    loadOwners(page, unit),
    loadAssociatedItems(page, 'companies', unit),
  ])
  return page.map((company) => ({ ...pickOwnFields(company, owners), ...associations(company) }))
}

async function buildCompanyDetails(
  page: readonly Company[],
  unit: WorkspaceTransaction,
): Promise<CompanyDetail[]> {
  const [owners, associations] = await Promise.all([
    loadOwners(page, unit),
    loadAssociatedDetails(page, 'companies', unit),
  ])
  return page.map((company) => ({ ...pickOwnFields(company, owners), ...associations(company) }))
}

/** Lists the fields by name: copying a record without some of its fields is several times slower. */
function pickOwnFields(company: Company, owners: ReadonlyMap<string, Owner>) {
  const {
    id,
    entity_id,
    full_name,
    emails,
    phones,
    website,
    avatar_url,
    owner_user_id,
    created_at,
    updated_at,
  } = company
  const owner = getOrNull(owners, owner_user_id)
  return { id, entity_id, full_name, emails, phones, website, avatar_url, created_at, updated_at, owner }
}
