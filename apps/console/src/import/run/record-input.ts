import type { CustomFieldInput, NewPerson, Person } from '@sales-crm/client'
import { foldName } from '../fold-name.ts'
import { type Draft, isAddress } from '../rows/draft.ts'
import { isShortened } from '../rows/person-name.ts'

/** What is written of a record: the fields that people and companies have in common, and those of each. */
export type RecordInput = Partial<
  Pick<
    NewPerson,
    'full_name' | 'emails' | 'phones' | 'position' | 'company_id' | 'owner_user_id' | 'tags' | 'lists'
  >
> & { readonly website?: string; readonly custom_fields?: CustomFieldInput[] }

/** What every record of an import gets. */
export interface Additions {
  readonly tagId?: string | undefined
  readonly listId?: string | undefined
  /** Of new records without an owner of their own. */
  readonly ownerId?: string | undefined
}

export type ExistingRecord = Pick<
  Person,
  'full_name' | 'emails' | 'phones' | 'tags' | 'lists' | 'custom_fields'
>

/** Builds the input of a new record. */
export function buildNew(draft: Draft, companyId: string | undefined, additions: Additions): RecordInput {
  const { ownerId } = additions
  return buildFields(ownerId === undefined ? draft : { ownerId, ...draft }, companyId, {
    emails: uniteEmails(draft.emails ?? []),
    phones: unitePhones(draft.phones ?? []),
    tags: uniteIds([], draft.tagIds, additions.tagId),
    lists: uniteIds([], undefined, additions.listId),
    custom: draft.custom ?? {},
  })
}

/** Builds the changes of a record. No list, no name and no part of an address loses what it has. */
export function buildChanges(
  draft: Draft,
  companyId: string | undefined,
  additions: Additions,
  before: ExistingRecord,
): RecordInput {
  const { emails = [], phones = [], tagIds } = draft
  return buildFields(keepName(draft, before), companyId, {
    emails: emails.length > 0 ? uniteEmails([...before.emails, ...emails]) : [],
    phones: phones.length > 0 ? unitePhones([...before.phones, ...phones]) : [],
    tags: tagIds || additions.tagId ? uniteIds(before.tags, tagIds, additions.tagId) : [],
    lists: additions.listId ? uniteIds(before.lists, undefined, additions.listId) : [],
    custom: mergeAddresses(draft.custom ?? {}, before.custom_fields),
  })
}

/** A row that has a part of the name that is there, or that name without its accents, does not change it. */
function keepName(draft: Draft, before: ExistingRecord): Draft {
  const { fullName, ...others } = draft
  if (fullName === undefined) return draft
  return isUnaccented(fullName, before.full_name) || isShortened(fullName, before.full_name) ? others : draft
}

/** True for a name that lacks the accents and special letters of the other, and differs in nothing else but case. */
function isUnaccented(name: string, whole: string): boolean {
  const folded = foldName(name)
  return folded === foldName(whole) && folded === name.toLowerCase() && folded !== whole.toLowerCase()
}

interface Lists {
  readonly emails: Emails
  readonly phones: Phones
  readonly tags: string[]
  readonly lists: string[]
  readonly custom: NonNullable<Draft['custom']>
}

function buildFields(draft: Draft, companyId: string | undefined, lists: Lists): RecordInput {
  const { fullName, position, website, ownerId } = draft
  const custom_fields = Object.entries(lists.custom).map(([key, value]) => ({ key, value }))
  return {
    ...(fullName !== undefined && { full_name: fullName }),
    ...(position !== undefined && { position }),
    ...(website !== undefined && { website }),
    ...(companyId !== undefined && { company_id: companyId }),
    ...(ownerId !== undefined && { owner_user_id: ownerId }),
    ...(lists.emails.length > 0 && { emails: lists.emails }),
    ...(lists.phones.length > 0 && { phones: lists.phones }),
    ...(lists.tags.length > 0 && { tags: lists.tags }),
    ...(lists.lists.length > 0 && { lists: lists.lists }),
    ...(custom_fields.length > 0 && { custom_fields }),
  }
}

function uniteIds(
  before: readonly { readonly id: string }[],
  ids: readonly string[] = [],
  one: string | undefined,
): string[] {
  return [...new Set([...before.map(({ id }) => id), ...ids, ...(one === undefined ? [] : [one])])]
}

type Emails = NonNullable<RecordInput['emails']>
type Phones = NonNullable<RecordInput['phones']>

function uniteEmails(emails: readonly Emails[number][]): Emails {
  return uniteBy(emails, ({ email }) => email.toLowerCase())
}

function unitePhones(phones: readonly Phones[number][]): Phones {
  return uniteBy(phones, ({ phone }) => phoneKey(phone))
}

/** The first of those that are the same. */
function uniteBy<Item>(items: readonly Item[], keyOf: (item: Item) => string): Item[] {
  const united = new Map<string, Item>()
  for (const item of items) if (!united.has(keyOf(item))) united.set(keyOf(item), item)
  return [...united.values()]
}

function phoneKey(phone: string): string {
  return phone.replace(/\D/g, '') || phone
}

function mergeAddresses(
  values: NonNullable<Draft['custom']>,
  before: ExistingRecord['custom_fields'],
): NonNullable<Draft['custom']> {
  return Object.fromEntries(
    Object.entries(values).map(([key, value]) => {
      const old = before.find((each) => each.key === key)?.value
      return [key, isAddress(value) && isAddress(old) ? { ...old, ...value } : value]
    }),
  )
}
