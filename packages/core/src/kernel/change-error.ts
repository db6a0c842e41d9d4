import { CrmError } from './errors.ts'

/**
 * Returns the error with other fields, or with the ids of other records that hold the value. The error itself is not
 * the cause of the copy: a cause is reported to the operator as a failure.
 */
export function changeError(
  error: CrmError,
  changes: Partial<Pick<CrmError, 'fields' | 'existingIds'>>,
): CrmError {
  const { code, message, reason, entity, scope } = error
  const { fields, existingIds } = { fields: error.fields, existingIds: error.existingIds, ...changes }
  return new CrmError(code, message, fields, {
    ...(reason && { reason }),
    ...(entity !== undefined && { entity }),
    ...(scope !== undefined && { scope }),
    ...(existingIds && { existingIds }),
    cause: error.cause,
  })
}
