import { setTimeout as sleep } from 'node:timers/promises'
import type { ConsoleBrowser, Tab } from './browser.ts'
import type { Row } from './rows.ts'

const MAX_GROWTH_PERCENT = 10
const ROUNDS = 200
/** Every page of the path is loaded and cached before the first measurement. */
const WARM_UP_ROUNDS = 20
const QUIET_MS = 2_000

/**
 * Measures the objects of the JavaScript heap after collections of garbage, before and after rounds of clicks. Compiled
 * code is left out: the engine goes on optimizing for hundreds of rounds.
 */
export async function measureMemory(browser: ConsoleBrowser): Promise<readonly Row[]> {
  // Speed is irrelevant.
  const tab = await browser.openTab({ slowdown: 1 })
  await tab.open('/')
  await tab.evaluate(`probe.waitForElements('main h1', 1)`)
  await tab.evaluate(`clickThrough(${WARM_UP_ROUNDS})`)
  const before = await readObjectBytes(tab)
  await tab.evaluate(`clickThrough(${ROUNDS})`)
  const after = await readObjectBytes(tab)
  await tab.close()
  return [
    {
      title: `memory: growth of the objects in ${ROUNDS} rounds`,
      unit: '%',
      digits: 1,
      values: [100 * (after / before - 1)],
      atMost: MAX_GROWTH_PERCENT,
    },
  ]
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

/** Returns the bytes of all objects but compiled code and what the browser holds outside of the heap. */
async function readObjectBytes({ devtools }: Tab): Promise<number> {
  // What is shown last may have timers that hold it.
  await sleep(QUIET_MS)
  // The first collection runs finalizers, whose values the next one collects.
  for (let time = 0; time < 3; time += 1) await devtools.send('HeapProfiler.collectGarbage')
  const { snapshot, nodes } = await takeSnapshot(devtools)
  const { node_fields: fields, node_types: types } = snapshot.meta
  const [type, size] = [fields.indexOf('type'), fields.indexOf('self_size')]
  const others = new Set(['code', 'native'].map((name) => types[0].indexOf(name)))
  let sum = 0
  for (let at = 0; at < nodes.length; at += fields.length)
    if (!others.has(nodes[at + type]!)) sum += nodes[at + size]!
  return sum
}

async function takeSnapshot(devtools: Tab['devtools']): Promise<Snapshot> {
  const chunks: string[] = []
  const add = ({ chunk }: { readonly chunk: string }) => void chunks.push(chunk)
  devtools.on('HeapProfiler.addHeapSnapshotChunk', add)
  await devtools.send('HeapProfiler.takeHeapSnapshot', { reportProgress: false })
  devtools.off('HeapProfiler.addHeapSnapshotChunk', add)
  return JSON.parse(chunks.join('')) as Snapshot
}
