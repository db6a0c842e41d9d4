import type { DatabaseDriver } from '@sales-crm/sql'
import type { SharedConnection } from '../wire/shared-connection.ts'
import { PipelinedConnection } from './pipelined-connection.ts'

/**
 * Reads without a transaction: each statement runs in autocommit, so statements of many callers share one
 * pipelined connection.
 */
export function createAutocommitReads(sharedConnection: SharedConnection): DatabaseDriver['read'] {
  return async (work) => {
    const connection = await openAutocommitConnection(sharedConnection)
    try {
      const result = await work(connection)
      connection.throwIfFailed()
      return result
    } catch (error) {
      throw connection.failure ?? error
    }
  }
}

export async function openAutocommitConnection(
  sharedConnection: SharedConnection,
): Promise<PipelinedConnection> {
  return new PipelinedConnection(await sharedConnection.client(), true)
}
