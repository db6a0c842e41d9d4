import { existsSync, writeFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import type { Data } from './data.ts'
import { runCommand } from './processes.ts'
import type { Row } from './rows.ts'
import { POOL } from './servers.ts'

const PROGRESS = /^progress: [\d.]+ s, ([\d.]+) tps, lat ([\d.]+) ms/gm

/**
 * Returns the path of pgbench, or undefined if it is not on the `PATH`. npm's PostgreSQL does not include it.
 */
export function findPgbench(): string | undefined {
  const folders = (process.env['PATH'] ?? '').split(delimiter)
  return folders.map((folder) => join(folder, 'pgbench')).find((file) => existsSync(file))
}

/**
 * Runs a row's transaction with pgbench: prepared statements, without HTTP and JSON, over as many connections
 * as the service has. Its sessions are new each time, so the first second, in which they plan, is left out.
 * @returns the transactions per second and their mean milliseconds
 */
export async function runPgbench(
  program: string,
  url: string,
  { name, connections, pgbenchScript }: Row,
  data: Data,
  folder: string,
  seconds: number,
): Promise<{ readonly rate: number; readonly latency: number }> {
  const script = join(folder, `${name}.sql`)
  writeFileSync(script, pgbenchScript!(data))
  const { hostname, port, username, pathname } = new URL(url)
  const clients = Math.min(connections, POOL)
  const options = {
    '--host': hostname,
    '--port': port,
    '--username': username,
    '--protocol': 'prepared',
    '--client': clients,
    '--jobs': Math.min(clients, 2),
    // The first second is left out, and the progress of the last one may not be printed.
    '--time': seconds + 2,
    '--progress': 1,
    '--file': script,
    '--define': `workspace=${data.actor.workspaceId}`,
  }
  const output = await runCommand(program, [
    '--no-vacuum',
    ...Object.entries(options).map(([option, value]) => `${option}=${value}`),
    pathname.slice(1),
  ])
  const [, ...samples] = [...output.matchAll(PROGRESS)]
  if (samples.length === 0) throw new Error(`pgbench printed no progress:\n${output}`)
  return {
    rate: mean(samples.map(([, rate]) => Number(rate))),
    latency: mean(samples.map(([, , latency]) => Number(latency))),
  }
}

function mean(numbers: readonly number[]): number {
  return numbers.reduce((sum, value) => sum + value, 0) / numbers.length
}
