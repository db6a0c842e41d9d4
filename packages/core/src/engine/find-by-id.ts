import { isUuid } from '../kernel/field-schemas.ts'
import type { RecordBase } from '../kernel/record.ts'
import type { RecordStore } from '../kernel/record-store.ts'

/** The record of an id from outside. Text that is no UUID finds nothing; its case does not matter. */
export async function findById<R extends RecordBase, M extends 'get' | 'getForUpdate' = 'get'>(
  store: Pick<RecordStore<R>, M>,
  id: string,
  method?: M,
): Promise<R | undefined> {
  return isUuid(id) ? (store as RecordStore<R>)[method ?? 'get'](id.toLowerCase()) : undefined
}
