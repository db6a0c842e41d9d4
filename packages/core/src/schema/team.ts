import * as v from 'valibot'
import { flag, uuid } from '../kernel/field-schemas.ts'
import { listOf, object } from '../kernel/object-schemas.ts'
import { flagResponse, responseSchema, uuidResponse } from '../kernel/response-schemas.ts'
import { singleLineText } from '../kernel/text-schemas.ts'
import { createdAt, id, updatedAt } from './common-fields.ts'
import { distinctEntries } from './distinct-entries.ts'
import type { RecordOf } from './field-types.ts'
import { system, value } from './fields.ts'
import { defineKind } from './kind.ts'
import { DELETE_NOTE, REQUIRED_FIELDS_NOTE } from './operation-notes.ts'
import { jsonOf, storedJson, textOf } from './value-types.ts'

/** A member of a team. */
export interface TeamMember {
  readonly id: string
  /** True for a member who leads the team. A team may have several leads, or none. */
  readonly lead: boolean
}

/** Maximum number per team. */
const MAX_TEAM_MEMBERS = 500

const teamMember = object({ id: uuid, lead: v.optional(flag, false) })

const teamMemberList = v.pipe(
  listOf(teamMember, 0, MAX_TEAM_MEMBERS, 'members'),
  distinctEntries<v.InferOutput<typeof teamMember>>('id', (member) => member.id),
)

const teamMemberResponse = responseSchema<TeamMember>()({ id: uuidResponse, lead: flagResponse })

export const teams = defineKind({
  label: 'Team',
  collection: 'teams',
  scopes: { read: 'members:read', write: 'members:manage' },
  memberAccess: 'settings',
  fields: {
    id: id('01a1fc31-2a14-7c3e-9f10-0d8a5c6e21b7'),
    name: value(textOf(singleLineText(1, 80)), {
      ...{ need: 'required', level: 'summary', sortable: true, unique: true },
      description: 'Name, unique in the workspace.',
      example: 'Sales South',
    }),
    members: value(
      jsonOf<readonly TeamMember[], typeof teamMemberList>(teamMemberList, v.array(teamMemberResponse)),
      {
        ...{ need: 'resettable', initial: [], level: 'summary' },
        description: 'Members of the workspace. `lead` is true for those who lead the team.',
        inputDescription: {
          create:
            'Ids of members of the workspace. `lead` is true for those who lead the team, false by default.',
          update:
            'Replaces the current members. Each is a member of the workspace; `lead` is true for those who lead the team.',
        },
        example: [{ id: '01a1fc31-2670-7519-b740-1c4078945b9e', lead: true }],
      },
    ),
    /** Ids of those who were on the team when they were removed from the workspace, until they join again. */
    removed_member_ids: system(storedJson<readonly string[]>(), { level: 'hidden', initial: [] }),
    created_at: createdAt('summary'),
    updated_at: updatedAt('summary'),
  },
  texts: {
    about: 'Teams of members. They use the scopes of members; owners and admins change them.',
    list: 'Each team with its members.',
    create: 'At most 200 per workspace.',
    update: `${REQUIRED_FIELDS_NOTE} \`members\` replaces the members of the team.`,
    remove: `${DELETE_NOTE} Its members stay in the workspace.`,
  },
  errorExamples: { name: 'Required.', 'members[0].id': 'Member not found.' },
  inputExamples: {
    create: {
      name: 'Sales South',
      members: [{ id: '01a1fc31-2670-7519-b740-1c4078945b9e', lead: true }],
    },
    update: { name: 'Sales South and West' },
  },
})

/** A team of members of the workspace. */
export interface Team extends RecordOf<typeof teams.fields> {}
