import type { Claim, Claimed, Outbox } from '@sales-crm/core/ports'
import type { Row } from './connection.ts'
import type { Dialect } from './dialect.ts'
import { outboxStatements } from './outbox-statements.ts'
import type { TableShape } from './record-statements.ts'
import { decoderOf } from './record-store.ts'
import { type Session, writing } from './session.ts'
import { valuesFor } from './statement.ts'

/** How many deliveries to one host there are: due by now, and put off by a clock that was set back. */
interface Waiting {
  readonly host: string
  readonly due: number
  readonly put_off: number
}

/** @param table the deliveries */
export function outboxes(table: TableShape, dialect: Dialect): (session: Session) => Outbox {
  const statements = outboxStatements(table, dialect)
  const decode = decoderOf(table, dialect)

  return (session) => {
    const { connection } = session

    async function waiting(claim: Claim): Promise<readonly Waiting[]> {
      const { most, mostPerHost, room } = claim
      const values = { ...claim, hostsAtMost: most + room.size, each: Math.max(0, mostPerHost, ...room.values()) }
      const rows = await connection.rows(statements.waiting, valuesFor(statements.waiting, values))
      return rows.map(({ host, due, put_off }) => ({ host: String(host), due: Number(due), put_off: Number(put_off) }))
    }

    async function take(part: 'due' | 'put_off', shares: readonly Waiting[], claim: Claim): Promise<readonly Row[]> {
      const statement = statements.take[part]
      const some = shares.flatMap(({ host, [part]: limit }) => (limit > 0 ? { host, limit } : []))
      const rows = (values: object) => connection.rows(statement, valuesFor(statement, { ...claim, ...values }))
      if (!dialect.shares) return (await Promise.all(some.map(rows))).flat()
      if (some.length === 0) return []
      const [hosts, limits] = [some.map(({ host }) => host), some.map(({ limit }) => String(limit))]
      const limit = some.reduce((sum, share) => sum + share.limit, 0)
      return rows({ limit, hosts: dialect.listToDriver(hosts), limits: dialect.listToDriver(limits) })
    }

    return {
      claim: (claim) =>
        writing(session, dialect, async () => {
          if (claim.most <= 0) return []
          const shares = sharesOf(await waiting(claim), claim)
          const taken = await Promise.all([take('due', shares, claim), take('put_off', shares, claim)])
          return taken.flat().map(({ workspace_id, ...row }) => ({ workspace_id, delivery: decode(row) }) as unknown as Claimed)
        }),

      forget: (made, most) =>
        writing(session, dialect, () => connection.run(statements.forget, valuesFor(statements.forget, { made, limit: most }))),
    }
  }
}

/** What is taken of each host, so that all together is no more than there is room for. */
function sharesOf(hosts: readonly Waiting[], { most, mostPerHost, room }: Claim): Waiting[] {
  let left = most
  const shares: Waiting[] = []
  for (const waiting of hosts) {
    const free = Math.max(0, Math.min(room.get(waiting.host) ?? mostPerHost, left))
    const due = Math.min(waiting.due, free)
    const put_off = Math.min(waiting.put_off, free - due)
    left -= due + put_off
    shares.push({ host: waiting.host, due, put_off })
  }
  return shares
}
