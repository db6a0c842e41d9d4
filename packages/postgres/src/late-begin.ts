import type { Asked, Connection, Database, Row } from '@sales-crm/sql'
import { groupCommit, type Writes } from './group-commit.ts'
import type { OwnLine } from './own-line.ts'
import { again, type Begun, lookOver, type transactionsOver } from './transactions.ts'

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
  /** What units of this process rely on, by what they asked for: the next one that would waits until it is done. */
  const relied = new Map<string, Promise<void>>()

  function alone(writes: Writes): Promise<void> {
    return once(async ({ write }) => {
      for (const { statement, values } of writes) void write(statement, [values])
    })
  }

  async function unit<T>(work: (connection: Connection) => Promise<T>): Promise<T> {
    const [guards, written]: [Asked[], Asked[]] = [[], []]
    let letGo = () => {}
    let begun: Promise<Begun> | undefined
    let looking: ReturnType<typeof lookOver> | undefined
    let relying: Promise<readonly Row[]> | undefined
    /** Looks wait with it: what is read before the record may be older than the record. */
    let turn: Promise<void> | undefined

    async function beginNow(): Promise<Begun> {
      // Who waits to rely on a record holds nothing yet: so none ever waits for another who waits for it.
      await relying?.catch(() => undefined)
      const now = await begin()
      for (const { statement, values } of [...guards, ...written]) void now.connection.write(statement, [values])
      return now
    }

    async function own(): Promise<Connection> {
      begun ??= beginNow()
      return (await begun).connection
    }

    async function look(): Promise<Connection> {
      looking ??= lookOver(looks)
      return looking
    }

    async function relyOn({ statement, values }: Asked, guard: (row: Row) => Asked): Promise<readonly Row[]> {
      const key = `${statement.name} ${values.join(' ')}`
      const { promise: coming, resolve: come } = Promise.withResolvers<void>()
      turn = coming
      while (relied.has(key)) await relied.get(key)
      const { promise, resolve } = Promise.withResolvers<void>()
      relied.set(key, promise)
      letGo = () => {
        relied.delete(key)
        resolve()
      }
      come()
      const rows = await (await look()).rows(statement, values)
      guards.push(...rows.map(guard))
      return rows
    }

    const connection: Connection = {
      async rows(statement, values) {
        if (turn) await turn
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
      const result = await work(connection)
      ;(await looking)?.mustBeSound()
      if (begun) await (await begun).commit()
      else if (written.length > 0) await together([...guards, ...written])
      return result
    } catch (error) {
      throw begun ? await (await begun).takeBack(error) : error
    } finally {
      // Work may fail while it waits for its turn, which would come to nobody then.
      await relying?.catch(() => undefined)
      letGo()
    }
  }

  // Whoever had to give way holds what it needs from the start.
  return (work) => again((tries) => (tries === 1 ? unit(work) : once(work)))
}
