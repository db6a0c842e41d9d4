import type { ConsoleBrowser, Tab } from './browser.ts'
import type { Row } from './rows.ts'

const TARGET_PERCENT = 10
/** Every page of the path is loaded and cached before the first measurement. */
const WARM_UP_ROUNDS = 20
const MEGABYTE = 1e6
const QUIET_MS = 2000

interface Memory {
  readonly heap: number
  readonly nodes: number
  readonly listeners: number
}

/**
 * Measures the objects of the JavaScript heap after collections of garbage, before and after rounds of clicks. Compiled
 * code is left out: the engine goes on optimizing for hundreds of rounds.
 */
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
    { title: 'memory: objects before the rounds', unit: 'MB', digits: 1, values: [before.heap / MEGABYTE] },
    {
      title: `memory: objects after ${rounds} rounds`,
      unit: 'MB',
      digits: 1,
      values: [after.heap / MEGABYTE],
    },
    {
      title: 'memory: growth of the objects',
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
  // What is shown last may have timers that hold it.
  await new Promise((resolve) => setTimeout(resolve, QUIET_MS))
  await devtools.send('Performance.enable')
  // The first collection runs finalizers, whose values the next one collects.
  for (let time = 0; time < 3; time += 1) await devtools.send('HeapProfiler.collectGarbage')
  const { metrics } = await devtools.send('Performance.getMetrics')
  const read = (name: string) => metrics.find((metric) => metric.name === name)?.value ?? Number.NaN
  return {
    heap: sumObjects(await takeSnapshot(devtools)),
    nodes: read('Nodes'),
    listeners: read('JSEventListeners'),
  }
}

interface Snapshot {
  readonly snapshot: {
    readonly meta: {
      readonly node_fields: readonly string[]
      readonly node_types: readonly [readonly string[]]
    }
  }
  /** The fields of each node, one after the other. */
  readonly nodes: readonly number[]
}

async function takeSnapshot(devtools: Tab['devtools']): Promise<Snapshot> {
  const chunks: string[] = []
  const add = ({ chunk }: { readonly chunk: string }) => void chunks.push(chunk)
  devtools.on('HeapProfiler.addHeapSnapshotChunk', add)
  await devtools.send('HeapProfiler.takeHeapSnapshot', { reportProgress: false })
  devtools.off('HeapProfiler.addHeapSnapshotChunk', add)
  return JSON.parse(chunks.join('')) as Snapshot
}

/** Bytes of all objects but compiled code and what the browser holds outside of the heap. */
function sumObjects({ snapshot: { meta }, nodes }: Snapshot): number {
  const { node_fields: fields, node_types: types } = meta
  const [type, size] = [fields.indexOf('type'), fields.indexOf('self_size')]
  const others = new Set(['code', 'native'].map((name) => types[0].indexOf(name)))
  let sum = 0
  for (let at = 0; at < nodes.length; at += fields.length)
    if (!others.has(nodes[at + type]!)) sum += nodes[at + size]!
  return sum
}
