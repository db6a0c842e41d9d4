import pg from 'pg'
import type { PoolOptions } from './options.ts'
export declare function clientConfig({ url, prepared }: PoolOptions): pg.ClientConfig & {
  readonly pipeline: boolean
}
export declare function makePool(options: PoolOptions): pg.Pool
//# sourceMappingURL=pool.d.ts.map
