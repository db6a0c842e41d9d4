import { sql } from 'kysely'
import type { Dialect } from '../dialect.ts'
import { compileStatement, param, type Statement } from './statement.ts'
import type { TableShape } from './table-shape.ts'

type Fragment = ReturnType<typeof sql>

/** What the indexes of migration 0006 are made over. */
const PENDING = sql`due_at is not null and deleted_at is null`
const FINISHED = sql`due_at is null and deleted_at is null`
const DUE = sql`due_at <= ${param('now')}`
const POSTPONED = sql`due_at > ${param('horizon')}`

/**
 * What the outbox asks. What looks for rows is planned with its values: how many rows wait changes by the
 * thousand from one minute to the next, and a plan made for an empty table would walk a full one.
 */
export function createOutboxStatements({ kinds }: TableShape, dialect: Dialect) {
  const { compiler, hasRowLocks, quotaRows } = dialect
  const columns = sql.join(['workspace_id', ...kinds.keys()].map((column) => sql.ref(column)))
  const skipLocked = hasRowLocks ? sql`for update skip locked` : sql``

  function compile(query: Fragment): Statement {
    return compileStatement({ compile: () => query.compile(compiler) }, { plan: 'custom' })
  }

  /** Keys of the first that nobody holds. */
  function selectFirst(from: Fragment, order: Fragment, limit: Fragment): Fragment {
    return sql`select workspace_id, id from ${from} order by ${order} limit ${limit} ${skipLocked}`
  }

  /** Materialized, so that the keys are found once. The limit tells the planner how few they are. */
  function changeSelected(keys: Fragment, change: Fragment): Fragment {
    return sql`with taken as materialized (${keys}) ${change}
      where (workspace_id, id) in (select workspace_id, id from taken limit ${param('limit')})`
  }

  const leaseRows = sql`update deliveries set sending = true, due_at = ${param('leaseUntil')}, lease = lease + 1`

  /** Of many lanes, each up to a limit of its own. */
  function claimByQuota(condition: Fragment, from: Fragment): Statement {
    const selectPending = sql`select workspace_id, id ${pendingOfQueue(sql`share`, condition)} limit share.most ${skipLocked}`
    const keys = sql`select keys.* from ${from} cross join lateral (${selectPending}) as keys`
    return compile(sql`${changeSelected(keys, leaseRows)} returning ${columns}`)
  }

  /** SQLite alone knows no such joins, and each row of it has a `rowid`. */
  const selectFromQueue = (condition: Fragment) =>
    compile(
      sql`select rowid as row ${pendingOf(sql`${param('workspace_id')}`, sql`${param('webhook_id')}`, condition)} limit ${param('limit')}`,
    )

  const finishedKeys = selectFirst(
    sql`deliveries where ${FINISHED} and updated_at <= ${param('changed')}`,
    sql`updated_at`,
    sql`${param('limit')}`,
  )
  // A look for each, the oldest first: `not exists` would become a join, for which a planner may read every
  // delivery.
  const hasDelivery = sql`select false from deliveries where workspace_id = snapshots.workspace_id and snapshot_id = snapshots.id limit 1`
  const orphanedSnapshots = selectFirst(
    sql`snapshots where deleted_at is null and created_at <= ${param('changed')} and coalesce((${hasDelivery}), true)`,
    sql`created_at`,
    sql`${param('limit')}`,
  )

  return {
    readyQueues: compile(readyQueues()),
    claim: quotaRows
      ? { byQuota: { due: claimByQuota(DUE, quotaRows), put_off: claimByQuota(POSTPONED, quotaRows) } }
      : {
          rowsOfQueue: { due: selectFromQueue(DUE), put_off: selectFromQueue(POSTPONED) },
          /** One change for all lanes: one for each would cost more than what is changed. */
          leaseRows: compile(
            sql`${leaseRows} where ${dialect.isInList('rowid', 'integer', param('rows'))} returning ${columns}`,
          ),
        },
    markDelivered: compileStatement({ compile: () => markDelivered().compile(compiler) }),
    backlog: compile(backlog()),
    deleteFinishedDeliveries: compile(changeSelected(finishedKeys, sql`delete from deliveries`)),
    deleteOrphanedSnapshots: compile(changeSelected(orphanedSnapshots, sql`delete from snapshots`)),
  }
}

