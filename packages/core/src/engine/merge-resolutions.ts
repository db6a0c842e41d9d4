import type { RecordBase } from '../kernel/record.ts'
import type { Resolution } from './extension.ts'

/** What the extensions of a record add to a write, together. */
export type MergedResolution<R extends RecordBase> = Omit<Resolution<R>, 'fields'> & {
  readonly fields: object
}

export function mergeResolutions<R extends RecordBase>(
  resolutions: readonly Resolution<R>[],
): MergedResolution<R> {
  const partSaves = resolutions.flatMap(({ saveParts }) => (saveParts ? [saveParts] : []))
  const saves = resolutions.flatMap(({ save }) => (save ? [save] : []))
  return {
    ownFields: Object.assign({}, ...resolutions.map(({ ownFields }) => ownFields)),
    fields: Object.assign({}, ...resolutions.map(({ fields }) => fields)),
    ...(partSaves.length > 0 && {
      async saveParts(record, transaction) {
        for (const save of partSaves) await save(record, transaction)
      },
    }),
    ...(saves.length > 0 && {
      async save(recordId, transaction, context) {
        for (const save of saves) await save(recordId, transaction, context)
      },
    }),
  }
}
