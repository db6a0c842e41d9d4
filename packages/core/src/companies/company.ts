import type { Instant, RecordBase } from '../ports.ts'
import { type EmailEntry, emails, type PhoneEntry, phones } from '../records/contacts.ts'
import { changeable, clearable, email, httpsUrl, httpUrl, line, object, optional, resettable, uuid } from '../records/fields.ts'
import { type Owner, ownersOf } from '../records/owner.ts'
import { byOwner, since } from '../records/query.ts'
import { OWNER } from '../records/references.ts'
import { defineResource, nothingToSettle } from '../records/resource.ts'
import { linked, type Unit, viewsOf } from '../records/unit.ts'

export interface Company extends RecordBase {
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
  },
  unique: [],
  neverReused: ['entity_id'],
  refersTo: { owner_user_id: 'members' },
} as const

const fullName = line(1, 120)
const emptied = { website: httpUrl, avatar_url: httpsUrl, owner_user_id: uuid, owner_email: email }

export interface CompanySummary extends Pick<Company, 'id' | 'full_name' | 'emails' | 'phones' | 'created_at' | 'updated_at'> {}

export interface CompanyItem extends Omit<Company, 'owner_user_id'> {
  readonly owner: Owner | null
  readonly custom_fields: readonly never[]
}

export interface CompanyDetail extends CompanyItem {
  readonly tags: readonly never[]
  readonly lists: readonly never[]
}

export const companies = defineResource<Company>()({
  label: 'Company',
  scopes: { read: 'companies:read', write: 'companies:write' },
  store: (stores) => stores.companies,
  orderBy: ['created_at', 'updated_at', 'full_name'],
  filters: { owner_email: byOwner<Company>('owner_user_id'), updated_after: since<Company>('updated_at') },
  create: object({ full_name: fullName, ...optional({ emails, phones, ...emptied }) }),
  update: object({
    ...changeable({ full_name: fullName }),
    emails: resettable(emails, []),
    phones: resettable(phones, []),
    ...clearable(emptied),
  }),
  references: OWNER,
  codeLetter: 'C',
  blank: { entity_id: '', full_name: '', emails: [], phones: [], website: null, avatar_url: null, owner_user_id: null },
  settle: nothingToSettle,
  events: companyEvents,
  listView: companyItems,
  detailView: async (page, unit): Promise<CompanyDetail[]> => {
    const items = await companyItems(page, unit)
    return items.map((company) => ({ ...company, tags: [], lists: [] }))
  },
})

export function companyEvents(before: object | undefined, after: object | undefined): readonly string[] {
  if (!before) return ['company.created']
  return after ? ['company.updated'] : ['company.deleted']
}

export function companySummaries(ids: readonly string[], { stores }: Unit): Promise<ReadonlyMap<string, CompanySummary>> {
  return viewsOf(stores.companies, ids, ({ id, full_name, emails, phones, created_at, updated_at }) => {
    return { id, full_name, emails, phones, created_at, updated_at }
  })
}

async function companyItems(page: readonly Company[], unit: Unit): Promise<CompanyItem[]> {
  const owners = await ownersOf(page, unit)
  return page.map(({ owner_user_id, ...company }) => ({ ...company, owner: linked(owners, owner_user_id), custom_fields: [] }))
}
