import { spawnSync } from 'node:child_process'
import { runCommand } from '../../../bench/processes.ts'

/** The servers reach each other over `cluster`. Clients reach them over `clients`. */
export const NETWORKS = ['cluster', 'clients'] as const
export type NetworkName = (typeof NETWORKS)[number]

/** Two bridges of this machine, which has the last address of each network. */
export interface Networks {
  /** Begins the names of everything created for this process. */
  readonly prefix: string
  /** The third number of the addresses. */
  readonly subnet: number
}

const PREFIX = 'crm'
/** These addresses are reserved for tests of networks. */
const BASES: Readonly<Record<NetworkName, string>> = { cluster: '198.18', clients: '198.19' }
const OWN_HOST = 254

export const addressOf = ({ subnet }: Networks, network: NetworkName, host: number): string =>
  `${BASES[network]}.${subnet}.${host}`

export const bridgeOf = ({ prefix }: Networks, network: NetworkName): string =>
  `${prefix}b${NETWORKS.indexOf(network)}`

/** Returns the name of the end outside of the machine. The longest is one character below the limit. */
export const linkOf = ({ prefix }: Networks, network: NetworkName, host: number): string =>
  `${prefix}v${NETWORKS.indexOf(network)}${host}`

/** Requires root. Removes the networks of killed processes first. */
export async function createNetworks(): Promise<Networks> {
  removeStaleNetworks()
  const networks = { prefix: `${PREFIX}${process.pid}`, subnet: await findFreeSubnet() }
  for (const network of NETWORKS) {
    const bridge = bridgeOf(networks, network)
    await runCommand('ip', ['link', 'add', bridge, 'type', 'bridge'])
    await runCommand('ip', ['address', 'add', `${addressOf(networks, network, OWN_HOST)}/24`, 'dev', bridge])
    await runCommand('ip', ['link', 'set', bridge, 'up'])
  }
  return networks
}

/**
 * Kills all processes in the machines, and removes the machines and networks. Synchronous, for the exit of this
 * process.
 */
export function removeNetworks(prefix: string): void {
  const namespaces = listNames(['netns', 'list']).filter((name) => name.startsWith(`${prefix}-`))
  for (const namespace of namespaces) {
    for (const pid of listNames(['netns', 'pids', namespace])) spawnSync('kill', ['-KILL', pid])
    spawnSync('ip', ['netns', 'delete', namespace])
  }
  const links = listNames(['-brief', 'link', 'show'], /^[^@ ]+/)
  for (const link of links.filter((name) => name.startsWith(`${prefix}b`) || name.startsWith(`${prefix}v`)))
    spawnSync('ip', ['link', 'delete', link])
}

function removeStaleNetworks(): void {
  const names = [...listNames(['netns', 'list']), ...listNames(['-brief', 'link', 'show'])]
  const owners = names.flatMap((name) => new RegExp(`^${PREFIX}(\\d+)[-bv]`).exec(name)?.[1] ?? [])
  for (const owner of new Set(owners)) if (!isRunning(Number(owner))) removeNetworks(`${PREFIX}${owner}`)
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

async function findFreeSubnet(): Promise<number> {
  const addresses = await runCommand('ip', ['-4', '-brief', 'address', 'show'])
  for (let subnet = 0; subnet < 256; subnet += 1)
    if (!addresses.includes(` ${BASES.cluster}.${subnet}.`)) return subnet
  throw new Error(`All networks of ${BASES.cluster} are in use.`)
}

/** Returns what begins each line of the output of `ip`. */
function listNames(args: readonly string[], pattern = /^\S+/): string[] {
  const { stdout } = spawnSync('ip', args, { encoding: 'utf8' })
  return stdout.split('\n').flatMap((line) => pattern.exec(line)?.[0] ?? [])
}
