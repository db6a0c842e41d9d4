import * as v from 'valibot'
import { flag, integer, uuid } from '../../kernel/field-schemas.ts'
import { singleLineText } from '../../kernel/text-schemas.ts'
import { phoneNumber } from '../../schema/contact.ts'

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
const { MIN_SAFE_INTEGER, MAX_SAFE_INTEGER } = Number
const NUMBER_RULE = `Must be a number between ${MIN_SAFE_INTEGER} and ${MAX_SAFE_INTEGER}.`

/** Returns a function that reads a value as the schema does, and throws its first rule that the value breaks. */
function createReader<T>(schema: v.GenericSchema<unknown, T>): (value: unknown) => T {
  return (value) => {
    const result = v.safeParse(schema, value)
    if (!result.success) throw new FilterValueError(result.issues[0].message)
    return result.output
  }
}

export const requireText = createReader(
  singleLineText(1, MAX_TEXT_LENGTH) as v.GenericSchema<unknown, string>,
)
export const requirePhone = createReader(phoneNumber as v.GenericSchema<unknown, string>)
export const requireFlag = createReader(flag as v.GenericSchema<unknown, boolean>)
export const requireId = createReader(uuid as v.GenericSchema<unknown, string>)
export const requireInteger = createReader(
  integer(MIN_SAFE_INTEGER, MAX_SAFE_INTEGER) as v.GenericSchema<unknown, number>,
)
export const requireNumber = createReader(
  v.pipe(
    v.unknown(),
    v.number(NUMBER_RULE),
    v.minValue(MIN_SAFE_INTEGER, NUMBER_RULE),
    v.maxValue(MAX_SAFE_INTEGER, NUMBER_RULE),
  ),
)
/** A number of days, for the last or the next ones. */
export const requireDays = createReader(integer(1, MAX_DAYS) as v.GenericSchema<unknown, number>)

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
