import type { FilledWorkspace } from './workspace.ts'

export type Kind = 'people' | 'deals' | 'tasks'

/** A page of 50 records of a kind in one of its orders, in descending order. */
export interface PageSpec {
  readonly kind: Kind
  readonly orderBy: string
}

/** The maximum cost of a row at the largest size. */
export interface Target {
  /**
   * The comparison: the same row at the smallest size, the first page in the same order, or that page plus a
   * scan up to the row's page.
   */
  readonly over: 'smallest' | 'first' | 'walk'
  readonly most: number
  readonly underMs?: number
}

/** A kind of request, measured at each size. */
export interface Row {
  readonly panel:
    | 'First pages'
    | 'Middle pages'
    | 'Last pages'
    | 'Filters'
    | 'Search'
    | 'One record'
    | 'Reports and counts'
    | 'The outbox'
  readonly title: string
  /** Legend label of several rows whose lines look alike. */
  readonly legend?: string
  readonly target?: Target
  /** The kind and order of a page, for its comparison. */
  readonly paged?: PageSpec
  /** Number of concurrent calls. The time is divided by it. */
  readonly concurrency?: number
  /**
   * Sends the request.
   * @param callNumber differs in each call
   */
  run(workspace: FilledWorkspace, callNumber: number): Promise<unknown>
  /** Undoes changes of the request, outside the measurement. */
  after?(workspace: FilledWorkspace, result: unknown): Promise<unknown>
}
