import { textResponse } from '../kernel/response-schemas.ts'
import { ROLES } from '../kernel/role.ts'
import { createdAt, id, updatedAt } from './common-fields.ts'
import type { RecordOf } from './field-types.ts'
import { system } from './fields.ts'
import { definePart } from './kind.ts'
import type { NoticeSettings } from './notification.ts'
import { choiceOf, flagType, instantType, storedJson, storedText } from './value-types.ts'
import { loaded } from './view-fields.ts'

/** The languages of mails to members. */
export const LANGUAGES = ['en', 'pt-BR'] as const

/**
 * The current members of a workspace. As a reference, a removed member is nobody.
 */
export const members = definePart({
  label: 'Member',
  collection: 'members',
  fields: {
    /** The user id, the same in every workspace; `owner_user_id` in inputs. */
    id: id('01a1fc31-2670-7519-b740-1c4078945b9e'),
    name: loaded({
      ...{ level: 'reference', response: textResponse },
      description: 'Name.',
      example: 'Ana Lima',
    }),
    /** In lower case; `owner_email` in inputs. */
    email: loaded({
      ...{ level: 'reference', response: textResponse },
      description: 'An e-mail address.',
      example: 'ana@demo.example',
    }),
    role: system(choiceOf(ROLES), {
      ...{ level: 'item', initial: 'member' },
      description:
        'Role in the workspace: `owner` and `admin` may change every record, `member` only their own.',
      example: 'owner',
    }),
    created_at: createdAt('detail', { description: 'When the member joined the workspace.' }),
    updated_at: updatedAt('hidden'),
    removed_at: system(instantType, {
      ...{ level: 'detail', initial: null },
      description: 'When the member was removed; `null` for a current member.',
      example: null,
    }),
    /** Of mails; null for that of the workspace. */
    language: system(choiceOf(LANGUAGES), {
      ...{ level: 'hidden', initial: null, isVersioned: false },
    }),
    /** `HH:MM` in the time zone of the workspace: when the tasks of the day are mailed; null for never. */
    reminder_time: system(storedText, { level: 'hidden', initial: null, isVersioned: false }),
    notices: system(storedJson<NoticeSettings>(), { level: 'hidden', initial: {}, isVersioned: false }),
    /** Hash of the token in the address of the calendar; null without one. A new membership has none. */
    calendar_hash: system(storedText, { level: 'hidden', initial: null, isVersioned: false }),
    /** False for an invited colleague, who counts as removed until they join. */
    has_joined: system(flagType, { level: 'hidden', initial: true }),
  },
})

/**
 * A user's membership in a workspace, under the user's id. A removed member's row stays, because records refer to it; that
 * of an invited colleague is there before they join, so that an import can make records theirs.
 */
export interface Member extends RecordOf<typeof members.fields> {}
