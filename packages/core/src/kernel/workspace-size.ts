/** The most that one workspace may hold. As many deliveries may be pending as there may be records. */
export type Quota = Pick<WorkspaceSize, 'records' | 'bytes'>

/** The part of a workspace's data that its quota bounds. */
export interface WorkspaceSize {
  /** Live records of `COUNTED_COLLECTIONS`. */
  readonly records: number
  /** One change of a record may add thousands. */
  readonly pendingDeliveries: number
  /**
   * Bytes of the texts in `LONG_TEXTS` that have at least `MIN_LONG_TEXT_BYTES`, including those of deleted
   * records. The number of records bounds the rest.
   */
  readonly bytes: number
}

/** Bytes in UTF-8. */
export const MIN_LONG_TEXT_BYTES = 4096

/** Columns that may hold a long text. Triggers of the SQL stores count them: a change needs a migration. */
export const LONG_TEXTS = {
  activities: 'content_html',
  bulk_parts: 'content',
  companies: 'custom_values',
  deal_offers: 'items',
  deals: 'custom_values',
  files: 'content',
  import_chunks: 'results',
  import_parts: 'content',
  people: 'custom_values',
  snapshots: 'entity',
} as const
