import type { RecordBase, Records } from '@sales-crm/core/ports'
import { customValues, type ValueSubject } from './custom-values.ts'
import type { Labels, SeedContext } from './seed-context.ts'

type Associations = Pick<Records['people'], 'tag_ids' | 'list_ids' | 'custom_values' | 'search_terms'>

/** Returns random tags, lists and custom values. `withSearchTerms` replaces the empty `search_terms`. */
export function makeAssociations(
  context: SeedContext,
  kind: keyof Labels['fields'],
  subject: ValueSubject,
): Associations {
  const { random, labels } = context
  return {
    tag_ids: random.sample(labels.tags, 2),
    list_ids: random.sample(labels.lists, 1),
    custom_values: customValues(context, kind, subject),
    search_terms: '',
  }
}

export function withSearchTerms<R extends RecordBase>(
  { searchTerms }: { readonly searchTerms: ((record: R) => string) | null },
  record: R,
): R {
  return { ...record, search_terms: searchTerms!(record) }
}
