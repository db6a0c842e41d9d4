import type { Claim, ClaimedDelivery, DeliveryQueue, Outbox } from '@sales-crm/core/ports'
import type { Dialect } from '../dialect.ts'
import type { Row } from '../driver.ts'
import { createOutboxStatements, type Deletion } from '../statements/outbox-statements.ts'
import { createDecoder } from '../statements/row-codec.ts'
import { bindValues, type Statement } from '../statements/statement.ts'
import type { TableShape } from '../statements/table-shape.ts'
import { runWrite, type TransactionState } from '../transaction-state.ts'

/**
 * Number of deliveries of a webhook that exist or are claimed: those due now, and those postponed by a clock
 * that was set back.
 */
interface QueueBacklog extends Pick<DeliveryQueue, 'workspace_id' | 'webhook_id' | 'host'> {
  readonly due: number
  readonly postponed: number
}

const DUE_STATES = ['due', 'postponed'] as const
type DueState = (typeof DUE_STATES)[number]

/** @param table the table of deliveries */
export function createOutboxStores(table: TableShape, dialect: Dialect): (state: TransactionState) => Outbox {
  const context = {
    dialect,
    statements: createOutboxStatements(table, dialect),
    decode: createDecoder(table, dialect),
  }
  return (state) => new SqlOutbox(context, state)
}

interface OutboxContext {
  readonly dialect: Dialect
  readonly statements: ReturnType<typeof createOutboxStatements>
  readonly decode: ReturnType<typeof createDecoder>
}

/** The outbox in a transaction. Like those of a store, its methods are arrow functions. */
class SqlOutbox implements Outbox {
  readonly #context: OutboxContext
  readonly #state: TransactionState

  constructor(context: OutboxContext, state: TransactionState) {
    this.#context = context
    this.#state = state
  }

  readonly claim: Outbox['claim'] = (claim) =>
    this.#write(async () => {
      if (claim.maxPerQueue <= 0) return []
      const quotas = (await this.#readReadyQueues(claim)).map((queue) => allocateQuota(queue, claim))
      const rows = await this.#claimRows(quotas, claim)
      return rows.map(
        ({ workspace_id, ...row }) =>
          ({ workspace_id, delivery: this.#context.decode(row) }) as unknown as ClaimedDelivery,
      )
    })

  readonly markDelivered: Outbox['markDelivered'] = (deliveries) =>
    this.#write(async () => {
      const { markDelivered } = this.#context.statements
      const counts = deliveries.map(({ attempt, ...keys }) =>
        this.#execute(markDelivered, { ...keys, attempts: JSON.stringify([attempt]) }),
      )
      return (await Promise.all(counts)).reduce((sum, count) => sum + count, 0)
    })

  readonly deleteFinished: Outbox['deleteFinished'] = (changed, limit) =>
    this.#write(async () => {
      let deleted = 0
      for (const deletion of this.#context.statements.deletions)
        if (deleted < limit) deleted += await this.#delete(deletion, changed, limit - deleted)
      return deleted
    })

  readonly backlog: Outbox['backlog'] = () =>
    this.#state.guard.read(async () => {
      const [{ pending, due } = {}] = await this.#query(this.#context.statements.backlog, {})
      return { pending: Number(pending), earliestDueAt: due === null ? undefined : String(due) }
    })

  async #readReadyQueues(claim: Claim): Promise<readonly QueueBacklog[]> {
    const rows = await this.#query(this.#context.statements.readyQueues, claim)
    return rows.map(({ workspace_id, webhook_id, host, due_count, postponed_count }) => ({
      workspace_id: String(workspace_id),
      webhook_id: String(webhook_id),
      host: host === null ? undefined : String(host),
      due: Number(due_count),
      postponed: Number(postponed_count),
    }))
  }

  async #claimRows(quotas: readonly QueueBacklog[], claim: Claim): Promise<readonly Row[]> {
    const { ofQueue, byQuota, rowsOfQueue, leaseRows } = this.#context.statements.claim
    const parts = DUE_STATES.map((dueState) => ({
      dueState,
      queues: quotas.filter((quota) => quota[dueState] > 0),
    })).filter(({ queues }) => queues.length > 0)
    if (ofQueue) {
      // All workers lock in the same order.
      const claimedRows = parts.flatMap(({ dueState, queues }) =>
        queues
          .toSorted(compareQueues)
          .map((queue) => this.#query(ofQueue[dueState], { ...claim, ...queue, limit: queue[dueState] })),
      )
      return (await Promise.all(claimedRows)).flat()
    }
    if (byQuota) {
      const claimedRows = parts.map(({ dueState, queues }) =>
        this.#query(byQuota[dueState], { ...claim, ...this.#bindQuotas(queues, dueState) }),
      )
      return (await Promise.all(claimedRows)).flat()
    }
    const keys = parts.flatMap(({ dueState, queues }) =>
      queues.map((queue) =>
        this.#query(rowsOfQueue[dueState], { ...claim, ...queue, limit: queue[dueState] }),
      ),
    )
    const rowids = (await Promise.all(keys)).flat().map(({ row }) => row)
    return rowids.length > 0 ? this.#query(leaseRows, { ...claim, rows: JSON.stringify(rowids) }) : []
  }

  async #delete(deletion: Deletion, changed: string, limit: number): Promise<number> {
    if ('remove' in deletion) return this.#execute(deletion.remove, { changed, limit })
    const rows = await this.#query(deletion.find, { changed, limit })
    const groups = Map.groupBy(rows, ({ workspace_id }) => workspace_id)
    const counts = [...groups].map(([workspace_id, keys]) => {
      const ids = this.#context.dialect.encodeList(keys.map(({ id }) => String(id)))
      return this.#execute(deletion.removeFound, { workspace_id, changed, ids })
    })
    return (await Promise.all(counts)).reduce((sum, count) => sum + count, 0)
  }

  #bindQuotas(quotas: readonly QueueBacklog[], dueState: DueState) {
    const encode = (selectValue: (quota: QueueBacklog) => string) =>
      this.#context.dialect.encodeList(quotas.map(selectValue))
    return {
      workspaces: encode((quota) => quota.workspace_id),
      webhooks: encode((quota) => quota.webhook_id),
      limits: encode((quota) => String(quota[dueState])),
      limit: quotas.reduce((sum, quota) => sum + quota[dueState], 0),
    }
  }

  #write<T>(write: () => Promise<T>): Promise<T> {
    return runWrite(this.#state, this.#context.dialect, write)
  }

  #query(statement: Statement, values: object): Promise<readonly Row[]> {
    return this.#state.connection.query(statement, bindValues(statement, { ...values }))
  }

  #execute(statement: Statement, values: object): Promise<number> {
    return this.#state.connection.execute(statement, bindValues(statement, { ...values }))
  }
}

/** The number of deliveries to claim: due deliveries first, then postponed ones. */
function allocateQuota(
  { due, postponed, ...queue }: QueueBacklog,
  { maxPerQueue, quota }: Claim,
): QueueBacklog {
  const available = Math.min(due + postponed, maxPerQueue)
  const granted = Math.max(0, Math.min(quota({ ...queue, dueCount: available }), available))
  const grantedDue = Math.min(due, granted)
  return { ...queue, due: grantedDue, postponed: granted - grantedDue }
}

function compareQueues(a: QueueBacklog, b: QueueBacklog): number {
  return `${a.workspace_id} ${a.webhook_id}` < `${b.workspace_id} ${b.webhook_id}` ? -1 : 1
}
