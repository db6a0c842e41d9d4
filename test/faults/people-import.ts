import { setTimeout as sleep } from 'node:timers/promises'
import { OWNER_EMAIL, SLUG } from '../../bench/data.ts'
import type { Server } from '../../bench/processes.ts'
import type { CoreAccess, FaultEnvironment } from './environment.ts'

const PER_COMPANY = 5
const POLL_MS = 20
/** Ends a wait as a failure. No measurement depends on it. */
const TIMEOUT_MS = 120_000

type Crm = CoreAccess['crm']

const actorOf = ({ operator }: Crm) => operator.actorFor({ workspace: SLUG, email: OWNER_EMAIL })

/**
 * Uploads and reads a file of people at companies. People are not looked for, so that a row that is written twice becomes
 * two of them.
 * @returns the id of the import
 */
export function uploadPeople(environment: FaultEnvironment, rows: number): Promise<string> {
  const lines = Array.from(
    { length: rows },
    (_, row) => `Person ${row},p${row}@x.example,Company ${Math.floor(row / PER_COMPANY)}`,
  )
  const bytes = Buffer.from(`Name,Email,Company\n${lines.join('\n')}`)
  return environment.withCore(async ({ crm }) => {
    const actor = await actorOf(crm)
    const { id } = await crm.imports.create(actor, { name: 'people.csv', size: bytes.length })
    await crm.imports.upload(actor, id, { offset: 0, bytes })
    while (await crm.imports.continue()) {
      // Each call takes some steps.
    }
    await crm.imports.update(actor, id, { match: { people: null } })
    return id
  })
}

/** Does so in the background, while a process of the service runs. */
export async function beginWork(
  { withCore }: FaultEnvironment,
  id: string,
  work: 'run' | 'revert' | 'resume',
): Promise<void> {
  await withCore(async ({ crm }) => crm.imports[work](await actorOf(crm), id))
}

/** What the API says of an import. */
export interface ImportStatus {
  readonly state: string
  readonly done: number
  readonly problem: { readonly message: string } | null
  readonly reversal: { readonly deleted: number } | null
}

/** Returns undefined if the service cannot read it. */
export async function getImport(port: number, token: string, id: string): Promise<ImportStatus | undefined> {
  const response = await fetch(`http://127.0.0.1:${port}/v1/imports/${id}`, {
    headers: { Authorization: `Bearer ${token}` },
  })
  return ((await response.json()) as { readonly data?: ImportStatus }).data
}

/** @throws Error if the import is not as expected in time */
export async function waitForImport(
  { token }: FaultEnvironment,
  id: string,
  { port }: Server,
  isExpected: (status: ImportStatus) => boolean,
): Promise<ImportStatus> {
  const deadline = performance.now() + TIMEOUT_MS
  let status: ImportStatus | undefined
  while (performance.now() < deadline) {
    status = await getImport(port, token, id)
    if (status && isExpected(status)) return status
    await sleep(POLL_MS)
  }
  throw new Error(`The import does not go on: ${JSON.stringify(status)}`)
}

/** A killed process has the import to itself for some seconds more: they pass at once. */
export async function endLease({ withCore }: FaultEnvironment, id: string): Promise<void> {
  await withCore(({ storage }) =>
    storage.transact(async (tx) => {
      const found = await tx.imports.getForUpdate(id)
      if (found && found.due_at !== null) await tx.imports.update({ ...found, due_at: found.created_at })
    }),
  )
}

/** @throws Error unless each row has become one person, and each company is there once */
export async function expectEachRowOnce(environment: FaultEnvironment, rows: number): Promise<void> {
  const { people, names, companies } = await environment.withCore(({ crm }) => countRecords(crm))
  if (people !== rows || names !== rows || companies !== Math.ceil(rows / PER_COMPANY))
    throw new Error(`${rows} rows became ${people} people of ${names} names at ${companies} companies.`)
}

/** @throws Error if a record of the import is there */
export async function expectNothingLeft(environment: FaultEnvironment): Promise<void> {
  const { people, companies } = await environment.withCore(({ crm }) => countRecords(crm))
  if (people + companies > 0)
    throw new Error(`The reversal has left ${people} people and ${companies} companies.`)
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
