import type * as v from 'valibot'
import type { Actor } from '../actor.ts'
import { CrmError } from '../errors.ts'
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
   * @throws CrmError `validation_error`, `insufficient_scope`, `rate_limit_exceeded` while eight of the workspace's are being made
   */
  aggregate(actor: Actor, input: AggregateInput): Promise<Aggregate>
  /** How a pipeline stands. @throws CrmError `validation_error`, `insufficient_scope`, `not_found`, `rate_limit_exceeded` as `aggregate` */
  pipelineReport(actor: Actor, input?: PipelineReportInput): Promise<PipelineReport>
}

export function reportApi(ports: Ports): ReportApi {
  const counted = surveysOfEach()
  return {
    timeline: (actor, input) => timeline(ports, actor, input),
    aggregate: (actor, input) => counted(actor, () => aggregate(ports, actor, input)),
    pipelineReport: (actor, input = {}) => counted(actor, () => pipelineReport(ports, actor, input)),
  }
}

/** Each may take seconds, in which those of other workspaces wait. */
const MOST_AT_ONCE = 8

function surveysOfEach() {
  const underWay = new Map<string, number>()

  return async <T>({ workspaceId }: Actor, make: () => Promise<T>): Promise<T> => {
    const others = underWay.get(workspaceId) ?? 0
    if (others >= MOST_AT_ONCE)
      throw new CrmError('rate_limit_exceeded', `${MOST_AT_ONCE} reports of this workspace are being made. Try again in a few seconds.`)
    underWay.set(workspaceId, others + 1)
    try {
      return await make()
    } finally {
      const left = underWay.get(workspaceId)! - 1
      if (left > 0) underWay.set(workspaceId, left)
      else underWay.delete(workspaceId)
    }
  }
}
