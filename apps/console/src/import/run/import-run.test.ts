import { CrmApiError, CrmConnectionError } from '@sales-crm/client'
import { expect, test } from 'vitest'
import type { Target } from '../columns/target.ts'
import type { Draft } from '../rows/draft.ts'
import type { ImportApi } from './import-api.ts'
import { ImportRun, type RunOptions } from './import-run.ts'
import { Pace } from './pace.ts'
import { countOutcomes, forgetRefused, NO_PROGRESS, type Progress } from './progress.ts'
import type { ExistingRecord, RecordInput } from './record-input.ts'

const NAME: Target = { id: 'fullName', kind: 'fullName' }

/** A service in memory: it keeps idempotency keys, refuses the name `bad`, and fails when it is told to. */
class FakeService implements ImportApi {
  readonly people = new Map<string, RecordInput>()
  readonly companies: string[] = []
  readonly notes: string[] = []
  readonly #byKey = new Map<string, string>()
  failures: unknown[] = []

  async get(): Promise<ExistingRecord> {
    return { full_name: '', emails: [], phones: [], tags: [], lists: [], custom_fields: [] }
  }
  async create(input: RecordInput & { readonly full_name: string }, key: string) {
    if (input.full_name === 'bad')
      throw new CrmApiError('Validation failed.', { status: 422, fields: { full_name: 'Is bad.' } })
    const id = this.#byKey.get(key) ?? `p${this.people.size + 1}`
    this.#byKey.set(key, id)
    this.people.set(id, input)
    this.#fail()
    return { id }
  }
  async update(id: string, changes: RecordInput) {
    this.#fail()
    this.people.set(id, { ...this.people.get(id), ...changes })
  }
  async createCompany(name: string) {
    this.companies.push(name)
    return { id: `c${this.companies.length}` }
  }
  async hasNote(id: string, note: string) {
    return this.notes.includes(`${id}: ${note}`)
  }
  async createNote(id: string, note: string) {
    this.notes.push(`${id}: ${note}`)
    this.#fail()
  }
  #fail(): void {
    const failure = this.failures.shift()
    if (failure) throw failure
  }
}

class FakeIndex {
  readonly #ids = new Map<string, string>()
  idOf(key: string) {
    return this.#ids.get(key)
  }
  add(key: string, id: string) {
    this.#ids.set(key, id)
  }
  async lookFor() {}
}

function createRun(
  service: FakeService,
  drafts: readonly Draft[],
  options: Partial<RunOptions> = {},
): ImportRun {
  return new ImportRun({
    id: 'import',
    kind: 'people',
    rows: drafts.map((draft, index) => ({
      row: { number: index + 2, cells: [draft.fullName ?? ''] },
      draft,
      errors: [],
    })),
    targets: [NAME],
    updates: true,
    additions: {},
    progress: NO_PROGRESS,
    api: service,
    records: new FakeIndex(),
    companies: new FakeIndex(),
    pace: new Pace(1000, 1000, { now: () => 0, wait: async () => {} }),
    wait: async () => {},
    saveProgress: () => {},
    explain: String,
    labelOf: String,
    ...options,
  })
}

const email = (address: string) => ({ emails: [{ email: address, type: 'work' as const }] })

test('creates each company once, and updates what an earlier row has created', async () => {
  const service = new FakeService()
  const run = createRun(service, [
    { fullName: 'Ana', company: 'Pampa', note: 'Call', ...email('ana@x.example') },
    { fullName: 'Bia', company: 'PAMPA' },
    { fullName: 'Ana Lima', ...email('ANA@x.example') },
  ])
  await run.start()
  expect(service.companies).toEqual(['Pampa'])
  expect(service.notes).toEqual(['p1: Call'])
  expect([...service.people.values()].map(({ full_name, company_id }) => [full_name, company_id])).toEqual([
    ['Ana Lima', 'c1'],
    ['Bia', 'c1'],
  ])
  expect(run.getState()).toMatchObject({ status: 'done', done: 3, total: 3, progress: { newCompanies: 1 } })
  expect(countOutcomes(run.getState().progress)).toEqual({ created: 2, updated: 1, refused: 0 })
})

test('goes on after a row that the service refuses, and tries it again when it is changed', async () => {
  const service = new FakeService()
  const first = createRun(service, [{ fullName: 'bad' }, { fullName: 'Bia' }])
  await first.start()
  const { progress } = first.getState()
  expect(progress.outcomes.get(2)).toEqual({
    status: 'refused',
    errors: [{ column: 0, text: 'bad', reason: { message: 'Is bad.' } }],
  })
  const second = createRun(service, [{ fullName: 'good' }, { fullName: 'Bia' }], {
    progress: forgetRefused(progress),
  })
  await second.start()
  expect([...service.people.values()].map(({ full_name }) => full_name)).toEqual(['Bia', 'good'])
})

test('waits while there is no connection, and creates nothing twice', async () => {
  const service = new FakeService()
  service.failures = [
    new CrmConnectionError('Lost.'),
    new CrmApiError('Busy.', { status: 429, retryAfterSeconds: 7 }),
  ]
  const waits: number[] = []
  const run = createRun(service, [{ fullName: 'Ana', note: 'Call' }], {
    wait: async (ms) => void waits.push(ms),
  })
  await run.start()
  expect(waits).toEqual([5000, 7000])
  expect(service.people.size).toBe(1)
  expect(run.getState().status).toBe('done')
})

test('counts a service that fails again and again as a refusal', async () => {
  const service = new FakeService()
  const failure = new CrmApiError('Broken.', { status: 500 })
  service.failures = [failure, failure, failure]
  const run = createRun(service, [{ fullName: 'Ana' }, { fullName: 'Bia' }])
  await run.start()
  expect(countOutcomes(run.getState().progress)).toEqual({ created: 1, updated: 0, refused: 1 })
})

test('stops after the row that is being sent, and goes on without what is done', async () => {
  const service = new FakeService()
  let saved: Progress = NO_PROGRESS
  const drafts = [{ fullName: 'Ana' }, { fullName: 'Bia' }, { fullName: 'Caio' }]
  const run: ImportRun = createRun(service, drafts, {
    saveProgress: (progress) => {
      saved = progress
      run.stop()
    },
  })
  await run.start()
  expect(run.getState()).toMatchObject({ status: 'stopped', done: 1, total: 3 })
  await createRun(service, drafts, { progress: saved }).start()
  expect(service.people.size).toBe(3)
})

test('writes the note that is missing, and no note twice', async () => {
  const service = new FakeService()
  service.notes.push('p1: Call')
  const outcomes = new Map([
    [2, { status: 'created' as const, id: 'p1', isNotePending: true }],
    [3, { status: 'created' as const, id: 'p2', isNotePending: true }],
  ])
  const drafts = [
    { fullName: 'Ana', note: 'Call' },
    { fullName: 'Bia', note: 'Write' },
  ]
  await createRun(service, drafts, { progress: { outcomes, newCompanies: 0 } }).start()
  expect(service.notes).toEqual(['p1: Call', 'p2: Write'])
  expect(service.people.size).toBe(0)
})

test('ends with the reason when the workspace is full', async () => {
  const service = new FakeService()
  service.failures = [
    new CrmApiError('The workspace is full: it may hold 3 records.', {
      status: 403,
      reason: 'workspace_full',
    }),
  ]
  const run = createRun(service, [{ fullName: 'Ana' }, { fullName: 'Bia' }])
  await run.start()
  expect(run.getState()).toMatchObject({ status: 'stopped', done: 0, error: expect.stringContaining('full') })
})
