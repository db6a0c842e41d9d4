import { OWNER_EMAIL, SLUG } from '../../bench/data.ts'
import type { CoreAccess, FaultEnvironment } from './environment.ts'
import type { Fault } from './fault.ts'

const KILLS = { brief: 3, thorough: 50 }
/** Rows that are written between two kills, at least. */
const ROWS_PER_KILL = { brief: 150, thorough: 400 }
const PER_COMPANY = 5
const POLL_MS = 20
/** Milliseconds from the start of a process to its kill, at most. */
const MAX_WORK_MS = 1500

/** After `kill -9` an import goes on at its row: each becomes one record, and the reversal leaves none. */
export const importKill: Fault = {
  name: 'import-kill',
  title: 'kill -9 in a loop during an import',
  databases: ['sqlite', 'postgres'],
  async run(environment, effort) {
    const kills = KILLS[effort]
    // Half of the kills hit the run, the others the reversal.
    const rows = ROWS_PER_KILL[effort] * (kills + 2)
    const [runKills, reversalKills] = [Math.ceil(kills / 2), Math.floor(kills / 2)]
    const id = await environment.withCore(({ crm }) => uploadFile(crm, rows))
    await environment.withCore(async ({ crm }) => crm.imports.run(await actorOf(crm), id))
    await finishWithKills(environment, id, 'done', runKills)
    const { people, names, companies } = await environment.withCore(({ crm }) => countRecords(crm))
    if (people !== rows || names !== rows || companies !== Math.ceil(rows / PER_COMPANY))
      throw new Error(`${rows} rows became ${people} people of ${names} names at ${companies} companies.`)
    await environment.withCore(async ({ crm }) => crm.imports.revert(await actorOf(crm), id))
    await finishWithKills(environment, id, 'reverted', reversalKills)
    const left = await environment.withCore(({ crm }) => countRecords(crm))
    if (left.people + left.companies > 0)
      throw new Error(`The reversal has left ${left.people} people and ${left.companies} companies.`)
    return `${rows} rows with ${runKills} kills of the run and ${reversalKills} of the reversal: each row once, and none left`
  },
}

type Crm = CoreAccess['crm']

const actorOf = ({ operator }: Crm) => operator.actorFor({ workspace: SLUG, email: OWNER_EMAIL })

/** Sends a file of people at companies, and reads it. Returns the id of the import. */
async function uploadFile(crm: Crm, rows: number): Promise<string> {
  const lines = Array.from(
    { length: rows },
    (_, row) => `Person ${row},p${row}@x.example,Company ${Math.floor(row / PER_COMPANY)}`,
  )
  const bytes = Buffer.from(`Name,Email,Company\n${lines.join('\n')}`)
  const actor = await actorOf(crm)
  const { id } = await crm.imports.create(actor, { name: 'people.csv', size: bytes.length })
  await crm.imports.upload(actor, id, { offset: 0, bytes })
  while (await crm.imports.continue()) {
    // Each call takes some steps.
  }
  return id
}

/** Kills the service some times while it works on the import, and waits for the end. */
async function finishWithKills(
  environment: FaultEnvironment,
  id: string,
  end: 'done' | 'reverted',
  kills: number,
): Promise<void> {
  for (let count = 0; count <= kills; count += 1) {
    const service = await environment.startService()
    const isLast = count === kills
    const killAfterMs = Math.random() * MAX_WORK_MS
    const startedAt = performance.now()
    for (;;) {
      await new Promise((resolve) => setTimeout(resolve, POLL_MS))
      if (!isLast && performance.now() - startedAt > killAfterMs) break
      const { state, problem } = await getImport(service.port, environment.token, id)
      if (state === end) break
      if (state === 'paused') throw new Error(`The import is paused: ${problem?.message}`)
    }
    await (isLast ? service.stop() : service.kill())
    await environment.withCore(({ storage }) => endLease(storage, id))
  }
}

interface ImportState {
  readonly state: string
  readonly problem: { readonly message: string } | null
}

async function getImport(port: number, token: string, id: string): Promise<ImportState> {
  const response = await fetch(`http://127.0.0.1:${port}/v1/imports/${id}`, {
    headers: { Authorization: `Bearer ${token}` },
  })
  return ((await response.json()) as { readonly data: ImportState }).data
}

/** A killed process has the import to itself for some seconds more: they pass at once. */
async function endLease(storage: CoreAccess['storage'], id: string): Promise<void> {
  await storage.transact(async (tx) => {
    const found = await tx.imports.getForUpdate(id)
    if (found && found.due_at !== null) await tx.imports.update({ ...found, due_at: found.created_at })
  })
}

async function countRecords(crm: Crm) {
  const actor = await actorOf(crm)
  const names = new Set<string>()
  let people = 0
  let rest = ''
  for await (const piece of crm.people.export(actor, { format: 'ndjson' })) {
    const lines = (rest + piece).split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines) {
      people += 1
      names.add((JSON.parse(line) as { readonly full_name: string }).full_name)
    }
  }
  const { meta } = await crm.companies.list(actor, {})
  return { people, names: names.size, companies: meta.total }
}
