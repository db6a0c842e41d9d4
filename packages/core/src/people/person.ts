import { type CompanySummary, companySummaries } from '../companies/company.ts'
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
import { changeable, clearable, email, httpsUrl, integer, line, lineOrNone, object, optional, resettable, uuid } from '../records/fields.ts'
import { foundBy } from '../records/found-by.ts'
import { type Owner, ownersOf } from '../records/owner.ts'
import { byId, byOwner, since } from '../records/query.ts'
import { OWNER, toRecord } from '../records/references.ts'
import { defineResource, lifeEvents, nothingToSettle } from '../records/resource.ts'
import { foundFilters } from '../records/search.ts'
import { idsIn, linked, type Unit, viewsOf } from '../records/unit.ts'

export interface Person extends RecordBase, Associated {
  readonly updated_at: Instant
  readonly entity_id: string
  readonly full_name: string
  readonly emails: readonly EmailEntry[]
  readonly phones: readonly PhoneEntry[]
  readonly position: string | null
  readonly score: number
  readonly avatar_url: string | null
  readonly company_id: string | null
  readonly owner_user_id: string | null
}

export const personShape = {
  columns: {
    entity_id: 'text',
    full_name: 'text',
    emails: 'json',
    phones: 'json',
    position: 'text?',
    score: 'integer',
    avatar_url: 'text?',
    company_id: 'uuid?',
    owner_user_id: 'uuid?',
    ...ASSOCIATED_COLUMNS,
  },
  unique: [],
  neverReused: ['entity_id'],
  refersTo: { company_id: 'companies', owner_user_id: 'members' },
} as const

const fullName = line(1, 70)
const score = integer(0, 100)
const emptied = {
  position: lineOrNone(120),
  avatar_url: httpsUrl,
  company_id: uuid,
  owner_user_id: uuid,
  owner_email: email,
}

export interface PersonSummary
  extends Pick<Person, 'id' | 'full_name' | 'emails' | 'phones' | 'score' | 'position' | 'created_at' | 'updated_at'> {}

export interface PersonItem extends Omit<Person, 'company_id' | 'owner_user_id' | keyof Associated>, AssociatedItem {
  readonly owner: Owner | null
}

export interface PersonDetail extends PersonItem, AssociatedDetail {
  readonly company: CompanySummary | null
}

export const personEvents = lifeEvents('person.created', 'person.updated', 'person.deleted')

export const people = defineResource<Person>()({
  label: 'Person',
  scopes: { read: 'people:read', write: 'people:write' },
  store: (stores) => stores.people,
  orderBy: ['created_at', 'updated_at', 'full_name'],
  filters: {
    ...foundFilters<Person>(),
    owner_email: byOwner<Person>('owner_user_id'),
    company_id: byId<Person>('company_id', 'companies'),
    updated_after: since<Person>('updated_at'),
  },
  create: object({ full_name: fullName, ...optional({ emails, phones, score, ...emptied }), ...associatedInput, ...dealsInput }),
  update: object({
    ...changeable({ full_name: fullName }),
    emails: resettable(emails, []),
    phones: resettable(phones, []),
    score: resettable(score, 0),
    ...clearable(emptied),
    ...associatedChanges,
    ...dealsChanges,
  }),
  references: { ...OWNER, company_id: toRecord('company_id', 'companies', 'Company') },
  codeLetter: 'P',
  blank: {
    entity_id: '',
    full_name: '',
    emails: [],
    phones: [],
    position: null,
    score: 0,
    avatar_url: null,
    company_id: null,
    owner_user_id: null,
    ...NOTHING_ASSOCIATED,
  },
  associations: { kind: 'people', dealLink: 'person_id' },
  foundBy: (person) => foundBy(contactWords(person), person),
  settle: nothingToSettle,
  events: personEvents,
  unlisted: [...NOT_IN_ITEMS, 'company_id'],
  listView: personItems,
  detailView: personDetails,
  snapshot: personSnapshot,
})

/** Beside what a read gives, the addresses under their positions. */
function personSnapshot(person: PersonDetail): object {
  return { person: { ...person, email: Object.fromEntries(person.emails.map(({ email }, position) => [position, email])) } }
}

export function personSummaries(ids: readonly string[], { stores }: Unit): Promise<ReadonlyMap<string, PersonSummary>> {
  return viewsOf(stores.people, ids, ({ id, full_name, emails, phones, score, position, created_at, updated_at }) => {
    return { id, full_name, emails, phones, score, position, created_at, updated_at }
  })
}

async function personItems(page: readonly Person[], unit: Unit): Promise<PersonItem[]> {
  const [owners, associated] = await Promise.all([ownersOf(page, unit), associatedItems(page, 'people', unit)])
  return page.map((person) => ({ ...ownFields(person, owners), ...associated(person) }))
}

async function personDetails(page: readonly Person[], unit: Unit): Promise<PersonDetail[]> {
  const [owners, companies, associated] = await Promise.all([
    ownersOf(page, unit),
    companySummaries(idsIn(page, 'company_id'), unit),
    associatedDetails(page, 'people', unit),
  ])
  return page.map((person) => ({
    ...ownFields(person, owners),
    company: linked(companies, person.company_id),
    ...associated(person),
  }))
}

/** Each by its name, since what is left of a record without some fields takes several times as long to make. */
function ownFields(person: Person, owners: ReadonlyMap<string, Owner>) {
  const { id, entity_id, full_name, emails, phones, position, score, avatar_url, owner_user_id, created_at, updated_at } = person
  const owner = linked(owners, owner_user_id)
  return { id, entity_id, full_name, emails, phones, position, score, avatar_url, created_at, updated_at, owner }
}
