import type { RecordBase } from '../kernel/record.ts'
import { generateEntityCode } from './entity-code.ts'
import type { Engine, WriteContext } from './extension.ts'
import { phoneDigits } from './phone-digits.ts'
import type { Resource } from './resource.ts'
import type { WorkspaceTransaction } from './workspace-transaction.ts'

/** Builds a new record from its columns, without its search terms. */
export function buildRecord<R extends RecordBase>(
  { codePrefix, defaults }: Pick<Resource<R>, 'codePrefix' | 'defaults'>,
  id: string,
  fields: object,
  { at, random }: Pick<WriteContext, 'at' | 'random'>,
): R {
  return {
    id,
    created_at: at,
    updated_at: at,
    ...defaults,
    ...fields,
    ...(codePrefix !== null && { entity_id: generateEntityCode(codePrefix, random) }),
  } as unknown as R
}

/** Returns a function that sets the search terms of a record. Those of phones depend on the workspace's country. */
export async function prepareTerms<R extends RecordBase>(
  { searchTerms, defaults }: Pick<Resource<R>, 'searchTerms' | 'defaults'>,
  { parsePhone }: Pick<Engine, 'parsePhone'>,
  { shared, workspaceId }: WorkspaceTransaction,
): Promise<(record: R) => R> {
  if (!searchTerms) return (record) => record
  if (!('phones' in defaults)) return (record) => ({ ...record, search_terms: searchTerms(record) })
  const workspace = await shared.workspaces.get(workspaceId)
  const toPhoneDigits = phoneDigits(parsePhone, workspace?.country ?? null)
  return (record) => ({ ...record, search_terms: searchTerms(record, toPhoneDigits) })
}
