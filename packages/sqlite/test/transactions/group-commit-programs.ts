import type { Statement } from '@sales-crm/sql'
import fc from 'fast-check'
import type { Fault } from './recorded-files.ts'

export type StatementKind = 'read' | 'insert' | 'update' | 'delete'

/** One statement on one note. */
export interface Change {
  readonly do: StatementKind
  readonly key: string
}

export type Step =
  | Change
  /** A savepoint that may fail alone. */
  | { readonly do: 'savepoint'; readonly steps: readonly Change[]; readonly throws: boolean }
  /** Issued together: none waits for the previous one. */
  | { readonly do: 'together'; readonly changes: readonly Change[] }
  /** Yields to other scheduled work. */
  | { readonly do: 'yield' }
  /** The event loop was blocked for long: later statements wait for a turn. */
  | { readonly do: 'block' }
  /** Reads all notes on the reader connection. */
  | { readonly do: 'read all' }

/** One transaction. */
export interface Program {
  readonly isSynced: boolean
  readonly steps: readonly Step[]
  /** A statement issued as the work ends, and not awaited. */
  readonly stray: Change | undefined
  readonly throws: boolean
  /** Continues after a failed step. */
  readonly catches: boolean
}

/** Transactions submitted in one turn of the event loop. */
export type Arrival = readonly Program[]

export const TABLE = 'create table notes (key text primary key, value integer not null, job integer not null)'
export const ALL = 'select key, value from notes order by key'

const PARAMETERS = 'with input (job, key, value) as (values (?, ?, ?))'
const insert = `${PARAMETERS} insert into notes (job, key, value) select job, key, value from input`
const update = `${PARAMETERS} update notes set (job, value) = (select job, value from input) where key = (select key from input)`
const remove = `${PARAMETERS} delete from notes where key = (select key from input)`
const read = `${PARAMETERS} select notes.value from notes join input using (key)`

/** Each takes the job number, the key and a sequence number. */
export const STATEMENTS: Readonly<Record<StatementKind, Statement>> = {
  read: statementOf(read),
  insert: statementOf(insert),
  update: statementOf(update),
  delete: statementOf(remove),
}

function statementOf(sql: string): Statement {
  return { name: sql, sql, params: ['job', 'key', 'value'], plan: 'generic' }
}

const change: fc.Arbitrary<Change> = fc.record({
  do: fc.constantFrom('read', 'insert', 'insert', 'update', 'delete'),
  key: fc.constantFrom('a', 'b', 'c'),
})

const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 5, arbitrary: change },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('savepoint'),
      steps: fc.array(change, { maxLength: 3 }),
      throws: fc.boolean(),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant('together'),
      changes: fc.array(change, { minLength: 2, maxLength: 3 }),
    }),
  },
  { weight: 2, arbitrary: fc.constant({ do: 'yield' } as const) },
  { weight: 1, arbitrary: fc.constant({ do: 'block' } as const) },
  { weight: 1, arbitrary: fc.constant({ do: 'read all' } as const) },
)

const rarely = fc.nat(3).map((nth) => nth === 0)

const program: fc.Arbitrary<Program> = fc.record({
  isSynced: fc.boolean(),
  steps: fc.array(step, { maxLength: 6 }),
  stray: fc.option(change, { nil: undefined, freq: 4 }),
  throws: rarely,
  catches: fc.boolean(),
})

export const arrivals: fc.Arbitrary<readonly Arrival[]> = fc.array(
  fc.array(program, { minLength: 1, maxLength: 4 }),
  {
    minLength: 1,
    maxLength: 4,
  },
)

/** Injected database errors. A failed commit is the most likely. */
export const faults: fc.Arbitrary<readonly Fault[]> = fc.array(
  fc.record({
    step: fc.oneof(
      { weight: 3, arbitrary: fc.constant('commit' as const) },
      { weight: 6, arbitrary: fc.constant('statement' as const) },
      {
        weight: 5,
        arbitrary: fc.constantFrom(
          'begin immediate',
          'savepoint job',
          'release job',
          'rollback to job',
          'release part',
        ),
      },
    ),
    nth: fc.integer({ min: 1, max: 4 }),
    endsTransaction: fc.boolean(),
    code: fc.constantFrom('SQLITE_FULL', 'SQLITE_IOERR_FSYNC', 'SQLITE_IOERR_READ', 'SQLITE_BUSY'),
  }),
  { maxLength: 2 },
)
