import type { ConsoleBrowser, Tab } from './browser.ts'
import type { Row } from './rows.ts'

const TARGET_PERCENT = 10
/** Every page of the path is loaded and cached before the first measurement. */
const WARM_UP_ROUNDS = 20
const MEGABYTE = 1e6

interface Memory {
  readonly heap: number
  readonly nodes: number
  readonly listeners: number
}

/** Measures the JavaScript heap after collections of garbage, before and after rounds of clicks. */
export async function measureMemory(browser: ConsoleBrowser, rounds: number): Promise<readonly Row[]> {
  // Speed is irrelevant.
  const tab = await browser.openTab({ slowdown: 1 })
  await tab.open('/')
  await tab.evaluate(`probe.waitForElements('main h1', 1)`)
  await tab.evaluate(`clickThrough(${WARM_UP_ROUNDS})`)
  const before = await readMemory(tab)
  await tab.evaluate(`clickThrough(${rounds})`)
  const after = await readMemory(tab)
  await tab.close()
  const change = (name: string, key: 'nodes' | 'listeners'): Row => ({
    title: `memory: more ${name} after ${rounds} rounds than the ${before[key]} before`,
    unit: '',
    values: [after[key] - before[key]],
  })
  return [
    { title: 'memory: heap before the rounds', unit: 'MB', digits: 1, values: [before.heap / MEGABYTE] },
    {
      title: `memory: heap after ${rounds} rounds`,
      unit: 'MB',
      digits: 1,
      values: [after.heap / MEGABYTE],
    },
    {
      title: 'memory: growth of the heap',
      unit: '%',
      digits: 1,
      values: [100 * (after.heap / before.heap - 1)],
      target: TARGET_PERCENT,
    },
    change('nodes', 'nodes'),
    change('listeners', 'listeners'),
  ]
}

async function readMemory({ devtools }: Tab): Promise<Memory> {
  await devtools.send('Performance.enable')
  // The first collection runs finalizers, whose values the next one collects.
  for (let time = 0; time < 3; time += 1) await devtools.send('HeapProfiler.collectGarbage')
  const { metrics } = await devtools.send('Performance.getMetrics')
  const read = (name: string) => metrics.find((metric) => metric.name === name)?.value ?? Number.NaN
  return { heap: read('JSHeapUsedSize'), nodes: read('Nodes'), listeners: read('JSEventListeners') }
}
