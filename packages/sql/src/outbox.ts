import type { Claim, Claimed, Lane, Outbox } from '@sales-crm/core/ports'
import type { Row } from './connection.ts'
import type { Dialect } from './dialect.ts'
import { outboxStatements } from './outbox-statements.ts'
import type { TableShape } from './record-statements.ts'
import { decoderOf } from './record-store.ts'
import { mustLast, type Session, writing } from './session.ts'
import { type Statement, valuesFor } from './statement.ts'

/** How many deliveries of a lane there are, or are taken: due by now, and put off by a clock that was set back. */
interface Waiting extends Pick<Lane, 'workspace_id' | 'webhook_id' | 'host'> {
  readonly due: number
  readonly put_off: number
}

const PARTS = ['due', 'put_off'] as const
type Part = (typeof PARTS)[number]

/** @param table the deliveries */
export function outboxes(table: TableShape, dialect: Dialect): (session: Session) => Outbox {
  const statements = outboxStatements(table, dialect)
  const decode = decoderOf(table, dialect)

  return (session) => {
    const { connection } = session

    async function waiting(claim: Claim): Promise<readonly Waiting[]> {
      const rows = await connection.rows(statements.lanes, valuesFor(statements.lanes, { ...claim }))
      return rows.map(({ workspace_id, webhook_id, host, due_count, put_off_count }) => ({
        workspace_id: String(workspace_id),
        webhook_id: String(webhook_id),
        host: host === null ? undefined : String(host),
        due: Number(due_count),
        put_off: Number(put_off_count),
      }))
    }

    const rows = (statement: Statement, values: object) => connection.rows(statement, valuesFor(statement, { ...values }))

    async function take(shares: readonly Waiting[], claim: Claim): Promise<readonly Row[]> {
      const { ofShares, rowsOfLane, rows: ofRows } = statements.take
      const parts = PARTS.map((part) => ({ part, some: shares.filter((share) => share[part] > 0) })).filter(({ some }) => some.length > 0)
      if (ofShares) {
        const taken = parts.map(({ part, some }) => rows(ofShares[part], { ...claim, ...listed(some, part) }))
        return (await Promise.all(taken)).flat()
      }
      const found = parts.flatMap(({ part, some }) =>
        some.map((share) => rows(rowsOfLane[part], { ...claim, ...share, limit: share[part] })),
      )
      const taken = (await Promise.all(found)).flat().map(({ row }) => row)
      return taken.length > 0 ? rows(ofRows, { ...claim, rows: JSON.stringify(taken) }) : []
    }

    function listed(some: readonly Waiting[], part: Part) {
      const list = (of: (share: Waiting) => string) => dialect.listToDriver(some.map(of))
      return {
        workspaces: list((share) => share.workspace_id),
        webhooks: list((share) => share.webhook_id),
        limits: list((share) => String(share[part])),
        limit: some.reduce((sum, share) => sum + share[part], 0),
      }
    }

    async function forget(statement: Statement, changed: string, limit: number): Promise<number> {
      return limit > 0 ? connection.run(statement, valuesFor(statement, { changed, limit })) : 0
    }

    return {
      claim: (claim) =>
        writing(session, dialect, async () => {
          if (claim.each <= 0) return []
          const shares = (await waiting(claim)).map((lane) => shareOf(lane, claim))
          return (await take(shares, claim)).map(
            ({ workspace_id, ...row }) => ({ workspace_id, delivery: decode(row) }) as unknown as Claimed,
          )
        }),

      noteDelivered: (delivered) =>
        writing(session, dialect, async () => {
          const { noteDelivered: statement } = statements
          const noted = delivered.map(({ attempt, ...told }) =>
            connection.run(statement, valuesFor(statement, { ...told, attempts: JSON.stringify([attempt]) })),
          )
          return (await Promise.all(noted)).reduce((sum, each) => sum + each, 0)
        }),

      forget: (changed, most) =>
        writing(session, dialect, async () => {
          const deliveries = await forget(statements.forgetDeliveries, changed, most)
          return deliveries + (await forget(statements.forgetSnapshots, changed, most - deliveries))
        }),

      async backlog() {
        mustLast(session)
        const [{ pending, due } = {}] = await connection.rows(statements.backlog, [])
        return { pending: Number(pending), due: due === null ? undefined : String(due) }
      },
    }
  }
}

/** What is taken of a lane: what is due before what was put off. */
function shareOf({ due, put_off, ...lane }: Waiting, { each, share }: Claim): Waiting {
  const waiting = Math.min(due + put_off, each)
  const taken = Math.max(0, Math.min(share({ ...lane, waiting }), waiting))
  const ofDue = Math.min(due, taken)
  return { ...lane, due: ofDue, put_off: taken - ofDue }
}
