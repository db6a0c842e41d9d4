import * as v from 'valibot'

/** Unicode code points: the contract's unit of length. */
export function countCodePoints(text: string): number {
  let count = 0
  for (const _ of text) count += 1
  return count
}

/** Any string. */
export const string = v.string('Must be a string.')

/** Describes a rule that is a function, for the OpenAPI document. It validates nothing. */
export function jsonSchema<Input>(rule: Readonly<Record<string, unknown>>) {
  return v.metadata<Input, typeof rule>(rule)
}

function lengthMessage(min: number, max: number): string {
  return min > 0 ? `Must be between ${min} and ${max} characters.` : `Must be at most ${max} characters.`
}

export function lengthBetween(min: number, max: number) {
  return v.check<string, string>(
    (text) => {
      // The number of code points is between half the number of UTF-16 units and all of it: most texts need
      // no counting.
      if (text.length < min || text.length > max * 2) return false
      const length = text.length <= max && min <= 1 ? text.length : countCodePoints(text)
      return length >= min && length <= max
    },
    lengthMessage(min, max),
  )
}

/** White space, what Unicode lets fonts ignore, such as U+200B, and the empty Braille cell. */
const VISIBLE = /[^\p{White_Space}\p{Default_Ignorable_Code_Point}\u2800]/u

/** One line, trimmed, without control characters. If `min` is above 0, it has a visible character. */
export function singleLineText(min: number, max: number) {
  return v.pipe(
    string,
    v.check((text) => text.isWellFormed(), 'Must be valid Unicode text.'),
    v.trim(),
    v.check((text) => min === 0 || text !== '', 'Required.'),
    v.check((text) => min === 0 || VISIBLE.test(text), 'Must have a visible character.'),
    v.check((text) => !hasControlCharacter(text), 'Must not contain control characters.'),
    lengthBetween(min, max),
    jsonSchema({ ...(min > 0 && { minLength: min }), maxLength: max }),
  )
}

/** C0 control characters. */
function hasControlCharacter(text: string): boolean {
  for (let index = 0; index < text.length; index += 1) if (text.charCodeAt(index) < 0x20) return true
  return false
}

/** An optional `singleLineText`: null without a visible character. */
export function singleLineTextOrNull(max: number) {
  return v.pipe(
    singleLineText(0, max),
    v.transform((value) => (VISIBLE.test(value) ? value : null)),
  )
}

/** Text of several lines, stored unchanged. */
export function multiLineText(max: number) {
  return v.pipe(
    string,
    v.check((value) => value.isWellFormed(), 'Must be valid Unicode text.'),
    v.check((value) => !value.includes('\0'), 'Must not contain the null character.'),
    lengthBetween(0, max),
    jsonSchema({ maxLength: max }),
  )
}

/** An optional `multiLineText`: null without a visible character. */
export function multiLineTextOrNull(max: number) {
  return v.pipe(
    multiLineText(max),
    v.transform((value) => (VISIBLE.test(value) ? value : null)),
  )
}
