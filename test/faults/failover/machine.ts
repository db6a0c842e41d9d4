import { type ChildProcess, spawn } from 'node:child_process'
import { closeSync, openSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { runCommand } from '../../../bench/processes.ts'
import { NOBODY } from '../../../packages/postgres/test/embedded-postgres.ts'
import { addressOf, bridgeOf, linkOf, NETWORKS, type NetworkName, type Networks } from './networks.ts'

const POLL_MS = 50

/** A network namespace with a link to each network, which can be cut: a machine as the others see it. */
export class Machine {
  readonly #namespace: string
  readonly #links: Readonly<Record<NetworkName, string>>
  readonly addresses: Readonly<Record<NetworkName, string>>

  private constructor(networks: Networks, host: number) {
    const toNetworks = <T>(getValue: (network: NetworkName) => T) =>
      Object.fromEntries(NETWORKS.map((network) => [network, getValue(network)])) as Record<NetworkName, T>
    this.#namespace = `${networks.prefix}-${host}`
    this.#links = toNetworks((network) => linkOf(networks, network, host))
    this.addresses = toNetworks((network) => addressOf(networks, network, host))
  }

  /** @param host the last number of its addresses */
  static async create(networks: Networks, host: number): Promise<Machine> {
    const machine = new Machine(networks, host)
    await machine.#connect(networks)
    return machine
  }

  /** Starts a program as the user `nobody`. It ends with this process. */
  run(program: string, args: readonly string[], folder: string): ChildProcess {
    const log = openSync(join(folder, 'log'), 'a')
    const identity = [`--reuid=${NOBODY.uid}`, `--regid=${NOBODY.gid}`, '--clear-groups', '--pdeathsig=KILL']
    const child = spawn('ip', ['netns', 'exec', this.#namespace, 'setpriv', ...identity, program, ...args], {
      cwd: folder,
      env: { PATH: process.env['PATH'], LC_ALL: 'C', HOME: folder },
      stdio: ['ignore', log, log],
    })
    closeSync(log)
    child.on('error', () => {})
    return child
  }

  /** Stops all processes where they are, without ending them. */
  async freeze(): Promise<void> {
    const frozen = new Set<number>()
    for (;;) {
      const running = (await this.#listProcesses()).filter((pid) => !frozen.has(pid))
      if (running.length === 0) return
      for (const pid of running) {
        frozen.add(pid)
        signalProcess(pid, 'SIGSTOP')
      }
    }
  }

  async thaw(): Promise<void> {
    for (const pid of await this.#listProcesses()) signalProcess(pid, 'SIGCONT')
  }

  /** Waits until the last process has ended. */
  async waitUntilEnded(): Promise<void> {
    while ((await this.#listProcesses()).length > 0) await sleep(POLL_MS)
  }

  /** Drops all packets from and to these networks without a notice, as a cut cable does. */
  async disconnect(networks: readonly NetworkName[]): Promise<void> {
    await this.#setLinks(networks, 'down')
  }

  async reconnect(networks: readonly NetworkName[]): Promise<void> {
    await this.#setLinks(networks, 'up')
  }

  async #setLinks(networks: readonly NetworkName[], state: 'down' | 'up'): Promise<void> {
    for (const network of networks) await runCommand('ip', ['link', 'set', this.#links[network], state])
  }

  async #connect(networks: Networks): Promise<void> {
    const inside = ['-netns', this.#namespace]
    await runCommand('ip', ['netns', 'add', this.#namespace])
    await runCommand('ip', [...inside, 'link', 'set', 'lo', 'up'])
    for (const network of NETWORKS) {
      const link = this.#links[network]
      const peer = ['peer', 'name', network, 'netns', this.#namespace]
      await runCommand('ip', ['link', 'add', link, 'type', 'veth', ...peer])
      await runCommand('ip', ['link', 'set', link, 'master', bridgeOf(networks, network), 'up'])
      await runCommand('ip', [...inside, 'address', 'add', `${this.addresses[network]}/24`, 'dev', network])
      await runCommand('ip', [...inside, 'link', 'set', network, 'up'])
    }
  }

  async #listProcesses(): Promise<readonly number[]> {
    const output = await runCommand('ip', ['netns', 'pids', this.#namespace])
    return output.split('\n').filter(Boolean).map(Number)
  }
}

/** Sends a signal to a process that may have ended. */
export function signalProcess(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}
