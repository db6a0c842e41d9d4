import { randomFillSync } from 'node:crypto'
import { closeSync, copyFileSync, openSync, statSync, truncateSync, writeSync } from 'node:fs'
import Database from 'better-sqlite3'
import type { FaultEnvironment } from './environment.ts'
import type { Effort, Fault } from './fault.ts'
import {
  type Answer,
  createRequest,
  expectStatus,
  type Request,
  waitForProgress,
  waitUntil,
} from './outage.ts'
import { expectStartRefused } from './start-refusal.ts'
import { type AcknowledgedWrites, startWriters } from './writers.ts'

const WRITES = { brief: 150, thorough: 3000 }
const ROUNDS = { brief: 1, thorough: 20 }
const PAGE = 4096
const RESTORE = / is damaged.*Restore it from a backup\.$/
const UPDATE = /made by a newer version of this program \(it has 9999_future\)/

/**
 * What may become of a file. SQLite keeps no sums of its pages: a value whose letters have changed is found
 * by nobody.
 */
const DAMAGES = {
  'pages of noise': (file: string) =>
    overwrite(
      file,
      pagesOf(file, 'tasks').filter((_, index) => index % 2 === 0),
    ),
  'a first page of noise': (file: string) => overwrite(file, [1]),
  'cut in half': (file: string) => truncateSync(file, Math.floor(statSync(file).size / 2)),
}

/** A damaged file is neither begun with nor served as if it were sound. */
export const corrupt: Fault = {
  name: 'corrupt',
  title: 'a file that is damaged, or of a newer version',
  databases: ['sqlite'],
  async run(place, effort) {
    const file = place.databaseUrl.slice('sqlite:'.length)
    const written = await fillDatabase(place, effort)
    const sound = `${file}.sound`
    copyFileSync(file, sound)
    for (const [name, damage] of Object.entries(DAMAGES)) {
      damage(file)
      expectStartRefused(place, name, RESTORE)
      copyFileSync(sound, file)
    }
    makeNewer(file)
    expectStartRefused(place, 'a newer version', UPDATE)
    copyFileSync(sound, file)
    let [right, failed] = [0, 0]
    for (let round = 0; round < ROUNDS[effort]; round += 1) {
      for (const damage of [DAMAGES['pages of noise'], DAMAGES['cut in half']]) {
        const seen = await damageWhileServing(place, written, () => damage(file))
        right += seen.right
        failed += seen.failed
        copyFileSync(sound, file)
      }
    }
    return `${Object.keys(DAMAGES).length + 1} starts refused; damaged while it was served ${2 * ROUNDS[effort]} times: ${right} tasks answered as they are, ${failed} not answered, none wrong`
  },
}

async function fillDatabase(place: FaultEnvironment, effort: Effort): Promise<AcknowledgedWrites> {
  const service = await place.start()
  const writers = startWriters({ token: place.token, ports: [service.port] })
  await waitForProgress(writers, WRITES[effort])
  const written = await writers.stop()
  await service.stop()
  return written
}

async function damageWhileServing(
  place: FaultEnvironment,
  { tasks }: AcknowledgedWrites,
  damage: () => void,
) {
  const service = await place.start()
  const ask = createRequest(service, place.token)
  expectStatus(await ask('GET', '/readyz'), 200)
  damage()
  const answers: Answer[] = []
  for (const [id, { title }] of tasks) {
    const answer = await ask('GET', `/v1/tasks/${id}`)
    expectStatus(answer, answer.status === 200 ? 200 : 500)
    const { data } = answer.body as { readonly data?: { readonly title: string } }
    if (data && data.title !== title)
      throw new Error(`A task was "${title}", and is read as "${data.title}" from a damaged file.`)
    answers.push(answer)
  }
  await mustListAllOrNone(ask, [...tasks.keys()])
  const write = await ask('POST', '/v1/tasks', { title: 'Written to a damaged file' })
  expectStatus(write, write.status === 201 ? 201 : 500)
  const failed = answers.filter(({ status }) => status === 500).length
  if (failed === 0) throw new Error('Half the file was damaged, and all of it was read.')
  await waitUntil(
    'the service says that it is not ready',
    async () => (await ask('GET', '/readyz')).status === 503,
  )
  expectStatus(await ask('GET', '/readyz'), 503)
  expectStatus(await ask('GET', '/healthz'), 200)
  await service.stop()
  return { right: answers.length - failed, failed }
}

/** A list that is answered from a damaged file must not be a shorter one. */
async function mustListAllOrNone(ask: Request, ids: readonly string[]): Promise<void> {
  const listed = new Set<string>()
  for (let page = 1; ; page += 1) {
    const answer = await ask('GET', `/v1/tasks?per_page=100&page=${page}`)
    if (answer.status !== 200) return expectStatus(answer, 500)
    const { data } = answer.body as { readonly data: readonly { readonly id: string }[] }
    for (const { id } of data) listed.add(id)
    if (data.length === 0) break
  }
  const missing = ids.find((id) => !listed.has(id))
  if (missing !== undefined)
    throw new Error(`Of a damaged file a list was answered in which ${missing} is missing.`)
}

/** The numbers of the pages that hold a table's rows. */
function pagesOf(path: string, table: string): readonly number[] {
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
  const open = openSync(file, 'r+')
  for (const page of pages) writeSync(open, randomFillSync(Buffer.alloc(PAGE)), 0, PAGE, (page - 1) * PAGE)
  closeSync(open)
}

function makeNewer(path: string): void {
  const file = new Database(path)
  file.exec("insert into kysely_migration (name, timestamp) values ('9999_future', '2030-01-01')")
  file.close()
}
