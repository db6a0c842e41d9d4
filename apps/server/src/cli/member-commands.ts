import { type Command, runOnStore, withOpenStore } from './command.ts'
import { listResult } from './list-result.ts'
import type { OperatorInput } from './operator-input.ts'
import { formatTable } from './table.ts'
import { WORKSPACE } from './workspace-commands.ts'

/**
 * Adds an existing account unchanged, whatever name and password are given. The text says so, and how
 * an account without a password gets one.
 */
const memberAdd: Command['run'] = (context) =>
  withOpenStore(context, async ({ crm, storage, ports }) => {
    const { email, password } = context.fields
    const [existingUser] = await storage.read((tx) =>
      tx.users.find([{ field: 'email', is: String(email).trim().toLowerCase() }]),
    )
    const value = await crm.operator.addMember(context.fields as OperatorInput<'addMember'>)
    const existingNote = 'The account was there already: it keeps its name and its password.'
    const passwordUrl = `${ports.issuer}/password/forgot`
    const noPasswordNote = `The account has no password yet. Its user sets one at ${passwordUrl}`
    const note = existingUser ? existingNote : password === undefined ? noPasswordNote : undefined
    return note === undefined ? { value } : { value, text: `${formatTable(value)}\n\n${note}` }
  })

export const MEMBER_COMMANDS: readonly (readonly [string, Command])[] = [
  [
    'member add',
    {
      summary: 'add a member to a workspace',
      options: {
        workspace: WORKSPACE,
        name: { value: 'NAME', help: 'the name of a new account', required: true },
        email: {
          value: 'EMAIL',
          help: "the member's e-mail address; a known account joins as it is",
          required: true,
        },
        role: { value: 'ROLE', help: 'owner, admin or member', required: true },
        password: {
          value: 'PASSWORD',
          help:
            'a password for a new account; left out, it is asked for on a terminal, ' +
            'and without one there is none',
          kind: 'password',
        },
      },
      run: memberAdd,
    },
  ],
  [
    'member update',
    {
      summary: 'change the role of a member',
      options: {
        workspace: WORKSPACE,
        email: { value: 'EMAIL', help: "the member's e-mail address", required: true, names: 'Member' },
        role: { value: 'ROLE', help: 'owner, admin or member', required: true },
      },
      run: runOnStore((input: OperatorInput<'updateMember'>, { crm }) => crm.operator.updateMember(input)),
    },
  ],
  [
    'member remove',
    {
      summary: 'remove a member, and every access the member granted there',
      options: {
        workspace: WORKSPACE,
        email: { value: 'EMAIL', help: "the member's e-mail address", required: true, names: 'Member' },
        'reassign-to': {
          value: 'EMAIL',
          help: 'the member who takes over its people, companies, deals and tasks, in the background',
        },
      },
      run: (context) =>
        withOpenStore(context, async ({ crm }) => {
          const value = await crm.operator.removeMember(context.fields as OperatorInput<'removeMember'>)
          return { value, text: `Removed:\n${formatTable(value)}` }
        }),
    },
  ],
  [
    'member list',
    {
      summary: 'list the members of a workspace',
      options: { workspace: WORKSPACE },
      run: (context) =>
        withOpenStore(context, async ({ crm }) =>
          listResult('members', await crm.operator.membersOf(context.fields as OperatorInput<'membersOf'>), [
            'email',
            'name',
            'role',
            'id',
          ]),
        ),
    },
  ],
]
