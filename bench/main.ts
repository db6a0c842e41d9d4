import { join, resolve } from 'node:path'
import { assertSameBody, fetchBody } from './compare.ts'
import { createAccessToken } from './data.ts'
import { DATABASES } from './databases.ts'
import { startBenchReceiver, trustSettings } from './deliveries/receiving.ts'
import type { Sample } from './load.ts'
import { createLoad, type LoadBench, openLoadBench } from './load-bench.ts'
import { collectMachineFacts } from './machine.ts'
import { readOptions } from './options.ts'
import { findPgbench, runPgbench } from './pgbench.ts'
import { createFolder, runProgram } from './program.ts'
import { formatMeasure, formatTable, publishReport } from './report.ts'
import { measureInRounds, median, medianRatio } from './rounds.ts'
import { ROWS, type Row, type Target } from './rows.ts'
import { startReference, startService } from './servers.ts'

/** Measures kinds of requests on the service and on references, in alternation. */
const HEAD = ['database', 'request', '/s', 'ms', 'compared with', '/s', 'ms', 'ratio', 'target', '']

await runProgram(main)

async function main(): Promise<void> {
  const { rounds, seconds, only, row, against, isFullRun } = readOptions({
    numbers: { rounds: 7, seconds: 2 },
    choices: { only: DATABASES, row: ROWS.map(({ name }) => name) },
    texts: ['against'],
  })
  const facts = collectMachineFacts()
  const folder = createFolder()
  const lines: string[][] = []
  for (const name of only) {
    const bench = await openLoadBench(name, { folder, rounds, seconds })
    facts.push(bench.databases.version)
    for (const each of ROWS.filter(({ name: rowName }) => row.includes(rowName))) {
      const target = each.targets[name]
      if (target) lines.push(...(await measureRow(bench, each, target, against)))
    }
  }
  if (findPgbench() === undefined) facts.push('no pgbench on the PATH: its rows are left out')
  facts.push(`rounds: ${rounds}, ${seconds} s for each variant in alternation; medians`)
  publishReport({ name: 'latest', title: 'Benchmark', tables: [formatTable(HEAD, lines)], facts }, isFullRun)
}

/**
 * Measures a row with fresh copies and fresh servers, so that rows do not affect each other.
 * @param against the folder of another checkout
 */
async function measureRow(
  bench: LoadBench,
  row: Row,
  target: Target,
  against: string | undefined,
): Promise<string[][]> {
  const { databases, data, url, folder, rounds, seconds } = bench
  console.error(`${databases.name}: ${row.title} …`)
  const hasWebhook = target.over === 'no webhook'
  const variants: Variant[] = [await startServiceVariant(bench, row, 'service', hasWebhook)]
  if (target.over === 'no webhook') variants.push(await startServiceVariant(bench, row, 'no webhook', false))
  if (target.over === 'reference') {
    variants.push(await startReferenceVariant(bench, row, variants[0]!))
    const bodies = variants.map(({ port, token }) => fetchBody(port, row.requests(data, 0)[0]!, token))
    const [ours, theirs] = await Promise.all(bodies)
    assertSameBody(ours!, theirs!, row.ignoredFields)
  }
  if (against !== undefined)
    variants.push(await startServiceVariant(bench, row, 'other checkout', hasWebhook, resolve(against)))
  const measures = Object.fromEntries(variants.map(({ name, measure }) => [name, measure]))
  const pgbench = findPgbench()
  if (target.over === 'pgbench' && pgbench !== undefined) {
    const copy = await databases.copy(url, 'pgbench')
    measures['pgbench'] = () => runPgbench(pgbench, copy, row, data, folder, seconds)
  }
  const { service, ...others } = await measureInRounds(measures, rounds)
  await Promise.all(variants.map(({ stop }) => stop()))
  return Object.entries(others).map(([name, samples]) => [
    databases.name,
    row.title,
    ...formatSamples(service!),
    name,
    ...formatSamples(samples),
    ...formatRatio(row, service!, samples, name === target.over ? target : undefined),
  ])
}

/** A server under load. */
interface Variant {
  readonly name: string
  readonly port: number
  readonly token: string
  measure(): Promise<Sample>
  stop(): Promise<unknown>
}

/**
 * Starts the service on a copy of the database.
 * @param hasWebhook whether a webhook receives each created task
 * @param checkout the folder of another version
 */
async function startServiceVariant(
  bench: LoadBench,
  row: Row,
  name: string,
  hasWebhook: boolean,
  checkout?: string,
): Promise<Variant> {
  const { databases, url, folder } = bench
  const copy = await databases.copy(url, name.replace(' ', '_'))
  const receiver = hasWebhook ? await startBenchReceiver() : undefined
  const token = await createAccessToken(copy, receiver && `https://127.0.0.1:${receiver.port}/`)
  const program = checkout && join(checkout, 'apps/server/src/main.ts')
  const server = await startService(copy, folder, [], receiver ? trustSettings(folder) : {}, program)
  const sendLoad = createLoad(bench, row, [server.port], token)
  return {
    ...server,
    name,
    token,
    async measure() {
      const sample = await sendLoad()
      // Pending deliveries must not slow down the next variant.
      await receiver?.waitUntilIdle()
      return sample
    },
  }
}

async function startReferenceVariant(bench: LoadBench, row: Row, { token }: Variant): Promise<Variant> {
  const { databases, data, url, folder } = bench
  const server = await startReference(await databases.copy(url, 'reference'), folder, data.actor.workspaceId)
  return { ...server, name: 'reference', token, measure: createLoad(bench, row, [server.port], token) }
}

function formatSamples(samples: readonly Sample[]): string[] {
  return [
    median(samples.map(({ rate }) => rate)).toFixed(0),
    median(samples.map(({ latency }) => latency)).toFixed(2),
  ]
}

function formatRatio(
  { compares }: Row,
  ours: readonly Sample[],
  theirs: readonly Sample[],
  target: Target | undefined,
): readonly string[] {
  const quantities = (samples: readonly Sample[]) => samples.map((sample) => sample[compares])
  const bound = target && { [compares === 'rate' ? 'atLeast' : 'atMost']: target.ratio }
  return formatMeasure({ value: medianRatio(quantities(ours), quantities(theirs)), ...bound })
}
