import type * as v from 'valibot'
import type { Actor } from '../../kernel/actor.ts'
import { CrmError } from '../../kernel/errors.ts'
import type { Ports } from '../../ports/index.ts'
import { aggregate } from './aggregate.ts'
import { completedTasksReport } from './completed-tasks-report.ts'
import { funnelReport } from './funnel-report.ts'
import { lostReasonsReport } from './lost-reasons-report.ts'
import { pipelineReport } from './pipeline-report.ts'
import type {
  aggregateInput,
  completedTasksInput,
  lostReasonsInput,
  pipelineReportInput,
  targetsReportInput,
} from './report-inputs.ts'
import type {
  Aggregate,
  CompletedTasksReport,
  FunnelReport,
  LostReasonsReport,
  PipelineReport,
  TargetsReport,
} from './report-views.ts'
import { targetsReport } from './targets-report.ts'

/**
 * Input of `crm.reports.aggregate`. `field` is required for `sum` and `avg` only; `filter` takes the filters
 * of the list.
 */
export type AggregateInput = v.InferInput<typeof aggregateInput>
/**
 * Input of `crm.reports.pipelineReport`. Default: the workspace's oldest pipeline, all owners, any time of
 * closing. `from` and `to` are inclusive.
 */
export type PipelineReportInput = v.InferInput<typeof pipelineReportInput>

/**
 * Input of `crm.reports.lostReasons`. Default: all pipelines and owners, any time of closing. `from` and `to` are
 * inclusive.
 */
export type LostReasonsInput = v.InferInput<typeof lostReasonsInput>

/**
 * Input of `crm.reports.funnel`. Default: the workspace's oldest pipeline, all owners, deals created at any time. `from`
 * and `to` are inclusive.
 */
export type FunnelInput = v.InferInput<typeof pipelineReportInput>

/**
 * Input of `crm.reports.completedTasks`. Default: all owners, any time of completion. `from` and `to` are inclusive.
 */
export type CompletedTasksInput = v.InferInput<typeof completedTasksInput>

/** Input of `crm.reports.targets`. Default: all owners and pipelines. */
export type TargetsReportInput = v.InferInput<typeof targetsReportInput>

/** Reads over many records, as `crm.reports`. */
export interface ReportApi {
  /**
   * Counts records or sums or averages a field, in groups, the largest first. Months are in ascending order.
   * @throws CrmError `validation_error`, `insufficient_scope`; `rate_limit_exceeded` while eight reports of
   * the workspace are running
   */
  aggregate(actor: Actor, input: AggregateInput): Promise<Aggregate>
  /**
   * Reports the deals of a pipeline.
   * @throws CrmError `validation_error`, `insufficient_scope`, `not_found`; `rate_limit_exceeded` as in
   * `aggregate`
   */
  pipelineReport(actor: Actor, input?: PipelineReportInput): Promise<PipelineReport>
  /**
   * Reports how far the deals of a pipeline came that were created in a time.
   * @throws CrmError as `pipelineReport`
   */
  funnel(actor: Actor, input?: FunnelInput): Promise<FunnelReport>
  /**
   * Reports the lost deals by their reasons.
   * @throws CrmError as `pipelineReport`
   */
  lostReasons(actor: Actor, input?: LostReasonsInput): Promise<LostReasonsReport>
  /**
   * Counts completed tasks by type, owner and month.
   * @throws CrmError as `aggregate`
   */
  completedTasks(actor: Actor, input?: CompletedTasksInput): Promise<CompletedTasksReport>
  /**
   * Compares the targets of a month with what was won and is expected.
   * @throws CrmError as `aggregate`
   */
  targets(actor: Actor, input: TargetsReportInput): Promise<TargetsReport>
}

export function reportApi(ports: Ports): ReportApi {
  const withReportLimit = reportLimiter()
  return {
    aggregate: (actor, input) => withReportLimit(actor, () => aggregate(ports, actor, input)),
    completedTasks: (actor, input = {}) =>
      withReportLimit(actor, () => completedTasksReport(ports, actor, input)),
    funnel: (actor, input = {}) => withReportLimit(actor, () => funnelReport(ports, actor, input)),
    lostReasons: (actor, input = {}) => withReportLimit(actor, () => lostReasonsReport(ports, actor, input)),
    pipelineReport: (actor, input = {}) => withReportLimit(actor, () => pipelineReport(ports, actor, input)),
    targets: (actor, input) => withReportLimit(actor, () => targetsReport(ports, actor, input)),
  }
}

/** Per workspace. A report can take seconds, during which reports of other workspaces wait. */
const MAX_CONCURRENT_REPORTS = 8

function reportLimiter() {
  const running = new Map<string, number>()

  return async <T>({ workspaceId }: Actor, createReport: () => Promise<T>): Promise<T> => {
    const count = running.get(workspaceId) ?? 0
    if (count >= MAX_CONCURRENT_REPORTS)
      throw new CrmError(
        'rate_limit_exceeded',
        `${MAX_CONCURRENT_REPORTS} reports of this workspace are being made. Try again in a few seconds.`,
      )
    running.set(workspaceId, count + 1)
    try {
      return await createReport()
    } finally {
      const remaining = running.get(workspaceId)! - 1
      if (remaining > 0) running.set(workspaceId, remaining)
      else running.delete(workspaceId)
    }
  }
}
