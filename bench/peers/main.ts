import { setTimeout as sleep } from 'node:timers/promises'
import { assertSameBody, type Body, fetchBody } from '../compare.ts'
import type { RequestSpec } from '../connection.ts'
import { createAccessToken } from '../data.ts'
import { DATABASES } from '../databases.ts'
import type { Sample } from '../load.ts'
import { createLoad, type LoadBench, openLoadBench } from '../load-bench.ts'
import { collectMachineFacts } from '../machine.ts'
import { readOptions } from '../options.ts'
import type { Server } from '../processes.ts'
import { createFolder, runProgram } from '../program.ts'
import { formatMeasure, formatTable, publishReport } from '../report.ts'
import { measureInRounds, median, medianRatio } from '../rounds.ts'
import { startService } from '../servers.ts'
import { readProcessorMs, readResidentMegabytes } from '../usage.ts'
import { createDirectusDatabase, databaseSettings } from './databases.ts'
import { startDirectus, TOKEN } from './directus.ts'
import { installDirectus } from './install.ts'
import { PEER_ROWS, type PeerRow } from './rows.ts'

/**
 * Compares the service with Directus: the same records on the same machine, and the same requests in
 * alternation.
 */
const HEAD = ['database', 'request', 'ours', 'Directus', 'ours / Directus', 'target', '']
const REST_MS = 5_000
/**
 * Fields of the service without an equivalent in Directus: a formatted amount, the page's position, and
 * custom fields, of which there are none.
 */
const SERVICE_ONLY_FIELDS = ['formatted_amount', 'custom_fields', 'page', 'per_page', 'has_more']

interface Peer {
  /** Directus's entry point. */
  readonly program: string
  /** The URL of its database with the records, which is copied for each row. */
  readonly url: string
}

await runProgram(main)

async function main(): Promise<void> {
  const { rounds, seconds, only, row, isFullRun } = readOptions({
    numbers: { rounds: 7, seconds: 5 },
    choices: { only: DATABASES, row: PEER_ROWS.map((each) => each.row.name) },
  })
  const { version, program } = installDirectus()
  const facts = collectMachineFacts()
  const folder = createFolder()
  const lines: string[][] = []
  for (const name of only) {
    const bench = await openLoadBench(name, { folder, rounds, seconds })
    console.error(`${name}: preparing Directus …`)
    const peer = { program, url: await createDirectusDatabase(bench.databases, bench.url, program, folder) }
    for (const each of PEER_ROWS.filter((peerRow) => row.includes(peerRow.row.name)))
      lines.push(await measureRow(bench, peer, each))
    facts.push(bench.databases.version)
  }
  facts.push(`Directus ${version}`, `rounds: ${rounds}, ${seconds} s for each in alternation; medians`)
  publishReport(
    { name: 'peers', title: 'Beside Directus', tables: [formatTable(HEAD, lines)], facts },
    isFullRun,
  )
}

/** Measures a row with fresh copies and fresh servers, so that rows do not affect each other. */
async function measureRow(bench: LoadBench, peer: Peer, peerRow: PeerRow): Promise<string[]> {
  const { databases, data, folder, rounds } = bench
  const { row, target, translate } = peerRow
  console.error(`${databases.name}: ${row.name} …`)
  const url = await databases.copy(bench.url, 'ours')
  const token = await createAccessToken(url)
  const service = await startService(url, folder)
  const settings = databaseSettings(await databases.copy(peer.url, 'theirs'))
  const directus = await startDirectus(peer.program, settings, folder)
  await sleep(REST_MS)
  const megabytes = [service, directus].map(({ pid }) => readResidentMegabytes(pid))
  const request = row.requests(data, 0)[0]!
  const ours = await fetchBody(service.port, request, token)
  const theirs = renameMeta(await fetchBody(directus.port, translate(request), TOKEN))
  assertSameBody(ours, theirs, [...SERVICE_ONLY_FIELDS, ...row.ignoredFields])

  const translateAll = (requests: readonly RequestSpec[]) => requests.map(translate)
  const sendToDirectus = createLoad(bench, row, [directus.port], TOKEN, {
    status: 200,
    translate: translateAll,
  })
  const sendToService = createLoad(bench, row, [service.port], token)
  const samples = await measureInRounds(
    {
      service: () => measureUsage(service, sendToService),
      directus: () => measureUsage(directus, sendToDirectus),
    },
    rounds,
  )
  await Promise.all([service.stop(), directus.stop()])
  const ratesOf = (each: readonly Usage[]) => each.map(({ rate }) => rate)
  return [
    databases.name,
    row.title,
    formatUsage(samples.service, megabytes[0]!),
    formatUsage(samples.directus, megabytes[1]!),
    ...formatMeasure({
      value: medianRatio(ratesOf(samples.service), ratesOf(samples.directus)),
      digits: 1,
      atLeast: target,
    }),
  ]
}

interface Usage extends Sample {
  /** Milliseconds of processor time per request. */
  readonly processorMs: number
}

async function measureUsage({ pid }: Server, send: () => Promise<Sample>): Promise<Usage> {
  const [before, startedAt] = [readProcessorMs(pid), performance.now()]
  const sample = await send()
  const responses = (sample.rate * (performance.now() - startedAt)) / 1000
  return { ...sample, processorMs: (readProcessorMs(pid) - before) / responses }
}

/** Directus's total has another name. */
function renameMeta({ data, meta }: Body): Body {
  if (data === undefined || meta === undefined) return data === undefined ? {} : { data }
  return { data, meta: { total: (meta as { readonly filter_count: number }).filter_count } }
}

function formatUsage(usage: readonly Usage[], megabytes: number): string {
  const medianOf = (quantity: keyof Usage) => median(usage.map((each) => each[quantity]))
  return `${medianOf('rate').toFixed(0)} /s, ${medianOf('latency').toFixed(1)} ms, ${medianOf('processorMs').toFixed(2)} ms of processor, ${megabytes.toFixed(0)} MB at rest`
}
