import type { Claim, ClaimedDelivery, DeliveryQueue, Outbox } from '@sales-crm/core/ports'
import type { Dialect } from '../dialect.ts'
import type { Row } from '../driver.ts'
import { createOutboxStatements } from '../statements/outbox-statements.ts'
import { createDecoder } from '../statements/row-codec.ts'
import { bindValues, type Statement } from '../statements/statement.ts'
import type { TableShape } from '../statements/table-shape.ts'
import { assertOpen, type TransactionState, trackWrite } from '../transaction-state.ts'

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
  const statements = createOutboxStatements(table, dialect)
  const decode = createDecoder(table, dialect)

  return (state) => {
    const { connection } = state

    async function readReadyQueues(claim: Claim): Promise<readonly QueueBacklog[]> {
      const rows = await connection.query(
        statements.readyQueues,
        bindValues(statements.readyQueues, { ...claim }),
      )
      return rows.map(({ workspace_id, webhook_id, host, due_count, postponed_count }) => ({
        workspace_id: String(workspace_id),
        webhook_id: String(webhook_id),
        host: host === null ? undefined : String(host),
        due: Number(due_count),
        postponed: Number(postponed_count),
      }))
    }

    const queryRows = (statement: Statement, values: object) =>
      connection.query(statement, bindValues(statement, { ...values }))

    async function claimRows(quotas: readonly QueueBacklog[], claim: Claim): Promise<readonly Row[]> {
      const { byQuota, rowsOfQueue, leaseRows } = statements.claim
      const parts = DUE_STATES.map((part) => ({
        part,
        some: quotas.filter((quota) => quota[part] > 0),
      })).filter(({ some }) => some.length > 0)
      if (byQuota) {
        const claimedRows = parts.map(({ part, some }) =>
          queryRows(byQuota[part], { ...claim, ...bindQuotas(some, part) }),
        )
        return (await Promise.all(claimedRows)).flat()
      }
      const keys = parts.flatMap(({ part, some }) =>
        some.map((quota) => queryRows(rowsOfQueue[part], { ...claim, ...quota, limit: quota[part] })),
      )
      const rowids = (await Promise.all(keys)).flat().map(({ row }) => row)
      return rowids.length > 0 ? queryRows(leaseRows, { ...claim, rows: JSON.stringify(rowids) }) : []
    }

    function bindQuotas(quotas: readonly QueueBacklog[], state: DueState) {
      const list = (selectValue: (quota: QueueBacklog) => string) =>
        dialect.encodeList(quotas.map(selectValue))
      return {
        workspaces: list((quota) => quota.workspace_id),
        webhooks: list((quota) => quota.webhook_id),
        limits: list((quota) => String(quota[state])),
        limit: quotas.reduce((sum, quota) => sum + quota[state], 0),
      }
    }

    async function deleteUpTo(statement: Statement, changedUntil: string, limit: number): Promise<number> {
      return limit > 0
        ? connection.execute(statement, bindValues(statement, { changed: changedUntil, limit }))
        : 0
    }

    return {
      claim: (claim) =>
        trackWrite(state, dialect, async () => {
          if (claim.maxPerQueue <= 0) return []
          const quotas = (await readReadyQueues(claim)).map((queue) => allocateQuota(queue, claim))
          return (await claimRows(quotas, claim)).map(
            ({ workspace_id, ...row }) =>
              ({ workspace_id, delivery: decode(row) }) as unknown as ClaimedDelivery,
          )
        }),

      markDelivered: (deliveries) =>
        trackWrite(state, dialect, async () => {
          const { markDelivered } = statements
          const updates = deliveries.map(({ attempt, ...keys }) =>
            connection.execute(
              markDelivered,
              bindValues(markDelivered, { ...keys, attempts: JSON.stringify([attempt]) }),
            ),
          )
          return (await Promise.all(updates)).reduce((sum, count) => sum + count, 0)
        }),

      deleteFinished: (changedUntil, limit) =>
        trackWrite(state, dialect, async () => {
          const deliveries = await deleteUpTo(statements.deleteFinishedDeliveries, changedUntil, limit)
          return (
            deliveries +
            (await deleteUpTo(statements.deleteOrphanedSnapshots, changedUntil, limit - deliveries))
          )
        }),

      async backlog() {
        assertOpen(state)
        const [{ pending, due } = {}] = await connection.query(statements.backlog, [])
        return { pending: Number(pending), earliestDueAt: due === null ? undefined : String(due) }
      },
    }
  }
}

/** The number of deliveries to claim: due deliveries first, then postponed ones. */
function allocateQuota(
  { due, postponed, ...queue }: QueueBacklog,
  { maxPerQueue: each, quota: share }: Claim,
): QueueBacklog {
  const available = Math.min(due + postponed, each)
  const granted = Math.max(0, Math.min(share({ ...queue, dueCount: available }), available))
  const grantedDue = Math.min(due, granted)
  return { ...queue, due: grantedDue, postponed: granted - grantedDue }
}
