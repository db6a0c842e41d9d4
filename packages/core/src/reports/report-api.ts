import type * as v from 'valibot'
import type { Actor } from '../actor.ts'
import type { Ports } from '../ports.ts'
import { aggregate } from './aggregate.ts'
import type { aggregateInput, pipelineReportInput, timelineInput } from './inputs.ts'
import { pipelineReport } from './pipeline-report.ts'
import { timeline } from './timeline.ts'
import type { Aggregate, PipelineReport, Timeline } from './views.ts'

export type TimelineInput = v.InferInput<typeof timelineInput>
export type AggregateInput = v.InferInput<typeof aggregateInput>
export type PipelineReportInput = v.InferInput<typeof pipelineReportInput>

export interface ReportApi {
  /**
   * What came about for a person, a company or a deal, newest first.
   * @throws CrmError `validation_error`, `insufficient_scope`, `not_found`
   */
  timeline(actor: Actor, input: TimelineInput): Promise<Timeline>
  /**
   * How many records there are of a kind, or what a field of theirs comes to, in groups, biggest first.
   * @throws CrmError `validation_error`, `insufficient_scope`
   */
  aggregate(actor: Actor, input: AggregateInput): Promise<Aggregate>
  /** How a pipeline stands. @throws CrmError `validation_error`, `insufficient_scope`, `not_found` */
  pipelineReport(actor: Actor, input?: PipelineReportInput): Promise<PipelineReport>
}

export function reportApi(ports: Ports): ReportApi {
  return {
    timeline: (actor, input) => timeline(ports, actor, input),
    aggregate: (actor, input) => aggregate(ports, actor, input),
    pipelineReport: (actor, input = {}) => pipelineReport(ports, actor, input),
  }
}