/** Of one that is under way and was not tried before, whatever else is stored of it. */
function markDelivered(): Fragment {
  const changes = sql`status = 'delivered', reason = null, attempts = ${param('attempts')}, attempts_count = attempts_count + 1, due_at = null,
    sending = false, updated_at = ${param('updated_at')}`
  return sql`update deliveries set ${changes} where workspace_id = ${param('workspace_id')} and id = ${param('id')}
    and sending = true and lease = ${param('lease')} and cast(attempts as text) = '[]' and deleted_at is null`
}

/** What waits in the lane that a row of `table` names. */
function pendingOfQueue(table: Fragment, condition?: Fragment): Fragment {
  return pendingOf(sql`${table}.workspace_id`, sql`${table}.webhook_id`, condition)
}

/**
 * What waits in a lane. In the order of its index, though two of the columns are given: no other index has
 * it.
 */
function pendingOf(workspace: Fragment, webhook: Fragment, condition?: Fragment): Fragment {
  return sql`from deliveries where ${PENDING} and workspace_id = ${workspace} and webhook_id = ${webhook} ${condition ? sql`and ${condition}` : sql``}
    order by workspace_id, webhook_id, due_at`
}

/**
 * The lanes where something waits, and rows without a webhook, after `with recursive`. From lane to lane it
 * leaps in the index, whatever lies between: to the next webhook of a workspace, and where there is none, by
 * a row without a webhook, to the first of the next workspace. In one recursion: of one within another a
 * planner expects so many rows that PostgreSQL compiles the query, which takes longer than to run it.
 */
function queuesCte(): Fragment {
  const smallest = (column: 'workspace_id' | 'webhook_id', condition: Fragment) =>
    sql`(select ${sql.ref(column)} from deliveries where ${PENDING} ${condition} order by workspace_id, webhook_id, due_at limit 1)`
  const nextWorkspace = sql`and workspace_id > lanes.workspace_id`
  const sameWorkspace = sql`and workspace_id = lanes.workspace_id and webhook_id > lanes.webhook_id`
  return sql`lanes (workspace_id, webhook_id) as (
      select ${smallest('workspace_id', sql``)}, ${smallest('webhook_id', sql``)}
      union all
      select
        case when webhook_id is null then ${smallest('workspace_id', nextWorkspace)} else workspace_id end,
        case when webhook_id is null then ${smallest('webhook_id', nextWorkspace)} else ${smallest('webhook_id', sameWorkspace)} end
      from lanes where workspace_id is not null
    )`
}

/**
 * The lanes where something is to be done, and how much, up to `each`: that which has waited longest first.
 */
function readyQueues(): Fragment {
  const oldestDue = (condition: Fragment) =>
    sql`(select due_at ${pendingOfQueue(sql`lanes`, condition)} limit 1)`
  const count = (condition: Fragment) =>
    sql`(select count(*) from (select due_at ${pendingOfQueue(sql`waiting`, condition)} limit ${param('maxPerQueue')}) as counted)`
  // By its key: the other index of live webhooks would be no use.
  const host = sql`(
    select case when deleted_at is null then host end from webhooks
    where workspace_id = waiting.workspace_id and id = waiting.webhook_id
  )`
  return sql`with recursive
    ${queuesCte()},
    waiting as materialized (
      select workspace_id, webhook_id, ${oldestDue(DUE)} as due, ${oldestDue(POSTPONED)} as put_off from lanes where webhook_id is not null
    )
    select workspace_id, webhook_id, ${host} as host, ${count(DUE)} as due_count, ${count(POSTPONED)} as put_off_count
    from waiting where due is not null or put_off is not null
    order by coalesce(due, put_off), workspace_id, webhook_id`
}

/** Lane by lane: asked for all at once, PostgreSQL may walk the table, what is over included. */
function backlog(): Fragment {
  const count = sql`(select count(*) from (select due_at ${pendingOfQueue(sql`lanes`)}) as counted)`
  const first = sql`(select due_at ${pendingOfQueue(sql`lanes`)} limit 1)`
  return sql`with recursive ${queuesCte()} select coalesce(sum(${count}), 0) as pending, min(${first}) as due from lanes where webhook_id is not null`
}
