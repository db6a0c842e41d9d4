const UNITS = ['byte', 'kilobyte', 'megabyte', 'gigabyte'] as const

/** `418 kB` */
export function formatBytes(bytes: number, language: string): string {
  const power = Math.min(UNITS.length - 1, Math.floor(Math.log10(Math.max(1, bytes)) / 3))
  return new Intl.NumberFormat(language, {
    style: 'unit',
    unit: UNITS[power],
    unitDisplay: 'short',
    maximumFractionDigits: power > 1 ? 1 : 0,
  }).format(bytes / 1000 ** power)
}
