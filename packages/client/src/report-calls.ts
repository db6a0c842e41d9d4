import type * as Api from './api-types.ts'
import type { CallOptions } from './call-options.ts'
import { encodeId } from './check.ts'
import type { RecordCalls } from './record-calls.ts'
import type { RecordCollection } from './record-collection.ts'
import type { RecordList } from './record-list.ts'
import type { AllRecordTypes, RecordTypes } from './record-types.ts'

/** People, companies or deals: records with tags, lists and a timeline. */
export interface AssociatedCollection<Types extends RecordTypes> extends RecordCollection<Types> {
  /**
   * Adds tags (by id or key) and lists (by id) to a record, or removes them, and returns the record. Others stay,
   * including those that another call adds at the same time.
   */
  changeMemberships(
    id: string,
    changes: Api.MembershipChanges,
    options?: CallOptions,
  ): Promise<Types['record']>
  /**
   * Returns what happened on a record, the newest first. Await the result for one page, or iterate it for the whole
   * timeline.
   */
  timeline(
    id: string,
    query?: Api.TimelineQuery,
    options?: CallOptions,
  ): RecordList<Api.TimelineEntry, Api.TimelineMeta>
}

/** Pipelines, with their boards. */
export interface PipelineCollection extends RecordCollection<AllRecordTypes['pipelines']> {
  /**
   * Returns the stages of a pipeline, each with the number, the amounts and the first deals. `deals.list` has the next
   * ones. Scope `deals:read`.
   */
  board(id: string, query?: Api.BoardQuery, options?: CallOptions): Promise<Api.Board>
}

/** Counts, sums and forecasts over many records. */
export interface ReportCalls {
  /** Counts records, or sums or averages a field, in groups. Scope: that of the entity. */
  aggregate(query: Api.AggregateQuery, options?: CallOptions): Promise<Api.Aggregate>
  /** Reports on a pipeline, by default the oldest. Scope `deals:read`. */
  pipeline(query?: Api.PipelineReportQuery, options?: CallOptions): Promise<Api.PipelineReport>
  /** Reports how far the deals of a pipeline came, by default the oldest. Scope `deals:read`. */
  funnel(query?: Api.FunnelQuery, options?: CallOptions): Promise<Api.FunnelReport>
  /** Reports the lost deals by their reasons. Scope `deals:read`. */
  lostReasons(query?: Api.LostReasonsQuery, options?: CallOptions): Promise<Api.LostReasonsReport>
  /** Counts completed tasks by type, owner and month. Scope `tasks:read`. */
  completedTasks(query?: Api.CompletedTasksQuery, options?: CallOptions): Promise<Api.CompletedTasksReport>
  /** Compares the targets of a month with what was won and is expected. Scope `deals:read`. */
  targets(query: Api.TargetsReportQuery, options?: CallOptions): Promise<Api.TargetsReport>
}

export function withAssociations<Types extends RecordTypes>(
  collection: RecordCollection<Types>,
  calls: RecordCalls,
  path: string,
): AssociatedCollection<Types> {
  return {
    ...collection,
    // The second of two equal calls changes nothing.
    changeMemberships: async (id, changes, options) =>
      calls.post(`${path}/${encodeId('id', id)}/memberships`, changes, options, undefined, true),
    timeline: (id, query, options) =>
      calls.timeline(`${path}/${encodeId('id', id)}/timeline`, query, options),
  }
}

export function withBoard(
  collection: RecordCollection<AllRecordTypes['pipelines']>,
  calls: RecordCalls,
): PipelineCollection {
  return {
    ...collection,
    board: async (id, query, options) => calls.get(`pipelines/${encodeId('id', id)}/board`, options, query),
  }
}

export function createReportCalls(calls: RecordCalls): ReportCalls {
  return {
    aggregate: (query, options) => calls.get('reports/aggregate', options, query),
    pipeline: (query, options) => calls.get('reports/pipeline', options, query),
    funnel: (query, options) => calls.get('reports/funnel', options, query),
    lostReasons: (query, options) => calls.get('reports/lost-reasons', options, query),
    completedTasks: (query, options) => calls.get('reports/completed-tasks', options, query),
    targets: (query, options) => calls.get('reports/targets', options, query),
  }
}
