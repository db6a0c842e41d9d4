import type { Extension } from '../../engine/extension.ts'
import type { WorkspaceTransaction } from '../../engine/workspace-transaction.ts'
import { conflict } from '../../kernel/errors.ts'
import type { CustomField } from '../../schema/custom-field.ts'
import { optionFacet } from '../../schema/facets.ts'

/** An update cannot remove an option that a record has selected. */
export const usedOptions: Extension<CustomField> = {
  // Records lock the field for which they select an option.
  lock: 'pessimistic',
  check: ({ before, after }, transaction) =>
    before ? assertOptionsUnused(before, after, transaction) : undefined,
}

/** @throws CrmError `conflict` */
async function assertOptionsUnused(
  before: CustomField,
  after: CustomField,
  { stores }: WorkspaceTransaction,
): Promise<void> {
  const remainingKeys = new Set(after.value?.select_list.map(({ key }) => key))
  const removedOptions = (before.value?.select_list ?? []).filter(({ key }) => !remainingKeys.has(key))
  // One after another: the count of an option that is held takes as long as there are records.
  for (const { key } of removedOptions) {
    const facet = optionFacet(before.id, key)
    const counts = await Promise.all(
      [stores.people, stores.companies, stores.deals].map((store) =>
        store.countByTerm('search_terms', [facet]),
      ),
    )
    const count = counts.reduce((sum, byFacet) => sum + byFacet.get(facet)!, 0)
    if (count > 0) throw conflict('value', heldOptionRule(key, count))
  }
}

function heldOptionRule(key: string, count: number): string {
  return count === 1
    ? `1 record holds the option "${key}". Change it first.`
    : `${count} records hold the option "${key}". Change them first.`
}
