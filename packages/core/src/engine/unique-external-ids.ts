import { conflict } from '../kernel/errors.ts'
import type { RecordBase } from '../kernel/record.ts'
import type { RecordStore } from '../kernel/record-store.ts'
import { type ExternalId, formatExternalId, type HasExternalIds } from '../schema/external-ids.ts'
import { externalIdFacet, whereFacet } from '../schema/facets.ts'
import type { ResourceName } from '../schema/index.ts'
import type { Extension } from './extension.ts'
import { joinTerms, type SearchTerms } from './search-terms.ts'
import type { WorkspaceTransaction } from './workspace-transaction.ts'

/** Adds the facets of external ids to the search terms of a kind. */
export function withExternalIds<R>(
  searchTerms: SearchTerms<R> | null | undefined,
): SearchTerms<R & HasExternalIds> {
  return (record, toPhoneDigits) => {
    const terms = searchTerms?.(record, toPhoneDigits) ?? ''
    return joinTerms([...(terms === '' ? [] : [terms]), ...record.external_ids.map(externalIdFacet)])
  }
}

/** A record that can be found by ids in other systems. */
interface ExternallyIdentified extends RecordBase, HasExternalIds {
  readonly search_terms: string
}

/**
 * Refuses an external id that another live record of the kind has. The ids are locked until the transaction ends, so
 * that two transactions never both take the same one.
 */
export function uniqueExternalIds<R extends ExternallyIdentified>(kind: ResourceName): Extension<R> {
  return {
    async check({ before, after }, transaction) {
      const kept = new Set(before?.external_ids.map(formatExternalId))
      const added = after.external_ids.filter((each) => !kept.has(formatExternalId(each)))
      await lockExternalIds(kind, added, transaction)
      for (const each of added) {
        const holder = await findHolder(kind, each, transaction)
        if (holder === undefined) continue
        const path = `external_ids[${after.external_ids.indexOf(each)}]`
        throw conflict(path, undefined, { existingIds: [holder.id] })
      }
    },
  }
}

/** Keeps other transactions from giving the ids to records of the kind. */
export async function lockExternalIds(
  kind: string,
  ids: readonly ExternalId[],
  transaction: WorkspaceTransaction,
): Promise<void> {
  for (const facet of ids.map(externalIdFacet).sort()) await transaction.lock(`${kind} ${facet}`)
}

/** The live record of a kind that has an external id. The facet of a long one may be that of another. */
async function findHolder(
  kind: ResourceName,
  externalId: ExternalId,
  { stores }: WorkspaceTransaction,
): Promise<ExternallyIdentified | undefined> {
  const store = stores[kind] as unknown as RecordStore<ExternallyIdentified>
  const found = await store.find([whereFacet(externalIdFacet(externalId))])
  const text = formatExternalId(externalId)
  return found.find(({ external_ids }) => external_ids.some((each) => formatExternalId(each) === text))
}
