import { validationError } from '../../kernel/errors.ts'

/**
 * Returns the sum as a number.
 * @throws CrmError `validation_error` at `field` above `Number.MAX_SAFE_INTEGER`
 */
export function toSafeInteger(sum: bigint, field: string): number {
  if (sum <= BigInt(Number.MAX_SAFE_INTEGER)) return Number(sum)
  throw validationError({
    [field]: `What this comes to is beyond ${Number.MAX_SAFE_INTEGER}. Ask for fewer records at once.`,
  })
}

/** Returns `part / whole`, rounded half up to `decimals` places; null if `whole` is zero. */
export function roundRatio(part: bigint, whole: bigint, decimals: number): number | null {
  if (whole === 0n) return null
  const scale = 10n ** BigInt(decimals)
  return Number((2n * part * scale + whole) / (2n * whole)) / Number(scale)
}
