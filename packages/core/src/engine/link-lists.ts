import { notFoundRule } from '../kernel/errors.ts'
import type { RecordBase } from '../kernel/record.ts'
import type { RecordStore } from '../kernel/record-store.ts'
import { linkFacet } from '../schema/facets.ts'
import { KINDS } from '../schema/index.ts'
import type { LinkList, OtherLink } from '../schema/link-lists.ts'
import type { PartLoader } from './build-views.ts'
import type { Extension } from './extension.ts'
import { joinTerms, type SearchTerms } from './search-terms.ts'
import type { WorkspaceTransaction } from './workspace-transaction.ts'

/** The records that one is linked to by a list. */
export interface Links {
  /** The main one. */
  readonly id: string | null
  /** Of the main one; if the record itself has it, also without a main one. */
  readonly role: string | null
  readonly others: readonly OtherLink[]
}

/** An entry of a list as callers send it. */
interface LinkEntry {
  readonly id: string
  /** Undefined keeps the one that the record has there. */
  readonly role?: string | null | undefined
  readonly main?: boolean | undefined
}

const NO_LINKS: Links = { id: null, role: null, others: [] }

/** Makes a record the main one. One that is linked changes places with it; another one, or null, replaces it. */
export function moveMain({ isOwnRole }: LinkList, links: Links, id: string | null): Links {
  if (id === links.id) return links
  const promoted = links.others.find((other) => other.id === id)
  if (!promoted) return { ...links, id, role: isOwnRole ? links.role : null }
  const previous = links.id === null ? [] : [{ id: links.id, role: links.role }]
  return {
    ...promoted,
    others: links.others.flatMap((other) => (other === promoted ? previous : [other])),
  }
}

/** Takes a record off the list. */
export function removeLink(list: LinkList, links: Links, id: string): Links {
  if (links.id === id) return moveMain(list, links, null)
  return { ...links, others: links.others.filter((other) => other.id !== id) }
}

/**
 * Replaces the list.
 * @param hidden records that the caller does not see, which stay
 */
export function replaceLinks(
  { isOwnRole }: LinkList,
  links: Links,
  entries: readonly LinkEntry[],
  hidden: ReadonlySet<string>,
): Links {
  const before = [...(links.id === null ? [] : [{ id: links.id, role: links.role }]), ...links.others]
  const roles = new Map(before.map(({ id, role }) => [id, role]))
  const after: readonly LinkEntry[] = [
    ...entries.map(({ id, role = roles.get(id) }) => ({ id, role })),
    ...before.filter(({ id }) => hidden.has(id)),
  ]
  const staysMain = after.some(({ id }) => id === links.id)
  const mainId = entries.find(({ main }) => main)?.id ?? (staysMain ? links.id : (entries[0]?.id ?? null))
  const main = after.find(({ id }) => id === mainId)
  return {
    id: mainId,
    role: main?.role === undefined && isOwnRole && !staysMain ? links.role : (main?.role ?? null),
    others: after.filter((each) => each !== main).map(({ id, role = null }) => ({ id, role })),
  }
}

export function readLinks(list: LinkList, record: object | undefined): Links {
  if (!record) return NO_LINKS
  const columns = record as Readonly<Record<string, unknown>>
  return {
    id: columns[list.id] as string | null,
    role: columns[list.mainRole] as string | null,
    others: columns[list.others] as readonly OtherLink[],
  }
}

export function linkColumns(list: LinkList, { id, role, others }: Links): object {
  return { [list.id]: id, [list.mainRole]: role, [list.others]: others }
}

/** Adds the facets of links to the search terms of a kind, so that filters find the others like the main one. */
export function withLinks<R>(list: LinkList, searchTerms: SearchTerms<R> | null | undefined): SearchTerms<R> {
  return (record, toPhoneDigits) => {
    const terms = searchTerms?.(record, toPhoneDigits) ?? ''
    const facets = readLinks(list, record as object).others.map(({ id }) => linkFacet(id))
    return facets.length === 0 ? terms : joinTerms([...(terms === '' ? [] : [terms]), ...facets])
  }
}

