import type { Row } from '../rows.ts'
import { RARE_OWNER_EMAIL } from '../workspace.ts'

const panel = 'Reports and counts'

export const reportRows: readonly Row[] = [
  { panel, title: 'how many people', ask: ({ crm, actor }) => crm.people.list(actor, { per_page: 1 }) },
  { panel, title: 'how many tasks', ask: ({ crm, actor }) => crm.tasks.list(actor, { per_page: 1 }) },
  { panel, title: 'custom fields', ask: ({ crm, actor }) => crm.customFields.list(actor) },
  {
    panel,
    title: 'timeline of a person',
    ask: ({ crm, actor, place }) => crm.reports.timeline(actor, { entity: 'people', id: place.people[0]! }),
  },
  {
    panel,
    title: 'amounts of deals by stage',
    ask: ({ crm, actor }) =>
      crm.reports.aggregate(actor, { entity: 'deals', metric: 'sum', field: 'amount', group_by: 'stage_id' }),
  },
  {
    panel,
    title: 'people by owner',
    ask: ({ crm, actor }) =>
      crm.reports.aggregate(actor, { entity: 'people', metric: 'count', group_by: 'owner' }),
  },
  {
    panel,
    title: 'tasks of a rare owner by priority',
    ask: ({ crm, actor }) =>
      crm.reports.aggregate(actor, {
        entity: 'tasks',
        metric: 'count',
        group_by: 'priority',
        filter: { owner_email: RARE_OWNER_EMAIL },
      }),
  },
  {
    panel,
    title: 'how a pipeline stands',
    ask: ({ crm, actor, place }) => crm.reports.pipelineReport(actor, { pipeline_id: place.pipeline }),
  },
]
