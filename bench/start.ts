import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { get } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { postgresStorage } from '@sales-crm/postgres'
import { sqliteStorage } from '@sales-crm/sqlite'
import { startPostgres } from '../packages/postgres/test/embedded-postgres.ts'
import { machineFacts } from './machine.ts'
import { atEnd, freePort } from './processes.ts'
import { runProgram } from './program.ts'
import { median } from './rounds.ts'
import { serviceSettings } from './servers.ts'

/** How long the service takes from being spawned to answering, and what memory it then rests in. */
const RESULTS = new URL('results/start.md', import.meta.url)
const ROOT = fileURLToPath(new URL('..', import.meta.url))
const MAIN = fileURLToPath(new URL('../apps/server/src/main.ts', import.meta.url))
const STARTS = 11
const REST_MS = 5_000
const ASK_MS = 2
const LATEST_MS = 30_000
const TARGET = { ms: 600, megabytes: 150 }
/** The server of the library that the service answers with, and nothing else. */
const BARE = `import { serve } from '@hono/node-server'
import { Hono } from 'hono'
const app = new Hono().get('/healthz', (c) => c.json({ data: { status: 'ok' } }))
serve({ fetch: app.fetch, port: Number(process.env.PORT), hostname: '127.0.0.1' })`

interface Variant {
  readonly title: string
  readonly nodeArguments: readonly string[]
  readonly env: Readonly<Record<string, string>>
  readonly cwd: string
  /** A process that answers nobody ends by itself, and is timed to its end. */
  readonly answers: boolean
  readonly isHeldToTarget: boolean
}

interface Start {
  readonly ms: number
  readonly processorMs?: number
  readonly megabytes?: number
}

const running = new Set<ChildProcess>()
atEnd(() => {
  for (const child of running) child.kill('SIGKILL')
})
await runProgram(main)

async function main(): Promise<void> {
  const { values } = parseArgs({ options: { starts: { type: 'string', default: String(STARTS) } } })
  const starts = Number(values.starts)
  if (!Number.isInteger(starts) || starts < 1) throw new Error('--starts must be a whole number from 1.')
  const facts = machineFacts()
  const folder = mkdtempSync(join(tmpdir(), 'crm-bench-'))
  atEnd(() => rmSync(folder, { recursive: true, force: true }))
  const measured = (await variants(folder)).map((variant) => ({ variant, samples: [] as Start[] }))
  // The first of each is not counted: it fills what later ones find.
  for (const { variant } of measured) await started(variant, 0)
  for (let nth = 0; nth < starts; nth += 1) {
    for (const { variant, samples } of measured) samples.push(await started(variant, REST_MS))
    process.stderr.write('.')
  }
  const bare = measured.find(({ variant }) => variant.nodeArguments.includes(BARE))!.samples
  const head = ['', 'ms', 'of a bare server', 'ms of processor', 'MB at rest', 'target', '']
  const lines = [
    head,
    head.map(() => '---'),
    ...measured.map(({ variant, samples }) => lineOf(variant, samples, bare)),
  ]
  const text = [
    ...lines.map((cells) => `| ${cells.join(' | ')} |`),
    '',
    ...facts.map((fact) => `- ${fact}`),
    '',
  ].join('\n')
  console.log(`\n${text}`)
  if (starts < STARTS) return
  mkdirSync(new URL('.', RESULTS), { recursive: true })
  const how = `- ${starts} starts of each in alternation; medians, the ratio that of pairs; at rest: ${REST_MS / 1000} s after the first answer\n`
  writeFileSync(
    RESULTS,
    `# Starting, ${new Date().toISOString().slice(0, 10)}\n\nFrom spawning the process to the answer of \`/healthz\`.\n\n${text}${how}`,
  )
}

async function variants(folder: string): Promise<readonly Variant[]> {
  const file = `sqlite:${join(folder, 'crm.db')}`
  await (await sqliteStorage({ file: join(folder, 'crm.db') })).close()
  const service = { nodeArguments: [MAIN], cwd: folder, answers: true, isHeldToTarget: true }
  const env = serviceSettings(file, folder)
  const uncached = { ...env, NODE_DISABLE_COMPILE_CACHE: '1' }
  const postgres = await startPostgres({ durable: true })
  if (postgres) {
    atEnd(postgres.stop)
    await (await postgresStorage({ url: postgres.url })).close()
  }
  const other = { env: {}, cwd: ROOT, isHeldToTarget: false }
  return [
    { ...other, title: '`node -e 0`, to its end', nodeArguments: ['-e', '0'], answers: false },
    {
      ...other,
      title: 'hono with one route',
      nodeArguments: ['--input-type=module', '--eval', BARE],
      answers: true,
    },
    { ...service, title: 'the service on SQLite', env },
    ...(postgres
      ? [{ ...service, title: 'the service on PostgreSQL', env: serviceSettings(postgres.url, folder) }]
      : []),
    { ...service, title: 'the service on SQLite, the first time', env: uncached, isHeldToTarget: false },
  ]
}

async function started({ title, nodeArguments, env, cwd, answers }: Variant, restMs: number): Promise<Start> {
  const port = await freePort()
  const began = performance.now()
  const child = spawn(process.execPath, nodeArguments, {
    env: { PATH: process.env['PATH'], ...env, HOST: '127.0.0.1', PORT: String(port) },
    cwd,
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  running.add(child)
  const ended = once(child, 'exit').then(() => running.delete(child))
  if (!answers) {
    await ended
    return { ms: performance.now() - began }
  }
  while (!(await isAnswered(port))) {
    if (child.exitCode !== null || performance.now() - began > LATEST_MS)
      throw new Error(`${title} did not start.`)
    await pause(ASK_MS)
  }
  const ms = performance.now() - began
  const processorMs = processorMsOf(child.pid!)
  await pause(restMs)
  const kilobytes = Number(
    /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8'))?.[1],
  )
  child.kill('SIGTERM')
  await ended
  return { ms, processorMs, megabytes: kilobytes / 1024 }
}

/** Of all its threads, in the kernel's ticks of ten milliseconds. */
function processorMsOf(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)!.split(' ')
  return (Number(fields[11]) + Number(fields[12])) * 10
}

function isAnswered(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const asked = get({ host: '127.0.0.1', port, path: '/healthz', agent: false }, (answer) => {
      answer.resume().once('end', () => resolve(answer.statusCode === 200))
    })
    asked.once('error', () => resolve(false))
  })
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms))
}

function lineOf(
  { title, answers, isHeldToTarget }: Variant,
  samples: readonly Start[],
  bare: readonly Start[],
): string[] {
  const ms = median(samples.map((sample) => sample.ms))
  const ratio = answers ? median(samples.map((sample, nth) => sample.ms / bare[nth]!.ms)).toFixed(2) : ''
  const megabytes = answers ? median(samples.map((sample) => sample.megabytes!)) : undefined
  const processor = answers ? median(samples.map((sample) => sample.processorMs!)).toFixed(0) : ''
  const shown = [title, ms.toFixed(0), ratio, processor, megabytes?.toFixed(0) ?? '']
  if (!isHeldToTarget || megabytes === undefined) return [...shown, '', '']
  const isMet = Math.round(ms) <= TARGET.ms && Math.round(megabytes) <= TARGET.megabytes
  return [...shown, `≤ ${TARGET.ms} ms, ≤ ${TARGET.megabytes} MB`, isMet ? 'met' : 'missed']
}
