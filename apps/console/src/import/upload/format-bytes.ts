const UNITS = ['kilobyte', 'megabyte'] as const
const STEP = 1_000

/** A number of bytes in kB, or from a million on in MB. */
export function formatBytes(bytes: number, language: string): string {
  const unit = bytes < STEP * STEP ? 0 : 1
  const value = bytes / STEP ** (unit + 1)
  const options = { style: 'unit', unit: UNITS[unit], maximumFractionDigits: value < 10 ? 1 : 0 } as const
  return value.toLocaleString(language, options)
}
