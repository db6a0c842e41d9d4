import { randomFillSync } from 'node:crypto'
import { closeSync, copyFileSync, openSync, statSync, truncateSync, writeSync } from 'node:fs'
import Database from 'better-sqlite3'
import type { FaultEnvironment } from './environment.ts'
import type { Effort, Fault } from './fault.ts'
import {
  type ApiResponse,
  type CallApi,
  createApiCaller,
  expectStatus,
  waitForProgress,
  waitUntil,
} from './outage.ts'
import { expectStartRefused } from './start-refusal.ts'
import { type AcknowledgedWrites, startWriters } from './writers.ts'

const WRITES = { brief: 150, thorough: 3000 }
const ROUNDS = { brief: 1, thorough: 20 }
const PAGE_BYTES = 4096
const DAMAGED_FILE = / is damaged.*Restore it from a backup\.$/
const NEWER_VERSION = /made by a newer version of this program \(it has 9999_future\)/

/**
 * Ways to damage a database file. SQLite has no page checksums, so a changed value inside a row goes
 * undetected.
 */
const DAMAGES = {
  'pages of noise': (file: string) =>
    overwrite(
      file,
      findLeafPages(file, 'tasks').filter((_, index) => index % 2 === 0),
    ),
  'a first page of noise': (file: string) => overwrite(file, [1]),
  'cut by less than a page': (file: string) => truncateSync(file, statSync(file).size - PAGE_BYTES / 8),
  'cut in half': (file: string) => truncateSync(file, Math.floor(statSync(file).size / 2)),
}

/** The service neither starts on a damaged file nor serves wrong data from it. */
export const corrupt: Fault = {
  name: 'corrupt',
  title: 'a damaged file, or one of a newer version',
  databases: ['sqlite'],
  async run(environment, effort) {
    const file = environment.databaseUrl.slice('sqlite:'.length)
    const writes = await fillDatabase(environment, effort)
    const intactCopy = `${file}.intact`
    copyFileSync(file, intactCopy)
    for (const [name, damage] of Object.entries(DAMAGES)) {
      damage(file)
      expectStartRefused(environment, name, DAMAGED_FILE)
      copyFileSync(intactCopy, file)
    }
    addFutureMigration(file)
    expectStartRefused(environment, 'a newer version', NEWER_VERSION)
    copyFileSync(intactCopy, file)
    let [correct, failed] = [0, 0]
    for (let round = 0; round < ROUNDS[effort]; round += 1) {
      for (const damage of [DAMAGES['pages of noise'], DAMAGES['cut in half']]) {
        const counts = await damageWhileServing(environment, writes, () => damage(file))
        correct += counts.correct
        failed += counts.failed
        copyFileSync(intactCopy, file)
      }
    }
    return `${Object.keys(DAMAGES).length + 1} starts refused; damaged ${2 * ROUNDS[effort]} times while served: ${correct} tasks read correctly, ${failed} failed with 500, none wrong`
  },
}

async function fillDatabase(environment: FaultEnvironment, effort: Effort): Promise<AcknowledgedWrites> {
  const service = await environment.startService()
  const writers = startWriters({ token: environment.token, ports: [service.port] })
  await waitForProgress(writers, WRITES[effort])
  const writes = await writers.stop()
  await service.stop()
  return writes
}

async function damageWhileServing(
  environment: FaultEnvironment,
  { tasks }: AcknowledgedWrites,
  damage: () => void,
) {
  const service = await environment.startService()
  const callApi = createApiCaller(service, environment.token)
  expectStatus(await callApi('GET', '/readyz'), 200)
  damage()
  const responses: ApiResponse[] = []
  for (const [id, { title }] of tasks) {
    const response = await callApi('GET', `/v1/tasks/${id}`)
    expectStatus(response, response.status === 200 ? 200 : 500)
    const { data } = response.body as { readonly data?: { readonly title: string } }
    if (data && data.title !== title)
      throw new Error(`A task titled "${title}" was read as "${data.title}" from a damaged file.`)
    responses.push(response)
  }
  await expectCompleteList(callApi, [...tasks.keys()])
  const write = await callApi('POST', '/v1/tasks', { title: 'Written to a damaged file' })
  expectStatus(write, write.status === 201 ? 201 : 500)
  const failed = responses.filter(({ status }) => status === 500).length
  if (failed === 0) throw new Error('Half of the file was damaged, and every task was read.')
  await waitUntil(
    'the service reports that it is not ready',
    async () => (await callApi('GET', '/readyz')).status === 503,
  )
  expectStatus(await callApi('GET', '/readyz'), 503)
  expectStatus(await callApi('GET', '/healthz'), 200)
  await service.stop()
  return { correct: responses.length - failed, failed }
}

/**
 * Pages through all tasks.
 * @throws Error if a list read from a damaged file lacks a task
 */
async function expectCompleteList(callApi: CallApi, ids: readonly string[]): Promise<void> {
  const listed = new Set<string>()
  for (let page = 1; ; page += 1) {
    const response = await callApi('GET', `/v1/tasks?per_page=100&page=${page}`)
    if (response.status !== 200) return expectStatus(response, 500)
    const { data } = response.body as { readonly data: readonly { readonly id: string }[] }
    for (const { id } of data) listed.add(id)
    if (data.length === 0) break
  }
  const missing = ids.find((id) => !listed.has(id))
  if (missing !== undefined) throw new Error(`A list read from a damaged file lacks ${missing}.`)
}

/** Returns the numbers of the leaf pages of a table. */
function findLeafPages(path: string, table: string): readonly number[] {
  const file = new Database(path, { readonly: true })
  try {
    return file
      .prepare("select pageno from dbstat where name = ? and pagetype = 'leaf'")
      .pluck()
      .all(table) as number[]
  } finally {
    file.close()
  }
}

function overwrite(file: string, pages: readonly number[]): void {
  const descriptor = openSync(file, 'r+')
  for (const page of pages)
    writeSync(descriptor, randomFillSync(Buffer.alloc(PAGE_BYTES)), 0, PAGE_BYTES, (page - 1) * PAGE_BYTES)
  closeSync(descriptor)
}

function addFutureMigration(path: string): void {
  const file = new Database(path)
  file.exec("insert into kysely_migration (name, timestamp) values ('9999_future', '2030-01-01')")
  file.close()
}
