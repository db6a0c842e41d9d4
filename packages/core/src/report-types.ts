/** The inputs and results of `crm.reports`. */
export type {
  AggregateInput,
  CompletedTasksInput,
  FunnelInput,
  LostReasonsInput,
  PipelineReportInput,
  ReportApi,
  TargetsReportInput,
} from './features/reports/report-api.ts'
export type {
  Aggregate,
  AggregateGroup,
  CompletedTasksReport,
  FunnelReport,
  LostReasonsReport,
  PipelineReport,
  TargetsReport,
} from './features/reports/report-views.ts'
