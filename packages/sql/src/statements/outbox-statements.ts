import { type RawBuilder, sql } from 'kysely'
import type { Dialect } from '../dialect.ts'
import { compileStatement, param, type Statement } from './statement.ts'
import type { TableShape } from './table-shape.ts'

type Fragment = RawBuilder<unknown>

/** Columns of the indexes of migration 0006. */
const PENDING = sql`due_at is not null and deleted_at is null`
const FINISHED = sql`due_at is null and deleted_at is null`
const DUE = sql`due_at <= ${param('now')}`
const POSTPONED = sql`due_at > ${param('horizon')}`

/** The statements of the outbox. */
export function createOutboxStatements({ kinds }: TableShape, dialect: Dialect) {
  const { isDistributed } = dialect
  return {
    readyQueues: compileWithPlan(isDistributed ? readyQueuesOfShards() : readyQueues(), dialect),
    claim: createClaimStatements(['workspace_id', ...kinds.keys()], dialect),
    markDelivered: compileStatement(markDelivered(), dialect.compiler),
    backlog: compileWithPlan(isDistributed ? backlogOfShards() : backlog(), dialect),
    deletions: createDeletions(dialect),
  }
}

/**
 * Statements that find rows are planned with their values: the number of pending rows changes by thousands
 * within a minute, and a plan for an empty table would scan a full one.
 */
function compileWithPlan(query: Fragment, { compiler }: Dialect): Statement {
  return compileStatement(query, compiler, { plan: 'custom' })
}

function createClaimStatements(columnNames: readonly string[], dialect: Dialect) {
  const { quotaRows } = dialect
  const columns = sql.join(columnNames.map((column) => sql.ref(column)))
  const leaseRows = sql`update deliveries set sending = true, due_at = ${param('leaseUntil')}, lease = lease + 1`

  /** For many webhooks, each with its own limit. */
  function claimByQuota(condition: Fragment, from: Fragment): Statement {
    const selectPending = sql`select workspace_id, id ${pendingOfQueue(sql`quotas`, condition)} limit quotas.most ${skipLocked(dialect)}`
    const keys = sql`select keys.* from ${from} cross join lateral (${selectPending}) as keys`
    return compileWithPlan(sql`${changeSelected(keys, leaseRows)} returning ${columns}`, dialect)
  }

  /** Only SQLite has no lateral joins, and its rows have a `rowid`. */
  function selectFromQueue(condition: Fragment): Statement {
    const rows = pendingOf(sql`${param('workspace_id')}`, sql`${param('webhook_id')}`, condition)
    return compileWithPlan(sql`select rowid as row ${rows} limit ${param('limit')}`, dialect)
  }

  /** Locks rows of one workspace. */
  function claimFromQueue(condition: Fragment): Statement {
    const rows = pendingOf(sql`${param('workspace_id')}`, sql`${param('webhook_id')}`, condition)
    const ids = sql`select id ${rows} limit ${param('limit')} ${skipLocked(dialect)}`
    return compileWithPlan(sql`${changeOfWorkspace(ids, leaseRows)} returning ${columns}`, dialect)
  }

  if (dialect.isDistributed)
    return { ofQueue: { due: claimFromQueue(DUE), postponed: claimFromQueue(POSTPONED) } }
  if (quotaRows)
    return { byQuota: { due: claimByQuota(DUE, quotaRows), postponed: claimByQuota(POSTPONED, quotaRows) } }
  const isListed = dialect.isInList(sql.ref('rowid'), 'integer', param('rows'))
  return {
    rowsOfQueue: { due: selectFromQueue(DUE), postponed: selectFromQueue(POSTPONED) },
    /** One update for all webhooks: one each would cost more than the change itself. */
    leaseRows: compileWithPlan(sql`${leaseRows} where ${isListed} returning ${columns}`, dialect),
  }
}

/**
 * Deletes at most `limit` rows that have not changed since `changed`: by one statement, or by one that finds `ids` and
 * their workspaces, and one for each workspace, which checks the rows again under its locks.
 */
export type Deletion =
  | { readonly remove: Statement }
  | { readonly find: Statement; readonly removeFound: Statement }

