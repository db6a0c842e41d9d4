/** Of the reports on lost reasons, the funnel, completed tasks and targets. */
export const REPORT_FIELD_DESCRIPTIONS: Readonly<Record<string, string>> = {
  'LostReasonsReport.pipeline': 'Pipeline whose deals are counted; `null` for all.',
  'LostReasonsReport.owner': 'Member whose deals are counted; `null` for all.',
  'LostReasonsReport.team': 'Team whose members’ deals are counted; `null` for all.',
  'LostReasonsReport.group_by': 'What each reason is split by; `null` for nothing.',
  'LostReasonsReport.reasons': 'The reasons, the one with most deals first.',
  'LostReasonsReport.reasons.reason': 'The reason, also a deleted one; `null` for deals without one.',
  'LostReasonsReport.reasons.groups': 'The groups, the one with most deals first; empty without `group_by`.',
  'LostReasonsReport.reasons.groups.key':
    'Id of the stage or the owner, or month of the closing, such as `2026-03`; `null` for none.',
  'LostReasonsReport.reasons.groups.name':
    'Name of the stage, or e-mail address of the owner; `null` for months and for what was deleted.',
  'LostReasonsReport.more':
    '`true` if there are more than 5000 sums of a reason, a group and a currency: the smallest are not counted.',
  'CompletedTasksReport.owner': 'Member whose tasks are counted; `null` for all.',
  'CompletedTasksReport.team': 'Team whose members’ tasks are counted; `null` for all.',
  'CompletedTasksReport.from': 'Earliest completion, inclusive; `null` without a bound.',
  'CompletedTasksReport.to': 'Latest completion, inclusive; `null` without a bound.',
  'CompletedTasksReport.rows': 'By month, those with most tasks first.',
  'CompletedTasksReport.more':
    '`true` if there are more than 5000 rows of a type, a member and a month: the smallest are not counted.',
  'CompletedTasks.month': 'Month of the completion, such as `2026-03`.',
  'CompletedTasks.type': 'Type of the tasks; `null` for those without one.',
  'CompletedTasks.owner': 'Member who has the tasks; `null` for tasks of nobody and of removed members.',
  'CompletedTasks.count': 'Number of tasks.',
  'FunnelReport.owner': 'Member whose deals are counted; `null` for all.',
  'FunnelReport.team': 'Team whose members’ deals are counted; `null` for all.',
  'FunnelReport.from': 'Earliest creation of the deals, inclusive; `null` without a bound.',
  'FunnelReport.to': 'Latest creation of the deals, inclusive; `null` without a bound.',
  'FunnelReport.created': 'Deals of the pipeline that were created between `from` and `to`.',
  'FunnelReport.stages': 'The open stages, in order.',
  'FunnelReport.won': 'The deals that are won.',
  'FunnelReport.won.share':
    'Won deals divided by all, from 0 to 1, rounded to four decimals; `null` without deals.',
  'FunnelReport.won.median_days':
    'Median from creation to closing, rounded to one decimal; `null` without won deals.',
  'FunnelReport.lost': 'Deals that are lost.',
  'FunnelReport.open': 'Deals that are open.',
  entered: 'Deals that are in this stage or a later one, were lost from one of these, or were won.',
  went_on: 'Those of them that are beyond this stage, were lost beyond it, or were won.',
  'FunnelStage.share':
    '`went_on` divided by `entered`, from 0 to 1, rounded to four decimals; `null` if no deal came here.',
  median_days:
    'Median of the days after which deals left the stage, rounded to one decimal; `null` if none has.',
  'FunnelStage.lost': 'Deals that were lost from this stage.',
  'FunnelStage.open': 'Deals that are in this stage.',
  'TargetsReport.month': 'The month, in the time zone of the workspace.',
  'TargetsReport.currency': 'The currency of all amounts.',
  'TargetsReport.pipeline':
    'Pipeline whose deals are counted; `null` for all. Targets are those of all pipelines.',
  'TargetsReport.owner': 'Member whose target and deals are counted; `null` for all.',
  'TargetsReport.rows': 'The owners: those with a target first, then the largest won amount.',
  'TargetsReport.total': 'The sums of all rows.',
  'TargetRow.owner': 'The owner; `null` for what nobody and removed members own.',
  target: 'The target, in minor units; `null` without one.',
  'TargetRow.won': 'Amounts of the deals that were won in the month, in minor units.',
  'TargetsReport.total.won': 'Amounts of the deals that were won in the month, in minor units.',
  'TargetRow.forecast':
    'Amounts of the open deals that are expected by the end of the month, weighted by the probability of their stages, in minor units.',
  'TargetsReport.total.forecast': 'The sum of the forecasts of the rows, in minor units.',
  difference: '`won` and `forecast` less the `target`; `null` without one.',
}