/** Extension for a list of links, and for the main one alone. */
export function linkList<R extends RecordBase>(list: LinkList): Extension<R> {
  const { name, id: idName, role: roleName, mainRole, isOwnRole } = list
  return {
    inputFields: [name],
    async resolve(input, before, transaction, errors) {
      const links = readLinks(list, before)
      const sent = input[name] as readonly Readonly<Record<string, unknown>>[] | undefined
      if (!sent) {
        if (input[idName] === undefined) return {}
        const moved = moveMain(list, links, input[idName] as string | null)
        const isRoleSent = isOwnRole && input[mainRole] !== undefined
        return {
          ownFields: { ...linkColumns(list, moved), ...(isRoleSent && { [mainRole]: input[mainRole] }) },
        }
      }
      for (const field of [idName, ...(isOwnRole ? [mainRole] : [])])
        if (input[field] !== undefined) errors.set(field, `Must not be sent together with ${name}.`)
      const entries = sent.map(
        (entry) => ({ ...entry, id: entry[idName], role: entry[roleName] }) as LinkEntry,
      )
      const [found, hidden] = await Promise.all([
        findVisible(
          list,
          entries.map(({ id }) => id),
          transaction,
        ),
        findHidden(list, links, transaction),
      ])
      for (const [index, { id }] of entries.entries())
        if (!found.has(id)) errors.set(`${name}[${index}].${idName}`, notFoundRule(KINDS[list.kind].label))
      return { ownFields: linkColumns(list, replaceLinks(list, links, entries, hidden)) }
    },
  }
}

/** Loads the lists of a page. Deleted records are left out, hidden ones are without id and role. */
export function linkListLoader(list: LinkList): PartLoader<RecordBase> {
  return async (page, transaction) => {
    const all = page.flatMap((record) => listIds(readLinks(list, record)))
    const visible = await findVisible(list, all, transaction)
    const hidden = await findHiddenIds(
      list,
      all.filter((id) => !visible.has(id)),
      transaction,
    )
    const view = ({ id, role }: OtherLink, main: boolean) => {
      const record = visible.get(id)
      if (!record && !hidden.has(id)) return []
      return [
        {
          [list.id]: record ? id : null,
          full_name: record?.full_name ?? null,
          [list.role]: record ? role : null,
          main,
        },
      ]
    }
    return (record) => {
      const { id, role, others } = readLinks(list, record)
      return [
        ...(id === null ? [] : view({ id, role }, true)),
        ...others.flatMap((other) => view(other, false)),
      ]
    }
  }
}

interface NamedRecord extends RecordBase {
  readonly full_name: string
}

function listIds({ id, others }: Links): readonly string[] {
  return [...(id === null ? [] : [id]), ...others.map((other) => other.id)]
}

async function findVisible(
  { kind }: LinkList,
  ids: readonly string[],
  { stores }: Pick<WorkspaceTransaction, 'stores'>,
): Promise<ReadonlyMap<string, NamedRecord>> {
  if (ids.length === 0) return new Map()
  const records = await (stores[kind] as unknown as RecordStore<NamedRecord>).getMany([...new Set(ids)])
  return new Map(records.map((record) => [record.id, record]))
}

async function findHidden(
  list: LinkList,
  links: Links,
  transaction: WorkspaceTransaction,
): Promise<ReadonlySet<string>> {
  const ids = listIds(links)
  const visible = await findVisible(list, ids, transaction)
  return findHiddenIds(
    list,
    ids.filter((id) => !visible.has(id)),
    transaction,
  )
}

/** The records of ids that the reader does not see, which are not deleted. */
async function findHiddenIds(
  list: LinkList,
  unseen: readonly string[],
  { service }: WorkspaceTransaction,
): Promise<ReadonlySet<string>> {
  return new Set((await findVisible(list, unseen, service)).keys())
}