/** Finished deliveries, then snapshots without a delivery. */
function createDeletions(dialect: Dialect): readonly Deletion[] {
  if (!dialect.isDistributed)
    return [deleteFinishedDeliveries(dialect), deleteOrphanedSnapshots(dialect)].map((query) => ({
      remove: compileWithPlan(query, dialect),
    }))
  const isOrphan = sql`deleted_at is null and created_at <= ${param('changed')} and not exists (select from deliveries
    where deliveries.workspace_id = snapshots.workspace_id and snapshot_id = snapshots.id)`
  const isFinished = sql`${FINISHED} and updated_at <= ${param('changed')}`
  return [
    deleteFromShards('deliveries', isFinished, sql`updated_at`, dialect),
    deleteFromShards('snapshots', isOrphan, sql`created_at`, dialect),
  ]
}

function deleteFromShards(table: string, condition: Fragment, order: Fragment, dialect: Dialect): Deletion {
  const from = sql`${sql.table(table)} where ${condition}`
  const isFound = dialect.isInList(sql.ref('id'), 'uuid', param('ids'))
  const ids = sql`select id from ${from} and workspace_id = ${param('workspace_id')} and ${isFound} ${skipLocked(dialect)}`
  return {
    find: compileWithPlan(
      sql`select workspace_id, id from ${from} order by ${order} limit ${param('limit')}`,
      dialect,
    ),
    removeFound: compileWithPlan(changeOfWorkspace(ids, sql`delete from ${sql.table(table)}`), dialect),
  }
}

/** Changes the rows of one workspace that `ids` locks. */
function changeOfWorkspace(ids: Fragment, change: Fragment): Fragment {
  return sql`with taken as materialized (${ids}) ${change}
      where workspace_id = ${param('workspace_id')} and id in (select id from taken)`
}

function deleteFinishedDeliveries(dialect: Dialect): Fragment {
  const from = sql`deliveries where ${FINISHED} and updated_at <= ${param('changed')}`
  return changeSelected(selectFirst(from, sql`updated_at`, dialect), sql`delete from deliveries`)
}

/**
 * A subquery per row, oldest first: `not exists` would become a join, for which a planner may read every
 * delivery.
 */
function deleteOrphanedSnapshots(dialect: Dialect): Fragment {
  const hasDelivery = sql`select false from deliveries where workspace_id = snapshots.workspace_id and snapshot_id = snapshots.id limit 1`
  const from = sql`snapshots where deleted_at is null and created_at <= ${param('changed')} and coalesce((${hasDelivery}), true)`
  return changeSelected(selectFirst(from, sql`created_at`, dialect), sql`delete from snapshots`)
}

/** Keys of the first unlocked rows. */
function selectFirst(from: Fragment, order: Fragment, dialect: Dialect): Fragment {
  return sql`select workspace_id, id from ${from} order by ${order} limit ${param('limit')} ${skipLocked(dialect)}`
}

function skipLocked({ hasRowLocks }: Dialect): Fragment {
  return hasRowLocks ? sql`for update skip locked` : sql``
}

/** Materialized, so that the keys are found once. The limit tells the planner how few they are. */
function changeSelected(keys: Fragment, change: Fragment): Fragment {
  return sql`with taken as materialized (${keys}) ${change}
      where (workspace_id, id) in (select workspace_id, id from taken limit ${param('limit')})`
}

/** Marks an in-flight delivery without earlier attempts as delivered, without reading it first. */
function markDelivered(): Fragment {
  const changes = sql`status = 'delivered', reason = null, attempts = ${param('attempts')}, attempts_count = attempts_count + 1, due_at = null,
    sending = false, updated_at = ${param('updated_at')}`
  return sql`update deliveries set ${changes} where workspace_id = ${param('workspace_id')} and id = ${param('id')}
    and sending = true and lease = ${param('lease')} and cast(attempts as text) = '[]' and deleted_at is null`
}

/** Pending deliveries of the webhook in a row of `table`. */
function pendingOfQueue(table: Fragment, condition?: Fragment): Fragment {
  return pendingOf(sql`${table}.workspace_id`, sql`${table}.webhook_id`, condition)
}

/**
 * Pending deliveries of a webhook. The order names all columns of the index, although two are fixed: only
 * this index has it.
 */
