import * as v from 'valibot'
import { integer, uuid } from '../kernel/field-schemas.ts'
import { clearable, distinctListOf, object, optional } from '../kernel/object-schemas.ts'
import { textResponse } from '../kernel/response-schemas.ts'
import { singleLineText } from '../kernel/text-schemas.ts'
import { createdAt, id, updatedAt } from './common-fields.ts'
import type { RecordOf } from './field-types.ts'
import { system, value } from './fields.ts'
import { definePart } from './kind.ts'
import { choiceOf, integerOf, jsonOf, storedCount, textOf, uuidType } from './value-types.ts'

export const STAGE_TYPES = ['open', 'win', 'lost'] as const

/** Deals in a `win` or `lost` stage are closed. */
export type StageType = (typeof STAGE_TYPES)[number]

const MAX_REQUIRED_FIELDS = 30

const name = singleLineText(1, 80)
const typeOfStage = choiceOf(STAGE_TYPES)
const probability = integerOf(integer(0, 100))
const fieldNames = distinctListOf(singleLineText(1, 80), 0, MAX_REQUIRED_FIELDS, 'fields')
const staleAfterDays = integer(1, 3650)

export const stages = definePart({
  label: 'Stage',
  collection: 'stages',
  fields: {
    id: id('01a1fc31-27f8-7a3c-b71e-038072f5a52d'),
    pipeline_id: system(uuidType, { level: 'hidden', initial: '', references: 'pipelines' }),
    /** Position in the pipeline, from 0. */
    position: system(storedCount, { level: 'hidden', initial: 0 }),
    name: value(textOf(name), {
      ...{ need: 'required', level: 'reference' },
      description: 'Name.',
      example: 'In talks',
    }),
    type: value(typeOfStage, {
      ...{ need: 'optional', level: 'reference' },
      description: 'Type.',
      example: 'open',
    }),
    probability: value(probability, {
      ...{ need: 'optional', level: 'item' },
      description: 'Probability of winning a deal in this stage, in percent.',
      inputDescription: 'Probability in percent. Default: 100 for `win`, 0 for `lost`, 50 otherwise.',
      example: 50,
    }),
    created_at: createdAt('item'),
    updated_at: updatedAt('hidden'),
    required_fields: value(jsonOf<readonly string[], typeof fieldNames>(fieldNames, v.array(textResponse)), {
      ...{ need: 'resettable', initial: [], level: 'item', included: true },
      description:
        'Fields that a deal needs to come into the stage, custom ones as `custom_fields.<key>`. ' +
        'Only with `include=settings`.',
      inputDescription:
        'Fields that a deal needs to come into the stage: those of deals that may be empty, and custom ones as ' +
        '`custom_fields.<key>`; `lost_reason` and `lost_note` for `lost` stages alone.',
      example: ['amount', 'custom_fields.segment'],
    }),
    stale_after_days: value(integerOf(staleAfterDays), {
      ...{ need: 'clearable', level: 'item', included: true },
      description:
        'Number of days after which a deal has been in the stage for too long; `null` for no limit. ' +
        'Only with `include=settings`.',
      example: 14,
    }),
  },
})

/** A stage of a pipeline as it is stored. */
export interface Stage extends RecordOf<typeof stages.fields> {}

/** A stage in the input of a new pipeline. */
export const newStage = stages.create

/** A stage in the changes of a pipeline: an existing one, with its id, or a new one. */
export const stageEdit = v.pipe(
  object({
    ...optional({ id: uuid, name, type: typeOfStage.input, probability: probability.input }),
    ...optional({ required_fields: fieldNames }),
    ...clearable({ stale_after_days: staleAfterDays }),
  }),
  v.forward(
    v.partialCheck([['id'], ['name']], ({ id, name }) => id != null || name != null, 'Required.'),
    ['name'],
  ),
)
