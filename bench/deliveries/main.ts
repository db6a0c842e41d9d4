import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { collectMachineFacts } from '../machine.ts'
import { onExit } from '../processes.ts'
import { runProgram } from '../program.ts'
import { measureArrival } from './arriving.ts'
import { maxConnections } from './bare.ts'
import { measureSending } from './sending.ts'
import { measureWriting } from './writing.ts'

/** Measures the rate of deliveries, their delay, and the cost of the outbox for writes. */
const RESULTS = new URL('../results/deliveries.md', import.meta.url)
/** The required shares of the rate of undici alone. */
const [MIN_RATIO_TO_ONE_HOST, MIN_RATIO_TO_MANY_HOSTS] = [0.3, 0.45]
const ROUNDS = 7
const HEAD = ['on SQLite', 'service', 'compared with', '', 'ratio', 'target', '']
const PARTS = ['sending', 'arriving', 'writing'] as const

await runProgram(main)

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: { only: { type: 'string' }, rounds: { type: 'string', default: String(ROUNDS) } },
  })
  const rounds = Number(values.rounds)
  if (!Number.isInteger(rounds) || rounds < 1) throw new Error('--rounds must be a whole number from 1.')
  const parts = PARTS.filter((part) => values.only === undefined || values.only === part)
  if (parts.length === 0) throw new Error(`--only must be one of ${PARTS.join(', ')}.`)
  const facts = collectMachineFacts()
  const folder = mkdtempSync(join(tmpdir(), 'crm-bench-'))
  onExit(() => rmSync(folder, { recursive: true, force: true }))

  const lines: string[][] = []
  if (parts.includes('sending'))
    for (const hosts of [16, 1]) lines.push(await measureSendingRow(folder, rounds, hosts))
  if (parts.includes('arriving')) lines.push(...(await measureArrivingRows(folder)))
  if (parts.includes('writing'))
    for (const concurrency of [64, 1])
      lines.push(...(await measureWritingRows(folder, rounds * 3, concurrency)))
  const text = [
    row(HEAD),
    row(HEAD.map(() => '---')),
    ...lines.map(row),
    '',
    ...facts.map((fact) => `- ${fact}`),
    '',
  ].join('\n')
  console.log(`\n${text}`)
  if (values.only !== undefined || rounds < ROUNDS) return
  mkdirSync(new URL('.', RESULTS), { recursive: true })
  writeFileSync(
    RESULTS,
    `# Deliveries, ${new Date().toISOString().slice(0, 10)}\n\n${text}- ${rounds} rounds in alternation, ${rounds * 3} of writes; medians\n`,
  )
}

async function measureSendingRow(folder: string, rounds: number, hosts: number): Promise<string[]> {
  const { service, undici, ratio } = await measureSending(folder, rounds, hosts)
  const target = hosts === 1 ? MIN_RATIO_TO_ONE_HOST : MIN_RATIO_TO_MANY_HOSTS
  const title = `deliveries to ${hosts === 1 ? 'one host' : `${hosts} hosts`}`
  return [
    title,
    `${service.toFixed(0)} /s`,
    `undici, ${maxConnections(hosts)} connections`,
    `${undici.toFixed(0)} /s`,
    ratio.toFixed(2),
    `≥ ${target}`,
    verdict(Number(ratio.toFixed(2)) >= target),
  ]
}

async function measureArrivingRows(folder: string): Promise<string[][]> {
  const { sinceResponse, sinceRequest } = await measureArrival(folder)
  return [
    [
      'from the 201 to the receiver, idle',
      `${sinceResponse.toFixed(2)} ms`,
      '',
      '',
      '',
      '≤ 10 ms',
      verdict(sinceResponse <= 10),
    ],
    ['from sending the POST to the receiver', `${sinceRequest.toFixed(2)} ms`, '', '', '', '', ''],
  ]
}

async function measureWritingRows(folder: string, rounds: number, concurrency: number): Promise<string[][]> {
  const { ms, ratio } = await measureWriting(folder, rounds, concurrency)
  const comparison = ['no outbox', `${ms.noOutbox.toFixed(3)} ms`]
  const noWebhookRatio = Number(ratio.noWebhook.toFixed(2))
  return [
    [
      `a task, nobody subscribed, ${concurrency} at once`,
      `${ms.noWebhook.toFixed(3)} ms`,
      ...comparison,
      ratio.noWebhook.toFixed(2),
      '≤ 1.05',
      verdict(noWebhookRatio <= 1.05),
    ],
    [
      `a task, one webhook, ${concurrency} at once`,
      `${ms.oneWebhook.toFixed(3)} ms`,
      ...comparison,
      ratio.oneWebhook.toFixed(2),
      '',
      '',
    ],
  ]
}

function verdict(isMet: boolean): string {
  return isMet ? 'met' : 'missed'
}

function row(cells: readonly string[]): string {
  return `| ${cells.join(' | ')} |`
}
