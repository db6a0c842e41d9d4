import { existsSync, writeFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import type { Data } from './data.ts'
import type { Sample } from './load.ts'
import { outputOf } from './processes.ts'
import type { Row } from './rows.ts'
import { POOL } from './servers.ts'

const PROGRESS = /^progress: [\d.]+ s, ([\d.]+) tps, lat ([\d.]+) ms/gm

/** `undefined` on a machine that has none: npm's PostgreSQL comes without it. */
export function findPgbench(): string | undefined {
  const folders = (process.env['PATH'] ?? '').split(delimiter)
  return folders.map((folder) => join(folder, 'pgbench')).find((file) => existsSync(file))
}

/**
 * Runs a row's transaction by pgbench alone: prepared statements, no HTTP, no JSON, over as many connections to the database as
 * the service has. Its sessions are new each time, so their first second, when they plan, does not count.
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
  writeFileSync(script, row.script(data))
  const { hostname, port, username, pathname } = new URL(url)
  const clients = Math.min(row.connections, POOL)
  const at = ['-h', hostname, '-p', port, '-U', username]
  const how = [
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
  const printed = await outputOf(program, [
    ...at,
    ...how,
    '-f',
    script,
    '-D',
    `workspace=${data.workspaceId}`,
    pathname.slice(1),
  ])
  const [, ...counted] = [...printed.matchAll(PROGRESS)].map(([, rate, latency]) => ({
    rate: Number(rate),
    latency: Number(latency),
  }))
  if (counted.length === 0) throw new Error(`pgbench did not tell of its progress:\n${printed}`)
  return { rate: mean(counted.map(({ rate }) => rate)), latency: mean(counted.map(({ latency }) => latency)) }
}

function mean(numbers: readonly number[]): number {
  return numbers.reduce((sum, each) => sum + each, 0) / numbers.length
}