function pendingOf(workspace: Fragment, webhook: Fragment, condition?: Fragment): Fragment {
  return sql`from deliveries where ${PENDING} and workspace_id = ${workspace} and webhook_id = ${webhook} ${condition ? sql`and ${condition}` : sql``}
    order by workspace_id, webhook_id, due_at`
}

/**
 * Webhooks with pending deliveries, plus rows without a webhook, after `with recursive`. Each step skips in
 * the index to the next webhook of the workspace, or, via a row without a webhook, to the next workspace. It
 * is a single recursion: for a nested one PostgreSQL estimates so many rows that it JIT-compiles the query,
 * which takes longer than running it.
 */
function queuesCte(): Fragment {
  const selectMin = (column: 'workspace_id' | 'webhook_id', condition: Fragment) =>
    sql`(select ${sql.ref(column)} from deliveries where ${PENDING} ${condition} order by workspace_id, webhook_id, due_at limit 1)`
  const nextWorkspace = sql`and workspace_id > queues.workspace_id`
  const sameWorkspace = sql`and workspace_id = queues.workspace_id and webhook_id > queues.webhook_id`
  return sql`queues (workspace_id, webhook_id) as (
      select ${selectMin('workspace_id', sql``)}, ${selectMin('webhook_id', sql``)}
      union all
      select
        case when webhook_id is null then ${selectMin('workspace_id', nextWorkspace)} else workspace_id end,
        case when webhook_id is null then ${selectMin('webhook_id', nextWorkspace)} else ${selectMin('webhook_id', sameWorkspace)} end
      from queues where workspace_id is not null
    )`
}

/** Webhooks with work to do and its amount, at most `maxPerQueue`, longest waiting first. */
function readyQueues(): Fragment {
  const oldestDue = (condition: Fragment) =>
    sql`(select due_at ${pendingOfQueue(sql`queues`, condition)} limit 1)`
  const count = (condition: Fragment) =>
    sql`(select count(*) from (select due_at ${pendingOfQueue(sql`waiting`, condition)} limit ${param('maxPerQueue')}) as counted)`
  // By primary key: the other index of live webhooks does not help.
  const host = sql`(
    select case when deleted_at is null then host end from webhooks
    where workspace_id = waiting.workspace_id and id = waiting.webhook_id
  )`
  return sql`with recursive
    ${queuesCte()},
    waiting as materialized (
      select workspace_id, webhook_id, ${oldestDue(DUE)} as due, ${oldestDue(POSTPONED)} as postponed from queues where webhook_id is not null
    )
    select workspace_id, webhook_id, ${host} as host, ${count(DUE)} as due_count, ${count(POSTPONED)} as postponed_count
    from waiting where due is not null or postponed is not null
    order by coalesce(due, postponed), workspace_id, webhook_id`
}

/** One webhook at a time: for all at once PostgreSQL may scan the table, including finished deliveries. */
function backlog(): Fragment {
  const count = sql`(select count(*) from (select due_at ${pendingOfQueue(sql`queues`)}) as counted)`
  const first = sql`(select due_at ${pendingOfQueue(sql`queues`)} limit 1)`
  return sql`with recursive ${queuesCte()} select coalesce(sum(${count}), 0) as pending, min(${first}) as due from queues where webhook_id is not null`
}

/** As `readyQueues`, in one pass over the pending deliveries of each shard: a recursion cannot be divided among shards. */
function readyQueuesOfShards(): Fragment {
  const first = (condition: Fragment) => sql`min(due_at) filter (where ${condition})`
  const count = (condition: Fragment) =>
    sql`least(count(*) filter (where ${condition}), ${param('maxPerQueue')})`
  return sql`select queues.workspace_id, queues.webhook_id, host, due_count, postponed_count
    from (
      select workspace_id, webhook_id, coalesce(${first(DUE)}, ${first(POSTPONED)}) as first,
        ${count(DUE)} as due_count, ${count(POSTPONED)} as postponed_count
      from deliveries where ${PENDING} and (${DUE} or ${POSTPONED}) group by workspace_id, webhook_id
    ) as queues left join webhooks
      on webhooks.workspace_id = queues.workspace_id and webhooks.id = queues.webhook_id and webhooks.deleted_at is null
    order by first, queues.workspace_id, queues.webhook_id`
}

function backlogOfShards(): Fragment {
  return sql`select count(*) as pending, min(due_at) as due from deliveries where ${PENDING}`
}
