import type { Aggregate, AggregateQuery, CrmClient, PipelineReport } from '@sales-crm/client'
import { CallLimit } from './call-limit.ts'

/** The service runs eight reports of a workspace at once; half of them are left to the other members. */
const limit = new CallLimit(4)

type Reports = CrmClient['reports']
interface Options {
  readonly signal: AbortSignal
}

export function aggregate(reports: Reports, query: AggregateQuery, options: Options): Promise<Aggregate> {
  return limit.run(() => reports.aggregate(query, options))
}

export function reportPipeline(
  reports: Reports,
  query: Parameters<Reports['pipeline']>[0],
  options: Options,
): Promise<PipelineReport> {
  return limit.run(() => reports.pipeline(query, options))
}
