import * as v from 'valibot'
import { integer, uuid } from '../kernel/field-schemas.ts'
import { object, optional } from '../kernel/object-schemas.ts'
import { singleLineText } from '../kernel/text-schemas.ts'
import { createdAt, id, updatedAt } from './common-fields.ts'
import type { RecordOf } from './field-types.ts'
import { system, value } from './fields.ts'
import { definePart } from './kind.ts'
import { choiceOf, integerOf, storedCount, textOf, uuidType } from './value-types.ts'

export const STAGE_TYPES = ['open', 'win', 'lost'] as const

/** Deals in a `win` or `lost` stage are closed. */
export type StageType = (typeof STAGE_TYPES)[number]

const name = singleLineText(1, 80)
const typeOfStage = choiceOf(STAGE_TYPES)
const probability = integerOf(integer(0, 100))

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
  },
})

/** A stage of a pipeline as it is stored. */
export interface Stage extends RecordOf<typeof stages.fields> {}

/** A stage in the input of a new pipeline. */
export const newStage = stages.create

/** A stage in the changes of a pipeline: an existing one, with its id, or a new one. */
export const stageEdit = v.pipe(
  object(optional({ id: uuid, name, type: typeOfStage.input, probability: probability.input })),
  v.forward(
    v.partialCheck([['id'], ['name']], ({ id, name }) => id != null || name != null, 'Required.'),
    ['name'],
  ),
)
