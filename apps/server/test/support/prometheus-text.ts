/** Scraped values by name and labels, as in the text. */
export type Series = ReadonlyMap<string, number>

const TYPES = ['counter', 'gauge', 'histogram', 'summary', 'untyped']
const METADATA = /^# (HELP|TYPE) ([a-zA-Z_:][a-zA-Z0-9_:]*) (.*)$/
const LABEL = /[a-zA-Z_][a-zA-Z0-9_]*="(?:[^"\\\n]|\\["\\n])*"/.source
const SAMPLE = new RegExp(
  `^([a-zA-Z_:][a-zA-Z0-9_:]*)(?:\\{(${LABEL}(?:,${LABEL})*)\\})? ([+-]?(?:\\d+(?:\\.\\d+)?(?:e[+-]?\\d+)?|Inf)|NaN)$`,
  'i',
)

/**
 * Parses version 0.0.4 of the text format, more strictly than Prometheus does. @throws Error for the first
 * invalid line
 */
export function readPrometheusText(text: string): Series {
  if (!text.endsWith('\n')) throw new Error('The last line does not end with a newline.')
  const series = new Map<string, number>()
  const types = new Map<string, string>()
  const namesWithHelp = new Set<string>()
  let kind = ''
  for (const line of text.slice(0, -1).split('\n')) {
    if (line === '') continue
    const [, keyword, name = '', rest = ''] = METADATA.exec(line) ?? []
    if (keyword === 'HELP') {
      if (namesWithHelp.has(name)) throw new Error(`Duplicate: ${line}`)
      namesWithHelp.add(name)
    } else if (keyword === 'TYPE') {
      if (types.has(name) || !TYPES.includes(rest)) throw new Error(`Duplicate or unknown type: ${line}`)
      types.set(name, rest)
      kind = name
    } else {
      const [, sampleName = '', labels, value = ''] = SAMPLE.exec(line) ?? []
      const suffixes = types.get(kind) === 'histogram' ? ['_bucket', '_sum', '_count'] : ['']
      if (!suffixes.some((suffix) => sampleName === kind + suffix))
        throw new Error(`Not a sample of ${kind}: ${line}`)
      const key = labels === undefined ? sampleName : `${sampleName}{${labels}}`
      if (series.has(key)) throw new Error(`Duplicate: ${line}`)
      series.set(key, numberOf(value))
    }
  }
  for (const [name, type] of types) if (type === 'histogram') checkHistogram(name, series)
  return series
}

/** Returns the sorted keys that begin with `prefix`, without histogram buckets. */
export function seriesWithPrefix(series: Series, prefix: string): string[] {
  return [...series.keys()].filter((key) => key.startsWith(prefix) && !key.includes('le="')).sort()
}

function numberOf(value: string): number {
  return Number(value.replace(/inf/i, 'Infinity').replace(/^nan$/i, 'NaN'))
}

/** Checks that bucket bounds and counts increase, and that the last bucket holds the total. */
function checkHistogram(name: string, series: Series): void {
  const last = new Map<string, { readonly upperBound: number; readonly value: number }>()
  for (const [key, value] of series) {
    if (!key.startsWith(`${name}_bucket{`)) continue
    const le = /le="([^"]*)"/.exec(key)?.[1]
    if (le === undefined) throw new Error(`No upper bound: ${key}`)
    const labels = key.slice(`${name}_bucket`.length).replace(/,?le="[^"]*",?/, '')
    const previous = last.get(labels) ?? { upperBound: -Infinity, value: 0 }
    const upperBound = numberOf(le)
    if (upperBound <= previous.upperBound || value < previous.value)
      throw new Error(`Smaller than the previous bucket: ${key}`)
    last.set(labels, { upperBound, value })
  }
  for (const [labels, { upperBound, value }] of last) {
    const count = series.get(`${name}_count${labels === '{}' ? '' : labels}`)
    if (upperBound !== Infinity || value !== count)
      throw new Error(`The buckets of ${name}${labels} do not hold every observation.`)
  }
}
