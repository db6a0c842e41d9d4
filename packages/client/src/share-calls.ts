import type * as Api from './api-types.ts'
import type { CallOptions } from './call-options.ts'
import { encodeId } from './check.ts'
import type { RecordCalls } from './record-calls.ts'

/** Records that are shared one by one. */
export interface ShareCalls {
  /** Returns the members and teams with whom a record is shared. */
  shares(id: string, options?: CallOptions): Promise<readonly Api.Share[]>
  /** Replaces the members and teams with whom a record is shared, up to 50. */
  setShares(id: string, shares: readonly Api.Share[], options?: CallOptions): Promise<readonly Api.Share[]>
  /** Returns the members who see a record, each with the strongest reason. */
  viewers(id: string, options?: CallOptions): Promise<readonly Api.RecordViewer[]>
}

export function createShareCalls(calls: RecordCalls, path: string): ShareCalls {
  const pathOf = (id: string, part: string) => `${path}/${encodeId('id', id)}/${part}`
  return {
    shares: async (id, options) => calls.get(pathOf(id, 'shares'), options),
    setShares: async (id, shares, options) => calls.put(pathOf(id, 'shares'), { shares }, options),
    viewers: async (id, options) => calls.get(pathOf(id, 'viewers'), options),
  }
}
