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

/** Says which replicas reads go to. */
export async function checkReplicas(
  storage: Pick<PostgresStorage, 'replicas'>,
  { readLagSeconds }: Pick<Settings, 'readLagSeconds'>,
): Promise<CheckResult> {
  const replicas = await storage.replicas()
  const problems = replicas.filter(({ isUsed }) => !isUsed)
  if (problems.length === 0)
    return [
      'ok',
      `reads go to ${replicas.map(({ server, lagSeconds }) => `${server} (${formatLag(lagSeconds)})`).join(', ')}`,
    ]
  return [
    'warn',
    problems.map((replica) => `${replica.server} ${describeProblem(replica, readLagSeconds)}`).join(' '),
  ]
}

function describeProblem({ lagSeconds }: ReplicaState, readLagSeconds: number): string {
  if (lagSeconds === undefined)
    return 'of DATABASE_READ_URL does not answer, or is no replica of the server in DATABASE_URL. Reads go elsewhere: start it, or correct the address.'
  return `is ${formatLag(lagSeconds)}, more than READ_LAG_SECONDS=${readLagSeconds}. Reads go elsewhere until it has caught up.`
}

function formatLag(seconds = 0): string {
  return `${seconds.toFixed(1)} s behind`
}
