/** One comparison of a field. */
export interface FilterCondition {
  /** Such as `full_name`, `custom_fields.segment` or `company.full_name`. */
  readonly field: string
  /** Such as `contains`. Which ones a field has depends on its type. */
  readonly op: string
  /** What the field is compared with. `is_empty` and `is_not_empty` have none. */
  readonly value?: unknown
}

/** Which records a list shows: those for which all, or any, of the parts hold. */
export type FilterTree =
  | { readonly and: readonly FilterTree[] }
  | { readonly or: readonly FilterTree[] }
  | FilterCondition

/** Maximum number of comparisons. */
export const MAX_FILTER_CONDITIONS = 25
/** Maximum number of `and` and `or` within each other. */
export const MAX_FILTER_LEVELS = 3

const SHAPE_RULE = 'Must be an object with `and`, `or`, or `field` and `op`.'

/**
 * Checks the shape of a filter.
 * @param path of the filter in the input, such as `filter`
 * @returns undefined if there are errors, which are set by their paths
 */
export function readFilterTree(
  input: unknown,
  path: string,
  errors: Map<string, string>,
): FilterTree | undefined {
  const reader = new FilterReader(errors)
  const tree = reader.read(input, path, 1)
  if (reader.conditionCount > MAX_FILTER_CONDITIONS)
    errors.set(path, `Must have at most ${MAX_FILTER_CONDITIONS} conditions.`)
  return errors.size === 0 ? tree : undefined
}

class FilterReader {
  conditionCount = 0
  readonly #errors: Map<string, string>

  constructor(errors: Map<string, string>) {
    this.#errors = errors
  }

  read(input: unknown, path: string, level: number): FilterTree | undefined {
    if (!isObject(input)) return this.#fail(path, SHAPE_RULE)
    const names = Object.keys(input)
    for (const group of ['and', 'or'] as const)
      if (Object.hasOwn(input, group)) return this.#readGroup(group, input, path, level)
    if (!Object.hasOwn(input, 'field') || !Object.hasOwn(input, 'op')) return this.#fail(path, SHAPE_RULE)
    this.conditionCount += 1
    const { field, op, value } = input
    if (typeof field !== 'string') return this.#fail(`${path}.field`, 'Must be a string.')
    if (typeof op !== 'string') return this.#fail(`${path}.op`, 'Must be a string.')
    const unknown = names.find((name) => !['field', 'op', 'value'].includes(name))
    if (unknown !== undefined) return this.#fail(`${path}.${unknown}`, 'Unknown field.')
    return { field, op, value }
  }

  #readGroup(group: 'and' | 'or', input: Readonly<Record<string, unknown>>, path: string, level: number) {
    const other = Object.keys(input).find((name) => name !== group)
    if (other !== undefined) return this.#fail(`${path}.${other}`, `Must not be sent together with ${group}.`)
    const parts = input[group]
    if (!Array.isArray(parts) || parts.length === 0)
      return this.#fail(`${path}.${group}`, 'Must be an array of at least one condition.')
    if (level > MAX_FILTER_LEVELS)
      return this.#fail(path, `Must have at most ${MAX_FILTER_LEVELS} levels of \`and\` and \`or\`.`)
    // More are not read: a caller could send millions.
    const read = parts
      .slice(0, MAX_FILTER_CONDITIONS + 1)
      .map((part, index) => this.read(part, `${path}.${group}[${index}]`, level + 1))
    const trees = read.filter((tree) => tree !== undefined)
    return (group === 'and' ? { and: trees } : { or: trees }) as FilterTree
  }

  #fail(path: string, rule: string): undefined {
    this.#errors.set(path, rule)
  }
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
