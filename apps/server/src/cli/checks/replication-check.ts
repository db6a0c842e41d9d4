import { setTimeout } from 'node:timers/promises'
import type { PostgresStorage, ReplicaState, Replication, Standby } from '@sales-crm/postgres'
import type { Settings } from '../../process/settings.ts'
import type { CheckResult } from './check.ts'

/** Says which server takes writes, and whether its loss would lose commits. */
export async function checkReplication(storage: Pick<PostgresStorage, 'replication'>): Promise<CheckResult> {
  const replication = await storage.replication()
  const { leader, standbys } = replication
  if (standbys.length === 0) return describeWithoutStandby(replication)
  const servers = `${leader} takes writes, ${standbys.map(describeStandby).join(', ')} ${standbys.length === 1 ? 'follows' : 'follow'}`
  if (!replication.isSynchronous)
    return [
      'warn',
      `${servers}. Commits do not wait for a standby: a failover loses the last of them. ` +
        'Set synchronous_standby_names, or synchronous_mode with Patroni.',
    ]
  if (standbys.every(({ syncState }) => syncState === null))
    return ['warn', `${servers}. Grant pg_monitor to the user in DATABASE_URL to see how far they are.`]
  return ['ok', `${servers}. A failover loses no commit`]
}

function describeWithoutStandby({ leader, isSynchronous }: Replication): CheckResult {
  if (!isSynchronous)
    return ['ok', `${leader} takes writes, and has no standby: what a backup lacks is lost with it`]
  return [
    'warn',
    `${leader} takes writes, and each commit waits for a standby, of which none is connected. ` +
      'Start one, or clear synchronous_standby_names.',
  ]
}

function describeStandby({ name, syncState, lagBytes }: Standby): string {
  if (syncState === null || lagBytes === null) return name
  return `${name} (${syncState}, ${lagBytes === 0 ? 'up to date' : `${Math.ceil(lagBytes / 1000)} kB behind`})`
}

/** Milliseconds. A heartbeat that was just written reaches a replica in less. */
const HEARTBEAT_TIME = 3000
const PAUSE = 250

/** Says which replicas reads go to. */
export async function checkReplicas(
  storage: Pick<PostgresStorage, 'replicas'>,
  { readLagSeconds }: Pick<Settings, 'readLagSeconds'>,
): Promise<CheckResult> {
  const end = Date.now() + HEARTBEAT_TIME
  let replicas = await storage.replicas()
  while (replicas.some(hasProblem) && Date.now() < end) {
    await setTimeout(PAUSE)
    replicas = await storage.replicas()
  }
  const details = replicas.map((replica) => `${replica.server} ${describeReplica(replica, readLagSeconds)}`)
  return [replicas.some(hasProblem) ? 'warn' : 'ok', details.join('; ')]
}

function hasProblem({ status }: ReplicaState): boolean {
  return status === 'behind' || status === 'unavailable'
}

function describeReplica({ status, lagSeconds = 0 }: ReplicaState, readLagSeconds: number): string {
  const lag = `${lagSeconds.toFixed(1)} s behind`
  if (status === 'used') return `is read from, ${lagSeconds === 0 ? 'up to date' : lag}`
  if (status === 'leader') return 'takes writes'
  if (status === 'behind')
    return `is ${lag}, more than READ_LAG_SECONDS=${readLagSeconds}, and left out until then`
  return 'of DATABASE_READ_URL does not answer, or follows another server than that of DATABASE_URL. Start it, or correct the address'
}
