import type { Row } from '../row.ts'
import { RARE_OWNER_EMAIL } from '../workspace.ts'

const panel = 'Reports and counts'

export const reportRows: readonly Row[] = [
  { panel, title: 'how many people', run: ({ crm, actor }) => crm.people.list(actor, { per_page: 1 }) },
  { panel, title: 'how many tasks', run: ({ crm, actor }) => crm.tasks.list(actor, { per_page: 1 }) },
  { panel, title: 'custom fields', run: ({ crm, actor }) => crm.customFields.list(actor) },
  {
    panel,
    title: 'timeline of a person',
    run: ({ crm, actor, references }) => crm.people.timeline(actor, references.people[0]!),
  },
  {
    panel,
    title: 'amounts of deals by stage',
    run: ({ crm, actor }) =>
      crm.reports.aggregate(actor, { entity: 'deals', metric: 'sum', field: 'amount', group_by: 'stage_id' }),
  },
  {
    panel,
    title: 'people by owner',
    run: ({ crm, actor }) =>
      crm.reports.aggregate(actor, { entity: 'people', metric: 'count', group_by: 'owner' }),
  },
  {
    panel,
    title: 'tasks of a rare owner by priority',
    run: ({ crm, actor }) =>
      crm.reports.aggregate(actor, {
        entity: 'tasks',
        metric: 'count',
        group_by: 'priority',
        filter: { owner_email: RARE_OWNER_EMAIL },
      }),
  },
  {
    panel,
    title: 'board of a pipeline',
    run: ({ crm, actor, references }) => crm.pipelines.board(actor, references.pipeline),
  },
  {
    panel,
    title: 'board by amount, closed within a month',
    run: ({ crm, actor, references }) =>
      crm.pipelines.board(actor, references.pipeline, {
        order_by: 'amount',
        closed_after: '2026-02-01T00:00:00Z',
      }),
  },
  {
    panel,
    title: 'deals by amount with next task',
    run: ({ crm, actor }) =>
      crm.deals.list(actor, { order_by: 'amount', include: 'next_task,stage_entered_at' }),
  },
  {
    panel,
    title: 'how a pipeline stands',
    run: ({ crm, actor, references }) =>
      crm.reports.pipelineReport(actor, { pipeline_id: references.pipeline }),
  },
]
