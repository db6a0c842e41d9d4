import type { Gate } from '@sales-crm/core/ports'
import type { PoolOptions } from './options.ts'
export interface PostgresGate extends Gate {
  close(): Promise<void>
}
/**
 * Windows in the database, shared by all processes, by the database's clock. One connection of its own carries all look-ups,
 * pipelined. Nothing it writes need survive a crash, so it waits for no disk.
 */
export declare function postgresGate(options: PoolOptions): PostgresGate
//# sourceMappingURL=gate.d.ts.map
