import * as v from 'valibot'
import { instant, knownEmail, month, oneOf, uuid } from '../../kernel/field-schemas.ts'
import { changeable, object } from '../../kernel/object-schemas.ts'
import { AGGREGATE_ENTITIES, GROUP_NAMES, SUMMABLE_FIELDS } from '../../schema/aggregate-options.ts'
import { CURRENCIES } from '../../schema/currency.ts'

/** The valid fields, groups and filters depend on the entity: `parseAggregateInput` checks them. */
export const aggregateInput = object({
  entity: oneOf(AGGREGATE_ENTITIES),
  metric: oneOf(['count', 'sum', 'avg']),
  ...changeable({
    field: oneOf(SUMMABLE_FIELDS),
    group_by: oneOf(GROUP_NAMES),
    filter: v.record(v.string(), v.unknown(), 'Must be an object.'),
  }),
})

/** What lost deals are split by besides their reason. */
export const LOSS_GROUPS = ['stage', 'owner', 'month'] as const

/** The schema of `LostReasonsInput`. */
export const lostReasonsInput = object(
  changeable({
    ...{ pipeline_id: uuid, owner_email: knownEmail, team_id: uuid, view: uuid, from: instant, to: instant },
    group_by: oneOf(LOSS_GROUPS),
  }),
)

/** The schema of `PipelineReportInput` and `FunnelInput`. */
export const pipelineReportInput = object(
  changeable({
    ...{ pipeline_id: uuid, owner_email: knownEmail, team_id: uuid, view: uuid, from: instant, to: instant },
  }),
)

/** The schema of `CompletedTasksInput`. */
export const completedTasksInput = object(
  changeable({ owner_email: knownEmail, team_id: uuid, from: instant, to: instant }),
)

/** The schema of `TargetsReportInput`. */
export const targetsReportInput = object({
  ...{ month, currency: oneOf(CURRENCIES) },
  ...changeable({ owner_id: uuid, pipeline_id: uuid }),
})
