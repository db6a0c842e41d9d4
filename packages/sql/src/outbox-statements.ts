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
 * What the outbox asks. What looks for rows is planned with its values: how many rows wait changes by the thousand from one minute to the next, and
 * a plan made for an empty table would walk a full one.
 */
export function outboxStatements({ kinds }: TableShape, dialect: Dialect) {
  const { compiler, locksRows, shares } = dialect
  const columns = sql.join(['workspace_id', ...kinds.keys()].map((column) => sql.ref(column)))
  const unheld = locksRows ? sql`for update skip locked` : sql``

  function made(query: Fragment): Statement {
    return statement({ compile: () => query.compile(compiler) }, { planned: 'anew' })
  }

  /** Keys of the first that nobody holds. */
  function first(from: Fragment, order: Fragment, limit: Fragment): Fragment {
    return sql`select workspace_id, id from ${from} order by ${order} limit ${limit} ${unheld}`
  }

  /** Materialized, so that the keys are found once. The limit tells the planner how few they are. */
  function taking(keys: Fragment, change: Fragment): Fragment {
    return sql`with taken as materialized (${keys}) ${change}
      where (workspace_id, id) in (select workspace_id, id from taken limit ${arg('limit')})`
  }

  const change = sql`update deliveries set sending = true, due_at = ${arg('until')}, lease = lease + 1`

  /** Of many lanes, each up to a limit of its own. */
  function ofShares(which: Fragment, from: Fragment): Statement {
    const waiting = sql`select workspace_id, id ${ofLane(sql`share`, which)} limit share.most ${unheld}`
    const keys = sql`select keys.* from ${from} cross join lateral (${waiting}) as keys`
    return made(sql`${taking(keys, change)} returning ${columns}`)
  }

  /** SQLite alone knows no such joins, and each row of it has a `rowid`. */
  const oneLane = (which: Fragment) =>
    made(sql`select rowid as row ${waitingIn(sql`${arg('workspace_id')}`, sql`${arg('webhook_id')}`, which)} limit ${arg('limit')}`)

  const over = first(sql`deliveries where ${OVER} and updated_at <= ${arg('changed')}`, sql`updated_at`, sql`${arg('limit')}`)
  // A look for each, the oldest first: `not exists` would become a join, for which a planner may read every delivery.
  const told = sql`select false from deliveries where workspace_id = snapshots.workspace_id and snapshot_id = snapshots.id limit 1`
  const untold = first(
    sql`snapshots where deleted_at is null and created_at <= ${arg('changed')} and coalesce((${told}), true)`,
    sql`created_at`,
    sql`${arg('limit')}`,
  )

  return {
    lanes: made(waitingLanes()),
    take: shares
      ? { ofShares: { due: ofShares(DUE, shares), put_off: ofShares(PUT_OFF, shares) } }
      : {
          rowsOfLane: { due: oneLane(DUE), put_off: oneLane(PUT_OFF) },
          /** One change for all lanes: one for each would cost more than what is changed. */
          rows: made(sql`${change} where ${dialect.isAmong('rowid', 'integer', arg('rows'))} returning ${columns}`),
        },
    noteDelivered: statement({ compile: () => noteDelivered().compile(compiler) }),
    backlog: made(backlog()),
    forgetDeliveries: made(taking(over, sql`delete from deliveries`)),
    forgetSnapshots: made(taking(untold, sql`delete from snapshots`)),
  }
}

/** Of one that is under way and was not tried before, whatever else is stored of it. */
function noteDelivered(): Fragment {
  const changes = sql`status = 'delivered', reason = null, attempts = ${arg('attempts')}, attempts_count = attempts_count + 1, due_at = null,
    sending = false, updated_at = ${arg('updated_at')}`
  return sql`update deliveries set ${changes} where workspace_id = ${arg('workspace_id')} and id = ${arg('id')}
    and sending = true and lease = ${arg('lease')} and cast(attempts as text) = '[]' and deleted_at is null`
}

/** What waits in the lane that a row of `table` names. */
function ofLane(table: Fragment, which?: Fragment): Fragment {
  return waitingIn(sql`${table}.workspace_id`, sql`${table}.webhook_id`, which)
}

/** What waits in a lane. In the order of its index, though two of the columns are given: no other index has it. */
function waitingIn(workspace: Fragment, webhook: Fragment, which?: Fragment): Fragment {
  return sql`from deliveries where ${WAITING} and workspace_id = ${workspace} and webhook_id = ${webhook} ${which ? sql`and ${which}` : sql``}
    order by workspace_id, webhook_id, due_at`
}

/**
 * The lanes where something waits, and rows without a webhook, after `with recursive`. From lane to lane it leaps in the index, whatever lies
 * between: to the next webhook of a workspace, and where there is none, by a row without a webhook, to the first of the next workspace. In
 * one recursion: of one within another a planner expects so many rows that PostgreSQL compiles the query, which takes longer than to run it.
 */
function lanes(): Fragment {
  const least = (column: 'workspace_id' | 'webhook_id', which: Fragment) =>
    sql`(select ${sql.ref(column)} from deliveries where ${WAITING} ${which} order by workspace_id, webhook_id, due_at limit 1)`
  const beyond = sql`and workspace_id > lanes.workspace_id`
  const beside = sql`and workspace_id = lanes.workspace_id and webhook_id > lanes.webhook_id`
  return sql`lanes (workspace_id, webhook_id) as (
      select ${least('workspace_id', sql``)}, ${least('webhook_id', sql``)}
      union all
      select
        case when webhook_id is null then ${least('workspace_id', beyond)} else workspace_id end,
        case when webhook_id is null then ${least('webhook_id', beyond)} else ${least('webhook_id', beside)} end
      from lanes where workspace_id is not null
    )`
}

/** The lanes where something is to be done, and how much, up to `each`: that which has waited longest first. */
function waitingLanes(): Fragment {
  const since = (which: Fragment) => sql`(select due_at ${ofLane(sql`lanes`, which)} limit 1)`
  const count = (which: Fragment) =>
    sql`(select count(*) from (select due_at ${ofLane(sql`waiting`, which)} limit ${arg('each')}) as counted)`
  // By its key: the other index of live webhooks would be no use.
  const host = sql`(
    select case when deleted_at is null then host end from webhooks
    where workspace_id = waiting.workspace_id and id = waiting.webhook_id
  )`
  return sql`with recursive
    ${lanes()},
    waiting as materialized (
      select workspace_id, webhook_id, ${since(DUE)} as due, ${since(PUT_OFF)} as put_off from lanes where webhook_id is not null
    )
    select workspace_id, webhook_id, ${host} as host, ${count(DUE)} as due_count, ${count(PUT_OFF)} as put_off_count
    from waiting where due is not null or put_off is not null
    order by coalesce(due, put_off), workspace_id, webhook_id`
}

/** Lane by lane: asked for all at once, PostgreSQL may walk the table, what is over included. */
function backlog(): Fragment {
  const count = sql`(select count(*) from (select due_at ${ofLane(sql`lanes`)}) as counted)`
  const first = sql`(select due_at ${ofLane(sql`lanes`)} limit 1)`
  return sql`with recursive ${lanes()} select coalesce(sum(${count}), 0) as pending, min(${first}) as due from lanes where webhook_id is not null`
}
