import { existsSync, writeFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import type { Data } from './data.ts'
import type { Sample } from './load.ts'
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
 */
export async function runPgbench(
  program: string,
  url: string,
  row: Row,
  data: Data,
  folder: string,
  seconds: number,
): Promise<Sample> {
  const script = join(folder, `${row.name}.sql`)
  writeFileSync(script, row.pgbenchScript(data))
  const { hostname, port, username, pathname } = new URL(url)
  const clients = Math.min(row.connections, POOL)
  const connectionOptions = ['-h', hostname, '-p', port, '-U', username]
  const runOptions = [
    '-n',
    '-M',
    'prepared',
    '-c',
    String(clients),
    '-j',
    String(Math.min(clients, 2)),
    '-T',
    String(seconds + 1),
    '-P',
    '1',
  ]
  const output = await runCommand(program, [
    ...connectionOptions,
    ...runOptions,
    '-f',
    script,
    '-D',
    `workspace=${data.workspaceId}`,
    pathname.slice(1),
  ])
  const [, ...samples] = [...output.matchAll(PROGRESS)].map(([, rate, latency]) => ({
    rate: Number(rate),
    latency: Number(latency),
  }))
  if (samples.length === 0) throw new Error(`pgbench printed no progress:\n${output}`)
  return { rate: mean(samples.map(({ rate }) => rate)), latency: mean(samples.map(({ latency }) => latency)) }
}

function mean(numbers: readonly number[]): number {
  return numbers.reduce((sum, value) => sum + value, 0) / numbers.length
}
