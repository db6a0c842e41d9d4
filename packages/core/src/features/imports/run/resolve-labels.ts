import type { Input } from '../../../engine/patch.ts'
import type { Actor } from '../../../kernel/actor.ts'
import type { Transaction } from '../../../ports/storage.ts'
import { isCustomKind } from '../columns/import-kind.ts'
import type { ImportOptions } from '../import-record.ts'
import type { RecordDraft } from '../rows/record-draft.ts'
import type { LabelCache } from './label-cache.ts'
import type { RowState } from './row-state.ts'

interface LabelContext {
  readonly actor: Actor
  readonly options: Pick<ImportOptions, 'tags' | 'list'>
  readonly tags: LabelCache
  readonly lists: LabelCache
}

/** The tags and lists of a record, from its row and for all rows. Those that are missing are made. */
export async function resolveLabels(
  { kind, names }: RecordDraft,
  row: RowState,
  { actor, options, tags, lists }: LabelContext,
  tx: Transaction,
): Promise<Input> {
  if (!isCustomKind(kind)) return {}
  const tagNames = [...options.tags, ...(names['tags'] ?? [])]
  const listNames = [...(options.list === null ? [] : [options.list]), ...(names['lists'] ?? [])]
  const addCreated = (label: 'tags' | 'lists') => (id: string) =>
    row.written.push({ kind: label, id, action: 'created', version: null })
  return {
    ...(tagNames.length > 0 && { tags: await tags.resolve(tagNames, actor, tx, addCreated('tags')) }),
    ...(listNames.length > 0 && { lists: await lists.resolve(listNames, actor, tx, addCreated('lists')) }),
  }
}
