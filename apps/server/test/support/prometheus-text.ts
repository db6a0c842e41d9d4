/** What is scraped: the value of each series, under its name and its labels as they stand there. */
export type Series = ReadonlyMap<string, number>

const TYPES = ['counter', 'gauge', 'histogram', 'summary', 'untyped']
const ABOUT = /^# (HELP|TYPE) ([a-zA-Z_:][a-zA-Z0-9_:]*) (.*)$/
const LABEL = /[a-zA-Z_][a-zA-Z0-9_]*="(?:[^"\\\n]|\\["\\n])*"/.source
const SAMPLE = new RegExp(
  `^([a-zA-Z_:][a-zA-Z0-9_:]*)(?:\\{(${LABEL}(?:,${LABEL})*)\\})? ([+-]?(?:\\d+(?:\\.\\d+)?(?:e[+-]?\\d+)?|Inf)|NaN)$`,
  'i',
)

/** Reads version 0.0.4 of the text format more strictly than Prometheus does. @throws Error for the first line that is not of it */
export function readPrometheusText(text: string): Series {
  if (!text.endsWith('\n')) throw new Error('The last line does not end.')
  const series = new Map<string, number>()
  const types = new Map<string, string>()
  const helped = new Set<string>()
  let family = ''
  for (const line of text.slice(0, -1).split('\n')) {
    if (line === '') continue
    const [, about, name = '', rest = ''] = ABOUT.exec(line) ?? []
    if (about === 'HELP') {
      if (helped.has(name)) throw new Error(`Twice: ${line}`)
      helped.add(name)
    } else if (about === 'TYPE') {
      if (types.has(name) || !TYPES.includes(rest)) throw new Error(`Twice, or no type: ${line}`)
      types.set(name, rest)
      family = name
    } else {
      const [, of = '', labels, value = ''] = SAMPLE.exec(line) ?? []
      const suffixes = types.get(family) === 'histogram' ? ['_bucket', '_sum', '_count'] : ['']
      if (!suffixes.some((suffix) => of === family + suffix)) throw new Error(`Not of ${family}: ${line}`)
      const key = labels === undefined ? of : `${of}{${labels}}`
      if (series.has(key)) throw new Error(`Twice: ${line}`)
      series.set(key, numberOf(value))
    }
  }
  for (const [name, type] of types) if (type === 'histogram') checkHistogram(name, series)
  return series
}

/** Names with labels, without those of histograms' buckets. */
export function seriesWithPrefix(series: Series, prefix: string): string[] {
  return [...series.keys()].filter((key) => key.startsWith(prefix) && !key.includes('le="')).sort()
}

function numberOf(value: string): number {
  return Number(value.replace(/inf/i, 'Infinity').replace(/^nan$/i, 'NaN'))
}

/** Buckets hold what those below them hold, and the last holds all. */
function checkHistogram(name: string, series: Series): void {
  const last = new Map<string, { readonly most: number; readonly value: number }>()
  for (const [key, value] of series) {
    if (!key.startsWith(`${name}_bucket{`)) continue
    const bound = /le="([^"]*)"/.exec(key)?.[1]
    if (bound === undefined) throw new Error(`No bound: ${key}`)
    const labels = key.slice(`${name}_bucket`.length).replace(/,?le="[^"]*",?/, '')
    const before = last.get(labels) ?? { most: -Infinity, value: 0 }
    const most = numberOf(bound)
    if (most <= before.most || value < before.value) throw new Error(`Less than before: ${key}`)
    last.set(labels, { most, value })
  }
  for (const [labels, { most, value }] of last) {
    const count = series.get(`${name}_count${labels === '{}' ? '' : labels}`)
    if (most !== Infinity || value !== count)
      throw new Error(`The buckets of ${name}${labels} do not hold all of it.`)
  }
}
