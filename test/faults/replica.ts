import type { Server } from '../../bench/processes.ts'
import { endLeases, expectSentOnce, type Leases, noteLeases, waitUntilSent } from './exactly-once.ts'
import type { Fault } from './fault.ts'
import { startLimitedCallers } from './limited-callers.ts'
import { createAuthorizedApps, expectRevoked } from './revocation.ts'
import { expectStored } from './stored-records.ts'
import { expectNoFailures, startWriters } from './writers.ts'

const LIMIT = 40
/** A lease is 80 seconds longer than the timeout of an attempt. */
const SETTINGS = { RATE_LIMIT_GET: String(LIMIT), WEBHOOK_TIMEOUT_SECONDS: '30' }
/** Both processes reject each revoked app, and rejections of one address are limited to half of them. */
const MAX_APPS = LIMIT / 2
const EFFORTS = {
  brief: { kills: 1, apps: 4, writeCount: 60 },
  thorough: { kills: MAX_APPS / 2, apps: MAX_APPS, writeCount: 400 },
}
/**
 * Shorter than the retry interval of 15 minutes: within it, a second attempt can only follow an expired
 * lease.
 */
const DELIVERY_TIMEOUT_MS = 180_000

/** Two processes on one database share limits, revocations and leases only through it. */
export const replica: Fault = {
  name: 'replica',
  title: 'two replicas under load, one of them killed',
  databases: ['postgres'],
  async run(environment, effort) {
    const { kills, apps, writeCount } = EFFORTS[effort]
    const receiver = await environment.startReceiver()
    await environment.subscribe(receiver.url('/after/400'))
    const authorizedApps = await createAuthorizedApps(environment, apps)
    const leases: Leases = new Map()
    let replicas: readonly [Server, Server] = [
      await environment.startService(SETTINGS),
      await environment.startService(SETTINGS),
    ]
    const portsOf = ([first, second]: typeof replicas) => [first.port, second.port] as const
    const writers = startWriters({ token: environment.token, ports: portsOf(replicas) })
    const limited = startLimitedCallers(environment.token, LIMIT, portsOf(replicas))
    for (let round = 0; round < kills; round += 1) {
      await writers.waitForWrites(writeCount)
      const appsPerRound = apps / kills
      await expectRevoked(
        authorizedApps.slice(round * appsPerRound, (round + 1) * appsPerRound),
        portsOf(replicas),
      )
      const [victim, survivor] = replicas
      await victim.kill()
      await noteLeases(environment, leases)
      writers.setPorts(survivor.port)
      limited.setPorts(survivor.port)
      await writers.waitForWrites(writeCount)
      replicas = [survivor, await environment.startService(SETTINGS)]
      writers.setPorts(...portsOf(replicas))
      limited.setPorts(...portsOf(replicas))
    }
    const limitTotals = await limited.stop()
    const writes = await writers.stop()
    expectNoFailures(writes)
    if (effort === 'brief') {
      await waitUntilSent(environment, leases, DELIVERY_TIMEOUT_MS)
      expectSentOnce(await receiver.listDeliveries(), leases)
      await endLeases(environment, leases)
    }
    await waitUntilSent(environment, new Map(), DELIVERY_TIMEOUT_MS)
    const { redeliveries } = expectSentOnce(await receiver.listDeliveries(), leases)
    await Promise.all(replicas.map((replica) => replica.stop()))
    const { tasks, events } = await expectStored(environment, writes)
    return `${kills} kills, ${tasks} tasks stored, ${writes.lostCount} calls without a response, ${events} events delivered, ${redeliveries} of them again after a lease, ${limitTotals.accepted} calls accepted and ${limitTotals.rejected} rejected in ${limitTotals.windows} windows of ${LIMIT}, ${apps} grants revoked`
  },
}
