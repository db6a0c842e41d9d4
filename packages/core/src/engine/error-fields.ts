import { changeError } from '../kernel/change-error.ts'
import { CrmError } from '../kernel/errors.ts'

/**
 * Runs work on a part of the input. The fields of its errors are below `prefix`.
 * @param isOfWhole true for the path of a field that is not of the part
 */
export async function prefixFields<T>(
  prefix: string,
  work: () => T | Promise<T>,
  isOfWhole: (path: string) => boolean = () => false,
): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof CrmError) || !error.fields) throw error
    const fields = Object.entries(error.fields).map(([path, rule]) => [
      isOfWhole(path) ? path : prefixPath(path, prefix),
      rule,
    ])
    throw changeError(error, { fields: Object.fromEntries(fields) })
  }
}

function prefixPath(path: string, prefix: string): string {
  return path === 'body' ? prefix : `${prefix}.${path}`
}
