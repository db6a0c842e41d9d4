import type { Instant, RecordBase } from '../ports.ts'
import { type AssociatedDetail, type AssociatedItem, associatedDetails, associatedItems } from '../records/association-views.ts'
import {
  ASSOCIATED_COLUMNS,
  type Associated,
  associatedChanges,
  associatedInput,
  dealsChanges,
  dealsInput,
  NOT_IN_ITEMS,
  NOTHING_ASSOCIATED,
} from '../records/associations.ts'
import { contactWords, type EmailEntry, emails, type PhoneEntry, phones } from '../records/contacts.ts'
import { changeable, clearable, email, httpsUrl, httpUrl, line, object, optional, resettable, uuid } from '../records/fields.ts'
import { foundBy } from '../records/found-by.ts'
import { type Owner, ownersOf } from '../records/owner.ts'
import { byOwner, since } from '../records/query.ts'
import { OWNER } from '../records/references.ts'
import { defineResource, lifeEvents, nothingToSettle } from '../records/resource.ts'
import { foundFilters } from '../records/search.ts'
import { linked, type Unit, viewsOf } from '../records/unit.ts'

export interface Company extends RecordBase, Associated {
  readonly updated_at: Instant
  readonly entity_id: string
  readonly full_name: string
  readonly emails: readonly EmailEntry[]
  readonly phones: readonly PhoneEntry[]
  readonly website: string | null
  readonly avatar_url: string | null
  readonly owner_user_id: string | null
}

export const companyShape = {
  columns: {
    entity_id: 'text',
    full_name: 'text',
    emails: 'json',
    phones: 'json',
    website: 'text?',
    avatar_url: 'text?',
    owner_user_id: 'uuid?',
    ...ASSOCIATED_COLUMNS,
  },
  unique: [],
  neverReused: ['entity_id'],
  refersTo: { owner_user_id: 'members' },
} as const

const fullName = line(1, 120)
const emptied = { website: httpUrl, avatar_url: httpsUrl, owner_user_id: uuid, owner_email: email }

export interface CompanySummary extends Pick<Company, 'id' | 'full_name' | 'emails' | 'phones' | 'created_at' | 'updated_at'> {}

export interface CompanyItem extends Omit<Company, 'owner_user_id' | keyof Associated>, AssociatedItem {
  readonly owner: Owner | null
}

export interface CompanyDetail extends CompanyItem, AssociatedDetail {}

export const companyEvents = lifeEvents('company.created', 'company.updated', 'company.deleted')

export const companies = defineResource<Company>()({
  label: 'Company',
  scopes: { read: 'companies:read', write: 'companies:write' },
  store: (stores) => stores.companies,
  orderBy: ['created_at', 'updated_at', 'full_name'],
  filters: {
    ...foundFilters<Company>(),
    owner_email: byOwner<Company>('owner_user_id'),
    updated_after: since<Company>('updated_at'),
  },
  create: object({ full_name: fullName, ...optional({ emails, phones, ...emptied }), ...associatedInput, ...dealsInput }),
  update: object({
    ...changeable({ full_name: fullName }),
    emails: resettable(emails, []),
    phones: resettable(phones, []),
    ...clearable(emptied),
    ...associatedChanges,
    ...dealsChanges,
  }),
  references: OWNER,
  codeLetter: 'C',
  blank: {
    entity_id: '',
    full_name: '',
    emails: [],
    phones: [],
    website: null,
    avatar_url: null,
    owner_user_id: null,
    ...NOTHING_ASSOCIATED,
  },
  associations: { kind: 'companies', dealLink: 'company_id' },
  foundBy: (company) => foundBy(contactWords(company), company),
  settle: nothingToSettle,
  events: companyEvents,
  unlisted: NOT_IN_ITEMS,
  listView: companyItems,
  detailView: companyDetails,
  snapshot: (company) => ({ company }),
})

export function companySummaries(ids: readonly string[], { stores }: Unit): Promise<ReadonlyMap<string, CompanySummary>> {
  return viewsOf(stores.companies, ids, ({ id, full_name, emails, phones, created_at, updated_at }) => {
    return { id, full_name, emails, phones, created_at, updated_at }
  })
}

async function companyItems(page: readonly Company[], unit: Unit): Promise<CompanyItem[]> {
  const [owners, associated] = await Promise.all([ownersOf(page, unit), associatedItems(page, 'companies', unit)])
  return page.map((company) => ({ ...ownFields(company, owners), ...associated(company) }))
}

async function companyDetails(page: readonly Company[], unit: Unit): Promise<CompanyDetail[]> {
  const [owners, associated] = await Promise.all([ownersOf(page, unit), associatedDetails(page, 'companies', unit)])
  return page.map((company) => ({ ...ownFields(company, owners), ...associated(company) }))
}

/** Each by its name, as a person's. */
function ownFields(company: Company, owners: ReadonlyMap<string, Owner>) {
  const { id, entity_id, full_name, emails, phones, website, avatar_url, owner_user_id, created_at, updated_at } = company
  const owner = linked(owners, owner_user_id)
  return { id, entity_id, full_name, emails, phones, website, avatar_url, created_at, updated_at, owner }
}
