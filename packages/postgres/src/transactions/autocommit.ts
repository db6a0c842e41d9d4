import type { SharedConnection } from '../wire/shared-connection.ts'
import { PipelinedConnection } from './pipelined-connection.ts'

/** Statements without a transaction: each sees what is committed when it runs. */
export async function openAutocommitConnection(
  sharedConnection: SharedConnection,
): Promise<PipelinedConnection> {
  return new PipelinedConnection(await sharedConnection.client(), true)
}
