import type { PostgresStorage, Replication, Standby } from '@sales-crm/postgres'
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
