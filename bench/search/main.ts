import { mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import type { Storage } from '@sales-crm/core/ports'
import { postgresStorage } from '@sales-crm/postgres'
import { sqliteStorage } from '@sales-crm/sqlite'
import pg from 'pg'
import { startPostgres } from '../../packages/postgres/test/postgres.ts'
import { machineFacts } from '../machine.ts'
import { atEnd, end } from '../processes.ts'
import { median } from '../rounds.ts'
import { fill, type Named } from './people.ts'
import { QUESTIONS, type Question } from './questions.ts'

/**
 * Asks the same questions of a workspace of a thousand people and of one of a million, in turn, through the core: what costs more where
 * there are more people, though it finds no more of them, walks what it should not.
 */
const RESULTS = new URL('../results/search.md', import.meta.url)
const ROUNDS = 21
const FEW = 1_000
const HEAD = ['database', 'list of people', 'found', 'ms of few', 'ms', 'ratio']

interface Filled {
  readonly named: Named
  readonly storage: Storage
}

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => end(130))
try {
  await main()
  await end(0)
} catch (error) {
  await end(1, error instanceof Error ? (error.stack ?? error.message) : String(error))
}

async function main(): Promise<void> {
  const { values } = parseArgs({ options: { people: { type: 'string', default: '1000000' }, only: { type: 'string' } } })
  const many = Number(values.people)
  const facts = machineFacts()
  const lines: string[][] = []
  for (const database of ['sqlite', 'postgres'].filter((each) => values.only === undefined || values.only === each)) {
    const [few, full] = database === 'sqlite' ? await onSqlite(many, facts) : await onPostgres(many, facts)
    for (const question of QUESTIONS) lines.push([database, question.title, ...(await asked(question, few, full))])
    await Promise.all([few.storage.close(), full.storage.close()])
  }
  const text = [row(HEAD), row(HEAD.map(() => '---')), ...lines.map(row), '', ...facts.map((fact) => `- ${fact}`), ''].join('\n')
  console.log(`\n${text}`)
  if (values.only !== undefined || many < 1_000_000) return
  mkdirSync(new URL('.', RESULTS), { recursive: true })
  const about = `Lists of 50 people through the core, in a workspace of ${FEW} people and in one of ${many}. Medians of ${ROUNDS}.\nThe total of what is found is counted each time; cost grows with what each of its words,\nmarks and filters matches by itself, before they are put together. A word that begins many is dear also where little is found.`
  writeFileSync(RESULTS, `# Filters and search, ${new Date().toISOString().slice(0, 10)}\n\n${about}\n\n${text}`)
}

/** The two in turn, so that noise meets both alike. */
async function asked({ query }: Question, few: Filled, full: Filled): Promise<string[]> {
  const times: [number[], number[]] = [[], []]
  let total = 0
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const [index, { named }] of [few, full].entries()) {
      const began = performance.now()
      const { meta } = await named.crm.people.list(named.actor, { per_page: 50, ...query(named) })
      times[index as 0 | 1].push(performance.now() - began)
      total = meta.total
    }
  }
  const [small, large] = times.map(median) as [number, number]
  return [String(total), small.toFixed(2), large.toFixed(2), (large / small).toFixed(1)]
}

async function onSqlite(many: number, facts: string[]): Promise<readonly [Filled, Filled]> {
  const folder = mkdtempSync(join(tmpdir(), 'crm-bench-'))
  atEnd(() => rmSync(folder, { recursive: true, force: true }))
  const made = async (count: number) => {
    const file = join(folder, `${count}.db`)
    const filled = await filledBy(await sqliteStorage({ file }), count, facts, 'SQLite')
    facts.push(`SQLite file of ${count} people: ${Math.round(statSync(file).size / 1e6)} MB`)
    return filled
  }
  return [await made(FEW), await made(many)]
}

async function onPostgres(many: number, facts: string[]): Promise<readonly [Filled, Filled]> {
  const server = await startPostgres({ durable: true })
  if (!server) throw new Error('npm has no PostgreSQL for this machine. Use --only sqlite.')
  atEnd(server.stop)
  const admin = new pg.Client({ connectionString: server.url })
  admin.on('error', () => {})
  await admin.connect()
  const made = async (count: number) => {
    await admin.query(`create database people_${count}`)
    const url = Object.assign(new URL(server.url), { pathname: `/people_${count}` }).href
    const filled = await filledBy(await postgresStorage({ url }), count, facts, 'PostgreSQL')
    const client = new pg.Client({ connectionString: url })
    await client.connect()
    await client.query('vacuum (analyze)')
    const { rows } = await client.query<{ size: string }>('select pg_database_size(current_database()) as size')
    await client.end()
    facts.push(`PostgreSQL database of ${count} people: ${Math.round(Number(rows[0]!.size) / 1e6)} MB`)
    return filled
  }
  return [await made(FEW), await made(many)]
}

async function filledBy(storage: Storage, count: number, facts: string[], name: string): Promise<Filled> {
  const began = performance.now()
  const named = await fill(storage, count, (made) => {
    if (made % 50_000 === 0 || made === count) process.stderr.write(`\r${name}: ${made} of ${count} people `)
  })
  process.stderr.write('\n')
  facts.push(`${name}: ${count} people made in ${((performance.now() - began) / 1000).toFixed(1)} s`)
  return { storage, named }
}

function row(cells: readonly string[]): string {
  return `| ${cells.join(' | ')} |`
}
