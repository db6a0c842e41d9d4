import { collectMachineFacts } from '../machine.ts'
import { readOptions } from '../options.ts'
import { createFolder, runProgram } from '../program.ts'
import { formatMeasure, formatTable, type Measure, publishReport } from '../report.ts'
import { median, medianRatio } from '../rounds.ts'
import { measureArrival } from './arrival.ts'
import { measureSending } from './sending.ts'
import { measureWriting } from './writing.ts'

/** Measures the rate of deliveries, their delay, and the cost of the outbox for writes. */
const HEAD = ['on SQLite', 'service', 'compared with', '', 'ratio or delay', 'target', '']
const PARTS = ['sending', 'arriving', 'writing'] as const
/** The required shares of the rate of undici alone. */
const SENDING_TARGETS = [
  { hosts: 16, atLeast: 0.45 },
  { hosts: 1, atLeast: 0.3 },
]
const MAX_WRITE_RATIO = 1.05
const MAX_DELAY_MS = 10
/** Writes vary more. */
const WRITE_ROUNDS = 3

await runProgram(main)

async function main(): Promise<void> {
  const { rounds, only, isFullRun } = readOptions({ numbers: { rounds: 7 }, choices: { only: PARTS } })
  const facts = collectMachineFacts()
  const folder = createFolder()
  const lines: string[][] = []
  if (only.includes('sending'))
    for (const target of SENDING_TARGETS) lines.push(await measureSendingLine(folder, rounds, target))
  if (only.includes('arriving')) {
    const delay: Measure = { value: await measureArrival(folder), unit: 'ms', atMost: MAX_DELAY_MS }
    lines.push(['from the 201 to the receiver, idle', '', '', '', ...formatMeasure(delay)])
  }
  if (only.includes('writing')) lines.push(await measureWritingLine(folder, rounds * WRITE_ROUNDS))
  facts.push(`${rounds} rounds in alternation, ${rounds * WRITE_ROUNDS} of writes; medians`)
  publishReport(
    { name: 'deliveries', title: 'Deliveries', tables: [formatTable(HEAD, lines)], facts },
    isFullRun,
  )
}

async function measureSendingLine(
  folder: string,
  rounds: number,
  { hosts, atLeast }: (typeof SENDING_TARGETS)[number],
): Promise<string[]> {
  const { connections, rates } = await measureSending(folder, rounds, hosts)
  return [
    `deliveries to ${hosts === 1 ? 'one host' : `${hosts} hosts`}`,
    `${median(rates.service).toFixed(0)} /s`,
    `undici, ${connections} connections`,
    `${median(rates.undici).toFixed(0)} /s`,
    ...formatMeasure({ value: medianRatio(rates.service, rates.undici), atLeast }),
  ]
}

async function measureWritingLine(folder: string, rounds: number): Promise<string[]> {
  const { outbox, noOutbox } = await measureWriting(folder, rounds)
  return [
    'a task, nobody subscribed, 64 at once',
    `${median(outbox).toFixed(3)} ms`,
    'no outbox',
    `${median(noOutbox).toFixed(3)} ms`,
    ...formatMeasure({ value: medianRatio(outbox, noOutbox), atMost: MAX_WRITE_RATIO }),
  ]
}
