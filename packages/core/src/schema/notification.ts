import * as v from 'valibot'
import { textResponse } from '../kernel/response-schemas.ts'
import { createdAt, id, updatedAt } from './common-fields.ts'
import type { RecordOf } from './field-types.ts'
import { system } from './fields.ts'
import { definePart } from './kind.ts'
import { reference } from './reference-fields.ts'
import { choiceOf, flagType, instantType, storedCount, storedText, uuidType } from './value-types.ts'
import { loaded } from './view-fields.ts'

/** Why a member is notified. */
export const NOTICE_KINDS = ['task_due', 'task_overdue', 'reminder', 'mention', 'change'] as const

export type NoticeKind = (typeof NOTICE_KINDS)[number]

/** How a member learns of one kind. */
export interface NoticeChannels {
  /** Listed among the notifications. */
  readonly app: boolean
  readonly mail: boolean
}

/** What a member has chosen, by kind. A kind that is left out has the defaults. */
export type NoticeSettings = Readonly<Partial<Record<NoticeKind, NoticeChannels>>>

/** The kinds of records that notifications are about. */
export const NOTICE_ENTITIES = ['people', 'companies', 'deals', 'tasks', 'activities'] as const

export type NoticeEntity = (typeof NOTICE_ENTITIES)[number]

export const notifications = definePart({
  label: 'Notification',
  collection: 'notifications',
  fields: {
    id: id('01a1fc31-2d18-7a44-8b0d-6f2c9e5a7b31'),
    kind: system(choiceOf(NOTICE_KINDS), {
      ...{ level: 'item', initial: 'change', example: 'mention' },
      description:
        '`reminder` of a task, `mention` in a note, `change` of a record that the member follows, `task_due` and ' +
        '`task_overdue` at the reminder time of the member.',
    }),
    entity: system(choiceOf(NOTICE_ENTITIES), {
      ...{ level: 'item', initial: 'tasks', example: 'deals' },
      description: 'Kind of the record.',
    }),
    entity_id: system(uuidType, {
      ...{ level: 'item', initial: '', example: '01a1fc31-2893-73f4-b1ec-06392a46e760' },
      description: 'Id of the record.',
    }),
    title: loaded({
      ...{ level: 'item', response: v.nullable(textResponse), reads: ['entity', 'entity_id'] },
      description:
        'Name or title of the record; `null` if the member does not see it any more, it was deleted, or the token may not ' +
        'read its kind.',
      example: 'Licenças anuais',
    }),
    event: system(storedText, {
      ...{ level: 'item', initial: null, example: 'activity.created' },
      description: 'Of changes and mentions, the event of the latest change.',
    }),
    activity_id: system(uuidType, {
      ...{ level: 'item', initial: null, example: '01a1fc31-2a2b-7c1d-8e3f-4a5b6c7d8e9f' },
      description: 'The note, of a mention, and of a change that is one of a note.',
    }),
    changes: system(storedCount, {
      ...{ level: 'item', initial: 1, example: 1 },
      description: 'Number of changes: those within ten minutes are one notification.',
    }),
    actor: reference('members', {
      ...{ column: 'actor_user_id', inputs: {}, need: 'clearable', shows: 'reference', level: 'item' },
      description: 'Who made the latest change; `null` for reminders.',
    }),
    created_at: createdAt('item'),
    read_at: system(instantType, {
      ...{ level: 'item', initial: null, example: null },
      description: 'When the member marked it as read; `null` for an unread one.',
    }),
    member_id: system(uuidType, { level: 'hidden', initial: '', references: 'members' }),
    /** What it is about, each once. */
    cause: system(storedText, { level: 'hidden', initial: '', uniqueForever: true }),
    /** False for one that was sent by mail alone. */
    in_app: system(flagType, { level: 'hidden', initial: true }),
    updated_at: updatedAt('hidden'),
  },
})

/** What a member is told once. */
export interface Notification extends RecordOf<typeof notifications.fields> {}
