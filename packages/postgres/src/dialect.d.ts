import { type Dialect } from '@sales-crm/sql'
export declare const postgresDialect: Dialect
//# sourceMappingURL=dialect.d.ts.map
