import { didYouMean } from '@sales-crm/core'

/** For each option whether a value is valid, and what it must be. */
export type OptionRules<Options> = Readonly<
  Record<keyof Options, readonly [isValid: (value: never) => boolean, rule: string]>
>

/** @throws TypeError that names the first wrong option and its rule */
export function assertOptions<Options extends object>(
  name: string,
  options: Options,
  rules: OptionRules<Options>,
  required: readonly (keyof Options)[] = [],
): void {
  if (typeof options !== 'object' || options === null)
    throw new TypeError(`The options of ${name} must be an object.`)
  const names = Object.keys(rules)
  const unknown = Object.keys(options).find((each) => !names.includes(each))
  if (unknown !== undefined) {
    const nearest = didYouMean(unknown, names)
    const hint = nearest === undefined ? '' : ` Did you mean ${nearest}?`
    throw new TypeError(`${name} has no option ${unknown}.${hint}`)
  }
  for (const option of names as (keyof Options & string)[]) {
    const [isValid, rule] = rules[option]
    const value = options[option]
    const isAbsent = value === undefined && !required.includes(option)
    if (!isAbsent && (value === undefined || !isValid(value as never)))
      throw new TypeError(`The option ${option} of ${name} ${rule}.`)
  }
}

export function hasMembers(...names: readonly string[]): (value: unknown) => boolean {
  return (value) => typeof value === 'object' && value !== null && names.every((name) => name in value)
}

export function isWholeNumber(value: unknown, min: number, max: number): boolean {
  return Number.isSafeInteger(value) && (value as number) >= min && (value as number) <= max
}
