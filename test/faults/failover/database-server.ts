import type { ChildProcess } from 'node:child_process'
import { chownSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { NOBODY } from '../../../packages/postgres/test/embedded-postgres.ts'
import { Machine, signalProcess } from './machine.ts'
import { NETWORKS, type NetworkName, type Networks } from './networks.ts'
import { formatPatroniSettings, formatProxySettings, PORTS } from './settings.ts'

/**
 * `kill`: Patroni and the postmaster get SIGKILL. `freeze`: all processes get SIGSTOP. `cut off`: no packet reaches
 * the server. `separate`: clients reach the server, and it does not reach the other servers and etcd.
 */
export const FAILURES = ['kill', 'freeze', 'cut off', 'separate'] as const
export type Failure = (typeof FAILURES)[number]

/** The last numbers of addresses. The servers have the first ones. */
const HOSTS = { etcd: 8, proxy: 9 } as const
const PROXY_PORT = 5000
const RESPONSE_TIMEOUT_MS = 2_000

export interface ServerOptions {
  readonly etcdAddress: string
  /** The folder of PostgreSQL's programs. */
  readonly programs: string
  /** True if a commit waits until a standby has it, and as long as there is none. */
  readonly isSynchronous: boolean
}

/** A PostgreSQL server under Patroni, on a machine of its own. */
export class DatabaseServer {
  readonly name: string
  readonly #machine: Machine
  readonly #folder: string
  #patroni: ChildProcess

  private constructor(name: string, machine: Machine, folder: string) {
    this.name = name
    this.#machine = machine
    this.#folder = folder
    this.#patroni = this.#startPatroni()
  }

  /** @param number the last number of its addresses */
  static async start(
    networks: Networks,
    parent: string,
    number: number,
    options: ServerOptions,
  ): Promise<DatabaseServer> {
    const name = `server${number}`
    const machine = await Machine.create(networks, number)
    const folder = createFolder(parent, name)
    writeFileSync(
      join(folder, 'patroni.yml'),
      formatPatroniSettings({ ...options, name, folder, address: machine.addresses.cluster }),
    )
    return new DatabaseServer(name, machine, folder)
  }

  /** The address for clients. */
  get address(): string {
    return this.#machine.addresses.clients
  }

  async fail(failure: Failure): Promise<void> {
    if (failure === 'kill') {
      this.#patroni.kill('SIGKILL')
      signalProcess(this.#readPostmasterPid(), 'SIGKILL')
    } else if (failure === 'freeze') await this.#machine.freeze()
    else await this.#machine.disconnect(networksOf(failure))
  }

  /** Ends a failure. Patroni then lets the server rejoin the cluster. */
  async repair(failure: Failure): Promise<void> {
    if (failure === 'kill') {
      // The sessions of a killed postmaster end when they notice it.
      await this.#machine.waitUntilEnded()
      this.#patroni = this.#startPatroni()
    } else if (failure === 'freeze') await this.#machine.thaw()
    else await this.#machine.reconnect(networksOf(failure))
  }

  /** Returns the roles of all servers as Patroni has recorded them, or none if this one does not respond. */
  async listRoles(): Promise<readonly string[]> {
    const url = `http://${this.address}:${PORTS.patroni}/cluster`
    const response = await fetch(url, { signal: AbortSignal.timeout(RESPONSE_TIMEOUT_MS) }).catch(
      () => undefined,
    )
    const cluster = (await response?.json()) as
      | { readonly members: readonly { readonly role: string }[] }
      | undefined
    return cluster?.members.map(({ role }) => role) ?? []
  }

  readLog(): string {
    return readFileSync(join(this.#folder, 'log'), 'utf8')
  }

  #startPatroni(): ChildProcess {
    return this.#machine.run('patroni', ['patroni.yml'], this.#folder)
  }

  #readPostmasterPid(): number {
    return Number.parseInt(readFileSync(join(this.#folder, 'data', 'postmaster.pid'), 'utf8'), 10)
  }
}

/** Starts etcd and returns its address. */
export async function startEtcd(networks: Networks, parent: string): Promise<string> {
  const machine = await Machine.create(networks, HOSTS.etcd)
  const address = machine.addresses.cluster
  const url = `http://${address}:${PORTS.etcd}`
  const urls = [`--listen-client-urls=${url}`, `--advertise-client-urls=${url}`]
  // It is never killed, and a slow disk must not delay the renewal of the leader's lease.
  machine.run(
    'etcd',
    ['--enable-v2', '--unsafe-no-fsync', '--data-dir=data', ...urls],
    createFolder(parent, 'etcd'),
  )
  return address
}

/** Starts HAProxy and returns its address and port. */
export async function startProxy(
  networks: Networks,
  parent: string,
  servers: readonly DatabaseServer[],
): Promise<string> {
  const machine = await Machine.create(networks, HOSTS.proxy)
  const folder = createFolder(parent, 'proxy')
  writeFileSync(join(folder, 'haproxy.cfg'), formatProxySettings(PROXY_PORT, servers))
  machine.run('haproxy', ['-db', '-f', 'haproxy.cfg'], folder)
  return `${machine.addresses.clients}:${PROXY_PORT}`
}

function createFolder(parent: string, name: string): string {
  const folder = join(parent, name)
  mkdirSync(folder)
  chownSync(folder, NOBODY.uid, NOBODY.gid)
  return folder
}

function networksOf(failure: 'cut off' | 'separate'): readonly NetworkName[] {
  return failure === 'separate' ? ['cluster'] : NETWORKS
}
