import type { Storage } from '@sales-crm/core/ports'
import { type Migrations } from '@sales-crm/sql'
import { type PostgresGate } from './gate.ts'
import type { PoolOptions } from './options.ts'

export type { PoolOptions } from './options.ts'
export interface PostgresStorage extends Storage, Migrations {
  /** Grants and rate windows that all processes on this database share. */
  readonly gate: PostgresGate
}
/**
 * Opens a database. Its tables are brought up to date unless `migrate` is false; of several processes that start at once, one
 * does it and the others wait.
 */
export declare function postgresStorage(
  options: PoolOptions & {
    readonly migrate?: boolean
  },
): Promise<PostgresStorage>
//# sourceMappingURL=index.d.ts.map
