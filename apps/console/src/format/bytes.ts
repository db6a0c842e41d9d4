const UNITS = ['byte', 'kilobyte', 'megabyte', 'gigabyte', 'terabyte']
const STEP = 1000

/** Formats a size in the largest unit of which there is at least one. */
export function formatBytes(bytes: number, language: string): string {
  const size = bytes < STEP ? 0 : Math.floor(Math.log10(bytes) / 3)
  const unit = UNITS[Math.min(size, UNITS.length - 1)]!
  const value = bytes / STEP ** UNITS.indexOf(unit)
  return new Intl.NumberFormat(language, {
    style: 'unit',
    unit,
    unitDisplay: unit === 'byte' ? 'long' : 'short',
    maximumFractionDigits: 1,
  }).format(value)
}
