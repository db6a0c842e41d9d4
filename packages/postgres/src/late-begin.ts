import type { Asked, Connection, Database, Row } from '@sales-crm/sql'
import { groupCommit, type Writes } from './group-commit.ts'
import type { OwnLine } from './own-line.ts'
import { again, type Begun, lookOver, type transactionsOver } from './transactions.ts'
import { type Turn, turns } from './turns.ts'

/**
 * Transactions that begin with the first thing that needs one: the first look at more than a row or two, the first row that is held, the first write
 * whose outcome is asked for. What comes before it sees what is committed, as each statement of a transaction does here; and what is left to
 * be written where nothing needed one is committed together with what others write.
 */
export function lateTransactions(
  { begin, once }: Pick<ReturnType<typeof transactionsOver>, 'begin' | 'once'>,
  looks: OwnLine,
  groups: OwnLine,
): Database['transact'] {
  const together = groupCommit(groups, alone)
  /** Of the units of this process that rely on the same, each waits until the one before is done. */
  const takeTurn = turns()

  function alone(writes: Writes): Promise<void> {
    return once(async ({ write }) => {
      for (const { statement, values } of writes) void write(statement, [values])
    })
  }

  async function unit<T>(work: (connection: Connection) => Promise<T>): Promise<T> {
    const [guards, written]: [Asked[], Asked[]] = [[], []]
    let isOver = false
    let begun: Promise<Begun> | undefined
    let looking: ReturnType<typeof lookOver> | undefined
    let relying: Promise<readonly Row[]> | undefined
    /** Looks wait for it, too: what is read before the record may be older than the record. */
    let turn: Turn | undefined

    function mustLast(): void {
      if (isOver) throw new Error('The transaction is over.')
    }

    async function beginNow(): Promise<Begun> {
      // Who waits to rely on a record holds nothing yet: so none ever waits for another who waits for it.
      await relying?.catch(() => undefined)
      const now = await begin()
      for (const { statement, values } of [...guards, ...written]) void now.connection.write(statement, [values])
      return now
    }

    async function own(): Promise<Connection> {
      mustLast()
      begun ??= beginNow()
      return (await begun).connection
    }

    async function look(): Promise<Connection> {
      mustLast()
      looking ??= lookOver(looks)
      return looking
    }

    async function relyOn({ statement, values }: Asked, guard: (row: Row) => Asked): Promise<readonly Row[]> {
      turn = takeTurn(`${statement.name} ${values.join(' ')}`)
      await turn.comes
      const rows = await (await look()).rows(statement, values)
      guards.push(...rows.map(guard))
      return rows
    }

    const connection: Connection = {
      async rows(statement, values) {
        if (turn) await turn.comes
        const isLook = statement.looksUp && begun === undefined && written.length === 0
        return (await (isLook ? look() : own())).rows(statement, values)
      },
      run: async (statement, values) => (await own()).run(statement, values),
      async write(statement, lists) {
        if (begun) return (await own()).write(statement, lists)
        for (const values of lists) written.push({ statement, values })
      },
      async rely(reading, guard) {
        if (begun || relying || written.length > 0) return undefined
        relying = relyOn(reading, guard)
        return relying
      },
      attempt: async (part) => (await own()).attempt(part),
    }

    try {
      const result = await work(connection).finally(() => {
        isOver = true
      })
      ;(await looking)?.mustBeSound()
      if (begun) await (await begun).commit()
      else if (written.length > 0) await together([...guards, ...written])
      return result
    } catch (error) {
      throw begun ? await (await begun).takeBack(error) : error
    } finally {
      turn?.leave()
    }
  }

  // Whoever had to give way holds what it needs from the start.
  return (work) => again((tries) => (tries === 1 ? unit(work) : once(work)))
}
