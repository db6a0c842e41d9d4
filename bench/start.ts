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
import { collectMachineFacts } from './machine.ts'
import { findFreePort, onExit } from './processes.ts'
import { runProgram } from './program.ts'
import { median } from './rounds.ts'
import { serviceSettings } from './servers.ts'

/** Measures the time from spawning the service to its first response, and its memory at rest. */
const RESULTS = new URL('results/start.md', import.meta.url)
const ROOT = fileURLToPath(new URL('..', import.meta.url))
const MAIN = fileURLToPath(new URL('../apps/server/src/main.ts', import.meta.url))
const STARTS = 11
const REST_MS = 5_000
const POLL_MS = 2
const START_TIMEOUT_MS = 30_000
const TARGET = { ms: 600, megabytes: 150 }
/** The service's HTTP library with a single route. */
const BARE_SERVER = `import { serve } from '@hono/node-server'
import { Hono } from 'hono'
const app = new Hono().get('/healthz', (c) => c.json({ data: { status: 'ok' } }))
serve({ fetch: app.fetch, port: Number(process.env.PORT), hostname: '127.0.0.1' })`

interface Variant {
  readonly title: string
  readonly nodeArguments: readonly string[]
  readonly env: Readonly<Record<string, string>>
  readonly cwd: string
  /** False for a process that exits by itself, and is timed to its exit. */
  readonly isServer: boolean
  readonly hasTarget: boolean
}

interface Start {
  readonly ms: number
  readonly processorMs?: number
  readonly megabytes?: number
}

const runningProcesses = new Set<ChildProcess>()
onExit(() => {
  for (const child of runningProcesses) child.kill('SIGKILL')
})
await runProgram(main)

async function main(): Promise<void> {
  const { values } = parseArgs({ options: { starts: { type: 'string', default: String(STARTS) } } })
  const starts = Number(values.starts)
  if (!Number.isInteger(starts) || starts < 1) throw new Error('--starts must be a whole number from 1.')
  const facts = collectMachineFacts()
  const folder = mkdtempSync(join(tmpdir(), 'crm-bench-'))
  onExit(() => rmSync(folder, { recursive: true, force: true }))
  const results = (await createVariants(folder)).map((variant) => ({ variant, samples: [] as Start[] }))
  // The first start of each variant fills caches, and is not counted.
  for (const { variant } of results) await measureStart(variant, 0)
  for (let index = 0; index < starts; index += 1) {
    for (const { variant, samples } of results) samples.push(await measureStart(variant, REST_MS))
    process.stderr.write('.')
  }
  const bareSamples = results.find(({ variant }) => variant.nodeArguments.includes(BARE_SERVER))!.samples
  const head = ['', 'ms', 'ratio to a bare server', 'ms of processor', 'MB at rest', 'target', '']
  const lines = [
    head,
    head.map(() => '---'),
    ...results.map(({ variant, samples }) => formatRow(variant, samples, bareSamples)),
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
  const method = `- ${starts} starts of each in alternation; medians; a ratio is the median of the pairs' ratios; at rest: ${REST_MS / 1000} s after the first response\n`
  writeFileSync(
    RESULTS,
    `# Starting, ${new Date().toISOString().slice(0, 10)}\n\nFrom spawning the process to the response of \`/healthz\`.\n\n${text}${method}`,
  )
}

async function createVariants(folder: string): Promise<readonly Variant[]> {
  const file = `sqlite:${join(folder, 'crm.db')}`
  await (await sqliteStorage({ file: join(folder, 'crm.db') })).close()
  const service = { nodeArguments: [MAIN], cwd: folder, isServer: true, hasTarget: true }
  const env = serviceSettings(file, folder)
  const uncached = { ...env, NODE_DISABLE_COMPILE_CACHE: '1' }
  const postgres = await startPostgres({ durable: true })
  if (postgres) {
    onExit(postgres.stop)
    await (await postgresStorage({ url: postgres.url })).close()
  }
  const other = { env: {}, cwd: ROOT, hasTarget: false }
  return [
    { ...other, title: '`node -e 0`, to its end', nodeArguments: ['-e', '0'], isServer: false },
    {
      ...other,
      title: 'hono with one route',
      nodeArguments: ['--input-type=module', '--eval', BARE_SERVER],
      isServer: true,
    },
    { ...service, title: 'the service on SQLite', env },
    ...(postgres
      ? [{ ...service, title: 'the service on PostgreSQL', env: serviceSettings(postgres.url, folder) }]
      : []),
    { ...service, title: 'the service on SQLite, the first time', env: uncached, hasTarget: false },
  ]
}

async function measureStart(
  { title, nodeArguments, env, cwd, isServer }: Variant,
  restMs: number,
): Promise<Start> {
  const port = await findFreePort()
  const startedAt = performance.now()
  const child = spawn(process.execPath, nodeArguments, {
    env: { PATH: process.env['PATH'], ...env, HOST: '127.0.0.1', PORT: String(port) },
    cwd,
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  runningProcesses.add(child)
  const exited = once(child, 'exit').then(() => runningProcesses.delete(child))
  if (!isServer) {
    await exited
    return { ms: performance.now() - startedAt }
  }
  while (!(await isResponding(port))) {
    if (child.exitCode !== null || performance.now() - startedAt > START_TIMEOUT_MS)
      throw new Error(`${title} did not start.`)
    await sleep(POLL_MS)
  }
  const ms = performance.now() - startedAt
  const processorMs = readProcessorMs(child.pid!)
  await sleep(restMs)
  const kilobytes = Number(
    /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8'))?.[1],
  )
  child.kill('SIGTERM')
  await exited
  return { ms, processorMs, megabytes: kilobytes / 1024 }
}

/** Returns the processor time of all threads. The kernel counts ticks of 10 ms. */
function readProcessorMs(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)!.split(' ')
  return (Number(fields[11]) + Number(fields[12])) * 10
}

function isResponding(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const request = get({ host: '127.0.0.1', port, path: '/healthz', agent: false }, (answer) => {
      answer.resume().once('end', () => resolve(answer.statusCode === 200))
    })
    request.once('error', () => resolve(false))
  })
}

function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms))
}

function formatRow(
  { title, isServer, hasTarget }: Variant,
  samples: readonly Start[],
  bareSamples: readonly Start[],
): string[] {
  const ms = median(samples.map((sample) => sample.ms))
  const ratio = isServer
    ? median(samples.map((sample, index) => sample.ms / bareSamples[index]!.ms)).toFixed(2)
    : ''
  const megabytes = isServer ? median(samples.map((sample) => sample.megabytes!)) : undefined
  const processor = isServer ? median(samples.map((sample) => sample.processorMs!)).toFixed(0) : ''
  const cells = [title, ms.toFixed(0), ratio, processor, megabytes?.toFixed(0) ?? '']
  if (!hasTarget || megabytes === undefined) return [...cells, '', '']
  const isMet = Math.round(ms) <= TARGET.ms && Math.round(megabytes) <= TARGET.megabytes
  return [...cells, `≤ ${TARGET.ms} ms, ≤ ${TARGET.megabytes} MB`, isMet ? 'met' : 'missed']
}
