import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { machineFacts } from '../machine.ts'
import { atEnd } from '../processes.ts'
import { runProgram } from '../program.ts'
import { measureArrival } from './arriving.ts'
import { connectionsTo } from './bare.ts'
import { measureSending } from './sending.ts'
import { measureWriting } from './writing.ts'

/** How fast events leave, how soon, and what the outbox costs those who write. */
const RESULTS = new URL('../results/deliveries.md', import.meta.url)
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
  const facts = machineFacts()
  const folder = mkdtempSync(join(tmpdir(), 'crm-bench-'))
  atEnd(() => rmSync(folder, { recursive: true, force: true }))

  const lines: string[][] = []
  if (parts.includes('sending'))
    for (const hosts of [16, 1]) lines.push(await sendingLine(folder, rounds, hosts))
  if (parts.includes('arriving')) lines.push(...(await arrivingLines(folder)))
  if (parts.includes('writing'))
    for (const atOnce of [64, 1]) lines.push(...(await writingLines(folder, rounds * 3, atOnce)))
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

async function sendingLine(folder: string, rounds: number, hosts: number): Promise<string[]> {
  const { service, undici, ratio } = await measureSending(folder, rounds, hosts)
  const title = `deliveries to ${hosts === 1 ? 'one host' : `${hosts} hosts`}`
  return [
    title,
    `${service.toFixed(0)} /s`,
    `undici, ${connectionsTo(hosts)} connections`,
    `${undici.toFixed(0)} /s`,
    ratio.toFixed(2),
    '≥ 0.6',
    verdict(Number(ratio.toFixed(2)) >= 0.6),
  ]
}

async function arrivingLines(folder: string): Promise<string[][]> {
  const { sinceAnswer, sinceRequest } = await measureArrival(folder)
  return [
    [
      'from the 201 to the door of the receiver, idle',
      `${sinceAnswer.toFixed(2)} ms`,
      '',
      '',
      '',
      '≤ 10 ms',
      verdict(sinceAnswer <= 10),
    ],
    [
      'from sending the POST to the door of the receiver',
      `${sinceRequest.toFixed(2)} ms`,
      '',
      '',
      '',
      '',
      '',
    ],
  ]
}

async function writingLines(folder: string, rounds: number, atOnce: number): Promise<string[][]> {
  const { ms, ratio } = await measureWriting(folder, rounds, atOnce)
  const without = ['no outbox', `${ms.without.toFixed(3)} ms`]
  const nobody = Number(ratio.nobody.toFixed(2))
  return [
    [
      `a task, nobody subscribed, ${atOnce} at once`,
      `${ms.nobody.toFixed(3)} ms`,
      ...without,
      ratio.nobody.toFixed(2),
      '≤ 1.05',
      verdict(nobody <= 1.05),
    ],
    [
      `a task, one webhook, ${atOnce} at once`,
      `${ms.one.toFixed(3)} ms`,
      ...without,
      ratio.one.toFixed(2),
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
