/** Ports of each server. Patroni answers whether it has the leader on the second. */
export const PORTS = { postgres: 5432, patroni: 8008, etcd: 2379 } as const

/**
 * Seconds. Patroni requires `loop_wait + 2 * retry_timeout <= ttl`. Its documented minimum of `retry_timeout` is 3
 * and of `loop_wait` 1. Its documented minimum of `ttl` is 20, which version 3.0 does not enforce and later ones do.
 */
const TIMES = { ttl: 7, loop_wait: 1, retry_timeout: 3 }

export interface ServerAddress {
  readonly name: string
  readonly address: string
}

export interface PatroniOptions extends ServerAddress {
  readonly etcdAddress: string
  /** The folder of the server's data. */
  readonly folder: string
  /** The folder of PostgreSQL's programs. */
  readonly programs: string
  /** True if a commit waits until a standby has it on its disk. */
  readonly isSynchronous: boolean
}

/** Returns the configuration of Patroni. JSON is valid YAML. */
export function formatPatroniSettings(options: PatroniOptions): string {
  const { name, address, etcdAddress, folder, programs, isSynchronous } = options
  const dcs = {
    ...TIMES,
    synchronous_mode: isSynchronous,
    synchronous_mode_strict: isSynchronous,
    // Without it, Patroni does not promote a standby of an asynchronous cluster that is behind.
    maximum_lag_on_failover: 1_000_000_000,
    postgresql: {
      use_pg_rewind: true,
      use_slots: true,
      parameters: {
        max_connections: 200,
        shared_buffers: '128MB',
        // The default of 5 s delays the standby that commits wait for.
        wal_retrieve_retry_interval: '500ms',
      },
    },
  }
  return JSON.stringify({
    scope: 'crm',
    name,
    restapi: { listen: `0.0.0.0:${PORTS.patroni}`, connect_address: `${address}:${PORTS.patroni}` },
    // Over version 3 of etcd's interface, Patroni 3.0 takes the leader's key without a comparison when its lease has
    // expired. A leader that was frozen then replaces the one elected meanwhile, and acknowledged writes are lost.
    etcd: { hosts: `${etcdAddress}:${PORTS.etcd}` },
    bootstrap: { dcs, initdb: [{ encoding: 'UTF8' }, { locale: 'C' }, 'data-checksums'] },
    postgresql: {
      listen: `0.0.0.0:${PORTS.postgres}`,
      connect_address: `${address}:${PORTS.postgres}`,
      data_dir: `${folder}/data`,
      bin_dir: programs,
      pgpass: `${folder}/pgpass`,
      authentication: { superuser: { username: 'postgres' }, replication: { username: 'replicator' } },
      parameters: { unix_socket_directories: folder, log_min_messages: 'log' },
      pg_hba: ['local all all trust', 'host all all all trust', 'host replication all all trust'],
      basebackup: [{ checkpoint: 'fast' }],
    },
  })
}

/** Returns the configuration of HAProxy: connections to the leader, which end once it no longer is the leader. */
export function formatProxySettings(port: number, servers: readonly ServerAddress[]): string {
  const lines = servers.map(
    ({ name, address }) => `  server ${name} ${address}:${PORTS.postgres} check port ${PORTS.patroni}`,
  )
  return `defaults
  mode tcp
  timeout connect 1s
  timeout client 1h
  timeout server 1h
  timeout check 1s
listen leader
  bind :${port}
  option httpchk OPTIONS /primary
  http-check expect status 200
  default-server inter 500ms fall 2 rise 1 on-marked-down shutdown-sessions
${lines.join('\n')}
`
}
