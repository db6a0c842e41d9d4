/** A value that the operator of a filter does not take. */
export class FilterValueError extends Error {
  override readonly name = 'FilterValueError'
  /** Of the value, such as `[1]`. */
  readonly path: string

  constructor(rule: string, path = '') {
    super(rule)
    this.path = path
  }
}

const MAX_VALUES = 100
const MAX_TEXT_LENGTH = 255
const MAX_DAYS = 3650

export function requireText(value: unknown): string {
  if (typeof value !== 'string') throw new FilterValueError('Must be a string.')
  if (value.trim() === '') throw new FilterValueError('Must not be empty.')
  if (value.length > MAX_TEXT_LENGTH)
    throw new FilterValueError(`Must have at most ${MAX_TEXT_LENGTH} characters.`)
  return value
}

export function requireFlag(value: unknown): boolean {
  if (typeof value !== 'boolean') throw new FilterValueError('Must be true or false.')
  return value
}

/** @param isInteger true for a column of integers */
export function requireNumber(value: unknown, isInteger: boolean): number {
  if (typeof value !== 'number' || !Number.isFinite(value)) throw new FilterValueError('Must be a number.')
  if (Math.abs(value) > Number.MAX_SAFE_INTEGER)
    throw new FilterValueError(`Must be between ${Number.MIN_SAFE_INTEGER} and ${Number.MAX_SAFE_INTEGER}.`)
  if (isInteger && !Number.isInteger(value)) throw new FilterValueError('Must be an integer.')
  return value
}

/** A number of days, for the last or the next ones. */
export function requireDays(value: unknown): number {
  if (typeof value !== 'number' || !Number.isInteger(value) || value < 1 || value > MAX_DAYS)
    throw new FilterValueError(`Must be a number of days from 1 to ${MAX_DAYS}.`)
  return value
}

/** Reads each of several values. An error has the path of its value. */
export async function requireEach<T>(
  value: unknown,
  read: (each: unknown) => T | Promise<T>,
): Promise<readonly T[]> {
  if (!Array.isArray(value) || value.length === 0)
    throw new FilterValueError('Must be an array of at least one value.')
  if (value.length > MAX_VALUES) throw new FilterValueError(`Must have at most ${MAX_VALUES} values.`)
  const values: T[] = []
  for (const [index, each] of value.entries()) values.push(await readAt(index, () => read(each)))
  return values
}

/** Reads the first and the last value of a range. */
export async function requireRange<T>(value: unknown, read: (each: unknown) => T): Promise<readonly [T, T]> {
  if (!Array.isArray(value) || value.length !== 2)
    throw new FilterValueError('Must be an array of two values: the first and the last.')
  const [first, last] = await requireEach(value, read)
  return [first!, last!]
}

async function readAt<T>(index: number, read: () => T | Promise<T>): Promise<T> {
  try {
    return await read()
  } catch (error) {
    if (!(error instanceof FilterValueError)) throw error
    throw new FilterValueError(error.message, `[${index}]${error.path}`)
  }
}
