import { closeSync, openSync, readFileSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { createCrmOn, fillWorkspace } from '../data.ts'
import { openDatabases, openStorage, sqliteFile } from '../databases.ts'
import { collectMachineFacts } from '../machine.ts'
import { readOptions } from '../options.ts'
import { createFolder, runProgram } from '../program.ts'
import { formatMeasure, formatTable, publishReport } from '../report.ts'
import { measureInRounds, median, medianRatio } from '../rounds.ts'
import { selectPeople } from './bare-select.ts'

/** Compares an export of people with a statement that makes the same lines. */
const PIECE_LENGTH = 32 * 1024
const MIN_RATIO = 0.5
const MAX_LAG_MS = 20
const PER_COMPANY = 10

await runProgram(main)

/** A written file: its lines per second, and the longest time for which the event loop did nothing else. */
interface Sample {
  readonly rate: number
  readonly lagMs: number
}

async function main(): Promise<void> {
  const { records, rounds, isFullRun } = readOptions({ numbers: { records: 100_000, rounds: 7 } })
  const facts = collectMachineFacts()
  const folder = createFolder()
  const databases = await openDatabases('sqlite', folder)
  const counts = { companies: records / PER_COMPANY, people: records, deals: 1, tasks: 1 }
  const [url, { actor }] = await databases.create('exports', (storage) => fillWorkspace(storage, counts))
  const storage = await openStorage(url)
  const { people } = createCrmOn(storage)
  const write = (name: string, texts: () => AsyncIterable<string> | Iterable<string>) => async () =>
    writeFile(join(folder, name), texts(), records)
  const { ndjson, csv, bare } = await measureInRounds(
    {
      ndjson: write('ndjson', () => people.export(actor, { format: 'ndjson' })),
      csv: write('csv', () => people.export(actor, { format: 'csv' })),
      bare: write('bare', () => joinLines(selectPeople(sqliteFile(url)!, actor.workspaceId))),
    },
    rounds,
  )
  await storage.close()
  if (!readFileSync(join(folder, 'ndjson')).equals(readFileSync(join(folder, 'bare'))))
    throw new Error('The statement makes other lines than the export.')
  const bareRates = bare.map(({ rate }) => rate)
  const lines = Object.entries({ NDJSON: ndjson, CSV: csv }).map(([title, samples]) => {
    const rates = samples.map(({ rate }) => rate)
    return [
      `${title} of people`,
      median(rates).toFixed(0),
      median(bareRates).toFixed(0),
      ...formatMeasure({ value: medianRatio(rates, bareRates), atLeast: MIN_RATIO }),
      ...formatMeasure({
        value: median(samples.map(({ lagMs }) => lagMs)),
        atMost: MAX_LAG_MS,
        unit: 'ms',
        digits: 0,
      }),
    ]
  })
  facts.push(
    databases.version,
    `${records} people with owner and company, exported by the core in this process; the statement makes the same NDJSON`,
    `${rounds} rounds in alternation; medians`,
  )
  const head = ['export', 'records /s', 'bare select /s', 'ratio', 'target', '', 'longest turn', 'target', '']
  publishReport({ name: 'exports', title: 'Exports', tables: [formatTable(head, lines)], facts }, isFullRun)
}

/** Writes as the server does, one piece in each turn of the event loop. */
async function writeFile(
  path: string,
  texts: AsyncIterable<string> | Iterable<string>,
  records: number,
): Promise<Sample> {
  const file = openSync(path, 'w')
  const startedAt = performance.now()
  let [turnAt, lagMs] = [startedAt, 0]
  const timer = setInterval(() => {
    const now = performance.now()
    lagMs = Math.max(lagMs, now - turnAt)
    turnAt = now
  }, 1)
  for await (const text of texts) {
    writeSync(file, text)
    await new Promise(setImmediate)
  }
  clearInterval(timer)
  closeSync(file)
  return { rate: (records / (performance.now() - startedAt)) * 1000, lagMs }
}

function* joinLines(lines: Iterable<string>): Generator<string, void, undefined> {
  let text = ''
  for (const line of lines) {
    text += line
    if (text.length < PIECE_LENGTH) continue
    yield text
    text = ''
  }
  yield text
}
