import { existsSync, writeFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import type { Data } from './data.ts'
import type { Sample } from './load.ts'
import { outputOf } from './processes.ts'
import type { Row } from './rows.ts'

/** `undefined` on a machine that has none: npm's PostgreSQL comes without it. */
export function findPgbench(): string | undefined {
  const folders = (process.env['PATH'] ?? '').split(delimiter)
  return folders.map((folder) => join(folder, 'pgbench')).find((file) => existsSync(file))
}

/** Runs a row's transaction by pgbench alone: prepared statements, no HTTP, no JSON. */
export async function runPgbench(program: string, url: string, row: Row, data: Data, folder: string, seconds: number): Promise<Sample> {
  const script = join(folder, `${row.name}.sql`)
  writeFileSync(script, row.script(data))
  const { hostname, port, username, pathname } = new URL(url)
  const at = ['-h', hostname, '-p', port, '-U', username]
  const how = [
    '-n',
    '-M',
    'prepared',
    '-c',
    String(row.connections),
    '-j',
    row.connections > 1 ? '2' : '1',
    '-T',
    String(Math.ceil(seconds)),
  ]
  const printed = await outputOf(program, [...at, ...how, '-f', script, '-D', `workspace=${data.workspaceId}`, pathname.slice(1)])
  return { rate: numberIn(printed, /^tps = ([\d.]+)/m), latency: numberIn(printed, /^latency average = ([\d.]+) ms/m) }
}

function numberIn(text: string, pattern: RegExp): number {
  const found = pattern.exec(text)?.[1]
  if (found === undefined) throw new Error(`pgbench did not print ${pattern}:\n${text}`)
  return Number(found)
}
