import type { Server } from '../../bench/processes.ts'
import { endLeases, expectSentOnce, type Leases, noteLeases, waitUntilSent } from './exactly-once.ts'
import type { Fault } from './fault.ts'
import { startLimitedCallers } from './limited-callers.ts'
import { createAuthorizedApps, expectRevoked } from './revocation.ts'
import { expectStored } from './stored-records.ts'
import { expectNoFailures, startWriters } from './writers.ts'

const LIMIT = 40
/** A lease is twenty seconds longer than the time that an attempt has. */
const SETTINGS = { RATE_LIMIT_GET: String(LIMIT), WEBHOOK_TIMEOUT_SECONDS: '30' }
/** Both refuse each app, and in a minute an address is refused no more often than the limit says. */
const MOST_APPS = LIMIT / 2
const EFFORTS = {
  brief: { kills: 1, apps: 4, writes: 60 },
  thorough: { kills: MOST_APPS / 2, apps: MOST_APPS, writes: 400 },
}
/**
 * A second attempt would follow only after a quarter of an hour: within it nothing is sent twice but for
 * leases that ended.
 */
const SENT_MS = 120_000

/** Two processes on one database know of each other only what it tells them. */
export const replica: Fault = {
  name: 'replica',
  title: 'two replicas under load, one of them killed',
  databases: ['postgres'],
  async run(place, effort) {
    const { kills, apps, writes } = EFFORTS[effort]
    const receiver = await place.receive()
    await place.subscribe(receiver.url('/after/400'))
    const letIn = await createAuthorizedApps(place, apps)
    const leases: Leases = new Map()
    let replicas: readonly [Server, Server] = [await place.start(SETTINGS), await place.start(SETTINGS)]
    const portsOf = ([first, second]: typeof replicas) => [first.port, second.port] as const
    const writers = startWriters({ token: place.token, ports: portsOf(replicas) })
    const limited = startLimitedCallers(place.token, LIMIT, portsOf(replicas))
    for (let round = 0; round < kills; round += 1) {
      await writers.acknowledged(writes)
      const each = apps / kills
      await expectRevoked(letIn.slice(round * each, (round + 1) * each), portsOf(replicas))
      const [victim, survivor] = replicas
      await victim.kill()
      await noteLeases(place, leases)
      writers.goTo(survivor.port)
      limited.goTo(survivor.port)
      await writers.acknowledged(writes)
      replicas = [survivor, await place.start(SETTINGS)]
      writers.goTo(...portsOf(replicas))
      limited.goTo(...portsOf(replicas))
    }
    const counted = await limited.stop()
    const written = await writers.stop()
    expectNoFailures(written)
    if (effort === 'brief') {
      await waitUntilSent(place, leases, SENT_MS)
      expectSentOnce(await receiver.heard(), leases)
      await endLeases(place, leases)
    }
    await waitUntilSent(place, new Map(), SENT_MS)
    const { again } = expectSentOnce(await receiver.heard(), leases)
    await Promise.all(replicas.map((each) => each.stop()))
    const { tasks, events } = await expectStored(place, written)
    return `${kills} kills, ${tasks} tasks kept, ${written.lost} calls without word, ${events} events told, ${again} of them again after a lease, ${counted.through} calls let through and ${counted.refused} refused in ${counted.windows} windows of ${LIMIT}, ${apps} grants revoked`
  },
}
