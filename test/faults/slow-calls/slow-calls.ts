import { OWNER_EMAIL } from '../../../bench/data.ts'
import type { FaultEnvironment } from '../environment.ts'
import type { Effort, Fault } from '../fault.ts'
import { createOtherWorkspace } from '../other-workspace.ts'
import { ApiCaller } from './api-caller.ts'
import { type Latencies, Neighbour } from './neighbour.ts'
import { findTargets } from './quota-targets.ts'
import { listReads } from './read-calls.ts'
import { seedQuota } from './seed-quota.ts'
import { listWrites } from './write-calls.ts'

/** Milliseconds. Held in a thorough run only: a test does not time. */
const [MAX_HEALTH_MS, MAX_NEIGHBOUR_MS] = [100, 300]
/** A call that was slow once is measured again: the machine may have been busy. */
const TRIES = 3
const LISTED = 15

interface Measured extends Latencies {
  readonly name: string
  readonly own: number
}

/** Every read with every filter, and every write at its allowed size, on a workspace at its default quota. */
export const slowCalls: Fault = {
  name: 'slow-calls',
  title: 'calls on a workspace at its quota',
  databases: ['sqlite', 'postgres'],
  briefDatabase: 'postgres',
  async run(environment, effort) {
    await seedQuota(environment, effort)
    const { token: other } = await createOtherWorkspace(environment)
    const { port } = await environment.startService()
    const neighbour = new Neighbour({ port, token: other })
    try {
      const measured = await measureAll(environment, effort, port, neighbour)
      return summarize(measured, effort)
    } finally {
      await neighbour.stop()
    }
  },
}

export async function measureAll(
  { token, withCore, workspaceId }: Pick<FaultEnvironment, 'token' | 'withCore' | 'workspaceId'>,
  effort: Effort,
  port: number,
  neighbour: Neighbour,
): Promise<readonly Measured[]> {
  const api = new ApiCaller(port, token)
  const { values, ids } = await findTargets(api)
  const document = await api.readJson('/openapi.json')
  const measured: Measured[] = []
  const reads = listReads(document as never, { ...values, owner_email: [OWNER_EMAIL] }, ids)
  // A brief run shows that every call is served; it takes one order of each filter.
  for (const path of effort === 'brief' ? reads.filter(isBrief) : reads)
    measured.push(
      await measure(`GET ${path}`, () => api.get(path), neighbour, effort === 'brief' ? 1 : TRIES),
    )
  for (const { name, prepare, run } of listWrites(api, { withCore, workspaceId })) {
    await prepare?.()
    measured.push(await measure(name, run, neighbour, 1))
  }
  return measured
}

function isBrief(path: string): boolean {
  return !path.includes('order_by=') || path.includes('order_by=created_at')
}

async function measure(
  name: string,
  run: () => Promise<unknown>,
  neighbour: Neighbour,
  tries: number,
): Promise<Measured> {
  let best: Measured | undefined
  for (let count = 0; count < tries && (!best || isSlow(best)); count += 1) {
    const latencies = { name, ...(await neighbour.measureDuring(run)) }
    if (!best || latencies.neighbour < best.neighbour) best = latencies
  }
  return best!
}

function isSlow({ health, neighbour }: Latencies): boolean {
  return health > MAX_HEALTH_MS || neighbour > MAX_NEIGHBOUR_MS
}

export function summarize(measured: readonly Measured[], effort: Effort): string {
  const listTop = (by: 'own' | 'neighbour' | 'health') =>
    measured.toSorted((a, b) => b[by] - a[by]).slice(0, LISTED)
  if (effort === 'thorough')
    for (const by of ['own', 'neighbour', 'health'] as const) {
      console.log(`The longest by ${by}:`)
      for (const call of listTop(by)) console.log(formatCall(call))
    }
  const slow = measured.filter(isSlow)
  if (effort === 'thorough' && slow.length > 0)
    throw new Error(`${slow.length} calls hold up others:\n${slow.map(formatCall).join('\n')}`)
  const worst = (by: 'neighbour' | 'health') => Math.round(listTop(by)[0]![by])
  return `${measured.length} calls, worst of a neighbour ${worst('neighbour')} ms, of /healthz ${worst('health')} ms`
}

function formatCall({ name, own, neighbour, health }: Measured): string {
  const milliseconds = [own, neighbour, health].map((ms) => ms.toFixed(0).padStart(6)).join('')
  return `${milliseconds}  ${name}`
}
