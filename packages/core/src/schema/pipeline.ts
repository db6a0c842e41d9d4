import * as v from 'valibot'
import { listOf } from '../kernel/object-schemas.ts'
import { singleLineText } from '../kernel/text-schemas.ts'
import { createdAt, id, updatedAt } from './common-fields.ts'
import type { RecordOf } from './field-types.ts'
import { value } from './fields.ts'
import { defineKind } from './kind.ts'
import { DELETE_NOTE, REQUIRED_FIELDS_NOTE } from './operation-notes.ts'
import { newStage, stageEdit } from './stage.ts'
import { textOf } from './value-types.ts'
import { views } from './view-fields.ts'

/** The name under which queries include the settings of stages. */
export const SETTINGS_INCLUDE = 'settings'

export const pipelines = defineKind({
  label: 'Pipeline',
  collection: 'pipelines',
  scopes: { read: 'deals:read', write: 'deals:write' },
  memberAccess: 'settings',
  fields: {
    id: id('01a1fc31-2847-7388-868d-b5345a064ea4'),
    name: value(textOf(singleLineText(1, 80)), {
      ...{ need: 'required', level: 'reference', sortable: true },
      description: 'Name.',
      example: 'Renewals',
    }),
    created_at: createdAt('item'),
    /** At least one. A new deal begins in the first by default. */
    stages: views('stages', {
      ...{ shows: 'item', level: 'item', includes: SETTINGS_INCLUDE },
      description: 'Stages, in order.',
      schemas: {
        create: listOf(newStage, 1, 50, 'stages'),
        update: v.optional(listOf(stageEdit, 1, 50, 'stages')),
      },
    }),
    updated_at: updatedAt('hidden'),
  },
  texts: {
    about: 'Ordered stages of deals. They use the scopes of deals.',
    list: 'Each pipeline with its stages.',
    create: 'The stages keep the order of the request.',
    update:
      `${REQUIRED_FIELDS_NOTE} \`stages\` replaces the list: ` +
      'an entry with an `id` keeps that stage, one without creates a stage, other stages are deleted.',
    remove: `${DELETE_NOTE} A pipeline that contains deals cannot be deleted.`,
  },
  errorExamples: { name: 'Required.', 'stages[0].probability': 'Must be an integer between 0 and 100.' },
  conflictExamples: {
    update: { stages: 'The stage "Proposal" holds 3 deals. Move or delete them first.' },
    remove: { deals: 'Holds 3 deals. Move or delete them first.' },
  },
  inputExamples: {
    create: {
      name: 'Renewals',
      stages: [{ name: 'In talks' }, { name: 'Renewed', type: 'win' }, { name: 'Cancelled', type: 'lost' }],
    },
    update: { name: 'Renewals and upgrades' },
  },
})

/** A pipeline as it is stored, without its stages. */
export interface Pipeline extends RecordOf<typeof pipelines.fields> {}
