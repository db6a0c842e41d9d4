import { CrmError } from '../../kernel/errors.ts'

/** The result of one operation. */
export type BatchResult<Detail> =
  | { readonly done: 'created' | 'updated'; readonly id: string; readonly data: Detail }
  | { readonly done: 'deleted'; readonly id: string }
  | { readonly error: CrmError }

/** A result as it is kept for a repetition, which reads the record again. */
export type KeptResult =
  | { readonly done: 'created' | 'updated' | 'deleted'; readonly id: string }
  | { readonly error: Pick<CrmError, 'code' | 'message' | 'fields' | 'existingIds'> }

/** For a repetition of the batch. */
export function toKeptResult<Detail>(result: BatchResult<Detail>): KeptResult {
  if (!('error' in result)) return { done: result.done, id: result.id }
  const { code, message, fields, existingIds } = result.error
  return { error: { code, message, fields, existingIds } }
}

export function restoreError({
  code,
  message,
  fields,
  existingIds,
}: Extract<KeptResult, { error: object }>['error']) {
  return new CrmError(code, message, fields, existingIds && { existingIds })
}
