/** Reads the metrics of a process in Prometheus' text format. */
export async function readMetrics(metricsPort: number): Promise<string> {
  return (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text()
}

/**
 * Returns the sum of a metric over its labels that match.
 * @throws Error if the metric has no value
 */
export function sumMetric(text: string, name: string, labels = /^/): number {
  const values = text.split('\n').flatMap((line) => {
    const [, lineLabels = '', value] = new RegExp(`^${name}(\\{.*\\})? (\\S+)$`).exec(line) ?? []
    return value !== undefined && labels.test(lineLabels) ? [Number(value)] : []
  })
  if (values.length === 0) throw new Error(`The metrics have no value of ${name}.`)
  return values.reduce((sum, value) => sum + value)
}
