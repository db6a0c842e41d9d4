import type { Database } from '@sales-crm/sql'
import pg from 'pg'
/**
 * Transactions over a pool whose clients pipeline: `begin` travels with the first statement, and a write that nobody asks about
 * with whatever comes next, `commit` at the latest. The first failure is the one that is thrown.
 */
export declare function transactionsOver(pool: pg.Pool, prepared: boolean): Pick<Database, 'transact' | 'read'>
//# sourceMappingURL=transactions.d.ts.map
