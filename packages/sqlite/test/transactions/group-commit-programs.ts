import type { Statement } from '@sales-crm/sql'
import fc from 'fast-check'
import type { Fault } from './recorded-files.ts'

export type Verb = 'read' | 'insert' | 'update' | 'erase'

/** One statement about one note. */
export interface Change {
  readonly do: Verb
  readonly key: string
}

export type Step =
  | Change
  /** A part that may fail alone. */
  | { readonly do: 'part'; readonly steps: readonly Change[]; readonly throws: boolean }
  /** Given at once: none waits for the one before. */
  | { readonly do: 'together'; readonly changes: readonly Change[] }
  /** Whatever else there is goes on. */
  | { readonly do: 'turn' }
  /** The event loop was held for long: from here on statements wait for their turn. */
  | { readonly do: 'hold' }
  /** Another one reads meanwhile. */
  | { readonly do: 'look' }

/** What one transaction does. */
export interface Program {
  readonly isSynced: boolean
  readonly steps: readonly Step[]
  /** A statement that nobody waits for, given as the work ends. */
  readonly stray: Change | undefined
  readonly throws: boolean
  /** It goes on after a step that failed. */
  readonly catches: boolean
}

/** Transactions that arrive in one turn of the event loop. */
export type Arrival = readonly Program[]

export const TABLE = 'create table notes (key text primary key, value integer not null, job integer not null)'
export const ALL = 'select key, value from notes order by key'

const GIVEN = 'with given (job, key, value) as (values (?, ?, ?))'
const insert = `${GIVEN} insert into notes (job, key, value) select job, key, value from given`
const update = `${GIVEN} update notes set (job, value) = (select job, value from given) where key = (select key from given)`
const erase = `${GIVEN} delete from notes where key = (select key from given)`
const read = `${GIVEN} select notes.value from notes join given using (key)`

/** Each is given the number of its transaction, the key, and its own number within the transaction. */
export const STATEMENTS: Readonly<Record<Verb, Statement>> = {
  read: statementOf(read),
  insert: statementOf(insert),
  update: statementOf(update),
  erase: statementOf(erase),
}

function statementOf(sql: string): Statement {
  return { name: sql, sql, params: ['job', 'key', 'value'], plan: 'generic' }
}

const change: fc.Arbitrary<Change> = fc.record({
  do: fc.constantFrom('read', 'insert', 'insert', 'update', 'erase'),
  key: fc.constantFrom('a', 'b', 'c'),
})

const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 5, arbitrary: change },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('part'),
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
  { weight: 2, arbitrary: fc.constant({ do: 'turn' } as const) },
  { weight: 1, arbitrary: fc.constant({ do: 'hold' } as const) },
  { weight: 1, arbitrary: fc.constant({ do: 'look' } as const) },
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

/** What fails of the database. A commit that cannot be made is the most likely of them. */
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
    isOver: fc.boolean(),
    code: fc.constantFrom('SQLITE_FULL', 'SQLITE_IOERR_FSYNC', 'SQLITE_IOERR_READ', 'SQLITE_BUSY'),
  }),
  { maxLength: 2 },
)
