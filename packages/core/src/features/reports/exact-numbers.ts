import { validationError } from '../../kernel/errors.ts'

/** A sum as a number. @throws CrmError `validation_error` at `field`, of one that a number cannot hold to the last digit */
export function toSafeInteger(sum: bigint, field: string): number {
  if (sum <= BigInt(Number.MAX_SAFE_INTEGER)) return Number(sum)
  throw validationError({
    [field]: `What this comes to is beyond ${Number.MAX_SAFE_INTEGER}. Ask for fewer records at once.`,
  })
}

/** `part` of `whole` to so many decimals, rounded half up; null of nothing. */
export function roundRatio(part: bigint, whole: bigint, decimals: number): number | null {
  if (whole === 0n) return null
  const scale = 10n ** BigInt(decimals)
  return Number((2n * part * scale + whole) / (2n * whole)) / Number(scale)
}
