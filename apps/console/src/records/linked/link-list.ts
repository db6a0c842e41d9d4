import type { Deal, DealPerson, Person, PersonCompany } from '@sales-crm/client'
import type { FieldEdit } from '../use-record-update.ts'

/** A person on a deal, or a company of a person. */
export interface LinkEntry {
  readonly id: string
  readonly name: string
  /** Also the position in a company. */
  readonly role: string | null
  readonly isMain: boolean
}

/** The names of a list in the API. */
export interface LinkList {
  readonly kind: 'deals' | 'people'
  readonly name: 'people' | 'companies'
  readonly main: 'person' | 'company'
  readonly role: 'role' | 'position'
}

export const DEAL_PEOPLE: LinkList = { kind: 'deals', name: 'people', main: 'person', role: 'role' }
export const PERSON_COMPANIES: LinkList = {
  ...{ kind: 'people', name: 'companies', main: 'company', role: 'position' },
}

type ListedRecord = Deal | Person
type ViewEntry = DealPerson | PersonCompany

function viewEntries(list: LinkList, record: ListedRecord): readonly ViewEntry[] {
  return (record as unknown as Readonly<Record<string, readonly ViewEntry[]>>)[list.name] ?? []
}

/** The entries that the member sees, and the number of others. */
export function readEntries(
  list: LinkList,
  record: ListedRecord,
): { readonly entries: readonly LinkEntry[]; readonly hidden: number } {
  const all = viewEntries(list, record)
  const entries = all.flatMap((entry): LinkEntry[] => {
    const { full_name: name, main, ...ids } = entry
    const { [`${list.main}_id`]: id, [list.role]: role } = ids as Readonly<Record<string, string | null>>
    return id == null ? [] : [{ id, name: name ?? '', role: role ?? null, isMain: main }]
  })
  return { entries, hidden: all.length - entries.length }
}

/**
 * The edit that gives a record the entries beside those that the member does not see, which stay. The main one comes first, as
 * in the API; without one, it is the first, unless it is hidden.
 */
export function toEdit(list: LinkList, record: ListedRecord, entries: readonly LinkEntry[]): FieldEdit {
  const hidden = viewEntries(list, record).filter(({ full_name }) => full_name === null)
  const isMainHidden = hidden.some(({ main }) => main)
  const marked = entries.find(({ isMain }) => isMain) ?? (isMainHidden ? undefined : entries[0])
  const inOrder = marked ? [marked, ...entries.filter((entry) => entry !== marked)] : entries
  const sent = inOrder.map((entry) => ({
    [`${list.main}_id`]: entry.id,
    [list.role]: entry.role,
    main: entry === marked,
  }))
  return {
    changes: { [list.name]: sent },
    shown: {
      [list.name]: [
        ...sent.map((entry, index) => ({ ...entry, full_name: inOrder[index]!.name })),
        ...hidden.map((entry) => ({ ...entry, main: entry.main && !marked })),
      ],
      [list.main]: marked ? { id: marked.id, full_name: marked.name } : null,
      ...(list.role === 'position' && marked && { position: marked.role }),
    },
  }
}
