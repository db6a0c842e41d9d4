import { CrmError } from '../kernel/errors.ts'

/**
 * Runs work on a part of the input. The fields of its errors are below `prefix`, except those below `match`, which are
 * of the whole.
 */
export async function prefixFields<T>(prefix: string, work: () => T | Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    throw error instanceof CrmError && error.fields ? withPrefix(error, error.fields, prefix) : error
  }
}

function withPrefix(error: CrmError, fields: NonNullable<CrmError['fields']>, prefix: string): CrmError {
  const { code, message, reason, existingIds } = error
  const prefixed = Object.entries(fields).map(([path, rule]) => [prefixPath(path, prefix), rule])
  return new CrmError(code, message, Object.fromEntries(prefixed), {
    ...(reason && { reason }),
    ...(existingIds && { existingIds }),
    cause: error,
  })
}

function prefixPath(path: string, prefix: string): string {
  if (/^match(?:\.|$)/.test(path)) return path
  return path === 'body' ? prefix : `${prefix}.${path}`
}
