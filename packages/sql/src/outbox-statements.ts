import { sql } from 'kysely'
import type { Dialect } from './dialect.ts'
import type { TableShape } from './record-statements.ts'
import { arg, type Statement, statement } from './statement.ts'

type Fragment = ReturnType<typeof sql>

/** What the indexes of migration 0006 are made over. */
const WAITING = sql`due_at is not null and deleted_at is null`
const OVER = sql`due_at is null and deleted_at is null`
const DUE = sql`due_at <= ${arg('now')}`
const PUT_OFF = sql`due_at > ${arg('horizon')}`

/**
 * What the outbox asks. All are planned with their values: how many rows wait changes by the thousand from one minute to the next, and
 * a plan made for an empty table would walk a full one.
 */
export function outboxStatements({ name, kinds }: TableShape, { compiler, locksRows, shares }: Dialect) {
  const table = sql.table(name)
  const columns = sql.join(['workspace_id', ...kinds.keys()].map((column) => sql.ref(column)))
  const unheld = locksRows ? sql`for update skip locked` : sql``

  function made(query: Fragment): Statement {
    return statement({ compile: () => query.compile(compiler) }, 'anew')
  }

  /** Keys of the first that nobody holds. */
  function first(which: Fragment, order: Fragment, limit: Fragment): Fragment {
    return sql`select workspace_id, id from ${table} where ${which} order by ${order} limit ${limit} ${unheld}`
  }

  /** As a table of its own, what is taken is come by once, however it is used. The limit says to the planner how little it is. */
  function taking(keys: Fragment, change: Fragment): Fragment {
    return sql`with taken as materialized (${keys}) ${change}
      where (workspace_id, id) in (select workspace_id, id from taken limit ${arg('limit')})`
  }

  function take(which: Fragment): Statement {
    const ofHost = (host: Fragment, limit: Fragment) => first(sql`${WAITING} and host = ${host} and ${which}`, sql`due_at`, limit)
    const keys = shares
      ? sql`select keys.* from ${shares} cross join lateral (${ofHost(sql`share.host`, sql`share.most`)}) as keys`
      : ofHost(sql`${arg('host')}`, sql`${arg('limit')}`)
    const change = sql`update ${table} set sending = true, due_at = ${arg('until')}, lease = lease + 1`
    return made(sql`${taking(keys, change)} returning ${columns}`)
  }

  const old = first(sql`${OVER} and created_at <= ${arg('made')}`, sql`created_at`, sql`${arg('limit')}`)

  return {
    waiting: made(waitingHosts(table)),
    /** Of many hosts, each up to a limit of its own, where the dialect has `shares`; else of one. */
    take: { due: take(DUE), put_off: take(PUT_OFF) },
    forget: made(taking(old, sql`delete from ${table}`)),
  }
}

/**
 * The `hosts` that have waited longest for something to do, and how much of it there is, up to `each`. From host to host it leaps in the
 * index, whatever lies between.
 */
function waitingHosts(table: Fragment): Fragment {
  const leastHost = (after: Fragment) => sql`(select host from ${table} where ${WAITING} ${after} order by host limit 1)`
  const ofHost = (hosts: Fragment, which: Fragment) =>
    sql`from ${table} where ${WAITING} and host = ${hosts}.host and ${which} order by due_at`
  const least = (which: Fragment) => sql`(select due_at ${ofHost(sql`hosts`, which)} limit 1)`
  const count = (which: Fragment) =>
    sql`(select count(*) from (select due_at ${ofHost(sql`first`, which)} limit ${arg('each')}) as counted)`
  return sql`with recursive
    hosts (host) as (
      select ${leastHost(sql``)}
      union all
      select ${leastHost(sql`and host > hosts.host`)} from hosts where hosts.host is not null
    ),
    waiting as materialized (select host, ${least(DUE)} as due, ${least(PUT_OFF)} as put_off from hosts where host is not null),
    first as materialized (
      select host, coalesce(due, put_off) as since from waiting where due is not null or put_off is not null
      order by since, host limit ${arg('hostsAtMost')}
    )
    select host, ${count(DUE)} as due, ${count(PUT_OFF)} as put_off from first order by since, host`
}
