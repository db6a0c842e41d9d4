import type { Actor, Crm } from '@sales-crm/core'
import { createCrmOn, fillWorkspace, SLUG } from '../data.ts'
import { DATABASES, type DatabaseName, openDatabases, openStorage } from '../databases.ts'
import { collectMachineFacts } from '../machine.ts'
import { readOptions } from '../options.ts'
import { createFolder, runProgram } from '../program.ts'
import { formatMeasure, formatTable, type Measure, publishReport } from '../report.ts'
import { measureInRounds, median, medianRatio } from '../rounds.ts'

/** What a member reads who sees the records of fifty of a thousand owners. */
const OWNERS = 1_000
const TEAM = 50
const CALLS = 20
const MAX_PAGE_MS = { sqlite: 10, postgres: 20 }
const MAX_SEARCH_MS = 50
const MAX_BOARD_RATIO = 2
const OPTIONS = { numbers: { people: 1_000_000, deals: 10_000, rounds: 7 }, choices: { only: DATABASES } }

await runProgram(main)

async function main(): Promise<void> {
  const { people, deals, rounds, only, isFullRun } = readOptions(OPTIONS)
  const facts = collectMachineFacts()
  const folder = createFolder()
  const lines: (readonly string[])[] = []
  for (const name of only as readonly DatabaseName[]) {
    const databases = await openDatabases(name, folder)
    const emails = Array.from({ length: OWNERS - 1 }, (_, index) => `m${index}@bench.example`)
    const counts = { companies: 1_000, people, deals, tasks: 1 }
    const [url, data] = await databases.create('visibility', (storage) =>
      fillWorkspace(storage, counts, emails),
    )
    const storage = await openStorage(url)
    const crm = createCrmOn(storage)
    await crm.teams.create(data.actor, {
      name: 'South',
      members: data.ownerIds.slice(1, TEAM + 1).map((id) => ({ id })),
    })
    const visibility = { people: 'team', companies: 'team', deals: 'team', tasks: 'team' } as const
    await crm.workspace.update(data.actor, { visibility })
    const member = await crm.operator.actorFor({ workspace: SLUG, email: emails[0]! })
    lines.push(...(await measureReads(crm, { boss: data.actor, member }, data.pipelineId, name, rounds)))
    await storage.close()
    facts.push(databases.version)
  }
  facts.push(
    `${people} people and ${deals} open deals of ${OWNERS} owners, of whom the member's team has ${TEAM}`,
    `median of ${rounds} rounds of ${CALLS} calls in this process`,
  )
  const head = ['database', 'read', 'member', 'target', '', 'owner of the workspace', 'member / owner']
  publishReport(
    { name: 'visibility', title: 'Who sees what', tables: [formatTable(head, lines)], facts },
    isFullRun,
  )
}

interface Readers {
  readonly boss: Actor
  readonly member: Actor
}

async function measureReads(
  crm: Crm,
  { boss, member }: Readers,
  pipelineId: string,
  database: DatabaseName,
  rounds: number,
): Promise<readonly (readonly string[])[]> {
  const atMost = MAX_PAGE_MS[database]
  const reads: Readonly<
    Record<string, readonly [read: (actor: Actor) => Promise<unknown>, target: Partial<Measure>]>
  > = {
    'first page, newest first': [(actor) => crm.people.list(actor), { atMost }],
    'first page by name': [
      (actor) => crm.people.list(actor, { order_by: 'full_name', order: 'asc' }),
      { atMost },
    ],
    'search of people': [(actor) => crm.people.list(actor, { search: 'mar sou' }), { atMost: MAX_SEARCH_MS }],
    'search of everything': [
      (actor) => crm.searchRecords(actor, { search: 'mar sou' }),
      { atMost: MAX_SEARCH_MS },
    ],
    board: [(actor) => crm.pipelines.board(actor, pipelineId), {}],
  }
  const lines: (readonly string[])[] = []
  for (const [title, [read, target]] of Object.entries(reads)) {
    const samples = await measureInRounds(
      { member: () => timeCalls(() => read(member)), boss: () => timeCalls(() => read(boss)) },
      rounds,
    )
    const ratio = medianRatio(samples.member, samples.boss)
    const isBoard = title === 'board'
    lines.push([
      database,
      title,
      ...(isBoard
        ? formatMeasure({ value: ratio, atMost: MAX_BOARD_RATIO, unit: 'times the owner’s' })
        : formatMeasure({ value: median(samples.member), unit: 'ms', digits: 1, ...target })),
      `${median(samples.boss).toFixed(1)} ms`,
      ratio.toFixed(2),
    ])
  }
  return lines
}

/** Milliseconds per call. */
async function timeCalls(call: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now()
  for (let count = 0; count < CALLS; count += 1) await call()
  return (performance.now() - startedAt) / CALLS
}
