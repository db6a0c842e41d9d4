import type { Crm } from '@sales-crm/core'
import { secrets } from '@sales-crm/node'
import { readSecretKey } from '../process/secret-key-file.ts'
import { backup } from './backup.ts'
import { type Command, type Option, runOnStore, withDatabase, withOpenStore } from './command.ts'
import { doctor } from './doctor.ts'
import { restore } from './restore.ts'
import { seedCommand } from './seed-command.ts'
import { formatColumns, formatTable } from './table.ts'

type InputOf<Name extends keyof Crm['operator']> = Crm['operator'][Name] extends (
  input: infer Input,
) => unknown
  ? Input
  : never

const workspace: Option = { value: 'SLUG', help: 'the workspace', required: true, names: 'Workspace' }

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
    const value = await crm.operator.addMember(context.fields as InputOf<'addMember'>)
    const existingNote = 'The account was there already: it keeps its name and its password.'
    const passwordUrl = `${ports.issuer}/password/forgot`
    const noPasswordNote = `The account has no password yet. Its user sets one at ${passwordUrl}`
    const note = existingUser ? existingNote : password === undefined ? noPasswordNote : undefined
    return note === undefined ? { value } : { value, text: `${formatTable(value)}\n\n${note}` }
  })

/** Adds the issuer to the text, because the CLI may have another public URL configured than the service. */
const tokenCreate: Command['run'] = (context) =>
  withOpenStore(context, async ({ crm, ports }) => {
    const value = await crm.operator.createToken(context.fields as InputOf<'createToken'>)
    return { value, text: `${formatTable(value)}\n\nIt is good at ${ports.issuer}` }
  })

const migrate: Command = {
  summary: "bring the database's tables up to date",
  options: {},
  async run(context) {
    const applied = await withDatabase(context, ({ storage }) => storage.migrate())
    return {
      value: { applied },
      text: applied.length > 0 ? `Applied: ${applied.join(', ')}` : 'The tables are up to date.',
    }
  },
}

/** Lists the rows as a table, with the field names as column headings. */
function listResult<T extends object>(
  name: string,
  rows: readonly T[],
  fields: readonly (keyof T & string)[],
) {
  const head = fields.map((field) => field.replaceAll('_', ' ').toUpperCase())
  const cells = rows.map((row) => fields.map((field) => String(row[field] ?? '')))
  return {
    value: { [name]: rows },
    text: rows.length > 0 ? formatColumns([head, ...cells]) : 'There are none.',
  }
}

export const COMMANDS: ReadonlyMap<string, Command> = new Map<string, Command>([
  ['migrate', migrate],
  [
    'workspace create',
    {
      summary: 'make a workspace and its owner',
      options: {
        name: { value: 'NAME', help: 'what people call it', required: true },
        slug: { value: 'SLUG', help: 'its short name: lower-case letters, digits, hyphens', required: true },
        'owner-name': { value: 'NAME', help: "the owner's name", required: true },
        'owner-email': {
          value: 'EMAIL',
          help: "the owner's e-mail address; a known account owns it as it is",
          required: true,
        },
        'owner-password': {
          value: 'PASSWORD',
          help: "the owner's password; left out, it is asked for on a terminal",
          required: true,
          kind: 'password',
        },
        locale: { value: 'LOCALE', help: 'how amounts are written, such as pt-BR; default en-US' },
        currency: { value: 'CODE', help: 'currency of new deals, such as BRL; default USD' },
        'time-zone': { value: 'ZONE', help: 'such as America/Sao_Paulo; default UTC' },
      },
      run: runOnStore((input: InputOf<'createWorkspace'>, { crm }) => crm.operator.createWorkspace(input)),
    },
  ],
  [
    'workspace list',
    {
      summary: 'list the workspaces',
      options: {},
      run: (context) =>
        withOpenStore(context, async ({ crm }) =>
          listResult('workspaces', await crm.operator.allWorkspaces(), [
            'slug',
            'name',
            'currency',
            'time_zone',
            'created_at',
            'id',
          ]),
        ),
    },
  ],
  [
    'member add',
    {
      summary: 'add a member to a workspace',
      options: {
        workspace,
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
    'member remove',
    {
      summary: 'remove a member, and every access the member granted there',
      options: {
        workspace,
        email: { value: 'EMAIL', help: "the member's e-mail address", required: true, names: 'Member' },
      },
      run: (context) =>
        withOpenStore(context, async ({ crm }) => {
          const value = await crm.operator.removeMember(context.fields as InputOf<'removeMember'>)
          return { value, text: `Removed:\n${formatTable(value)}` }
        }),
    },
  ],
  [
    'member list',
    {
      summary: 'list the members of a workspace',
      options: { workspace },
      run: (context) =>
        withOpenStore(context, async ({ crm }) =>
          listResult('members', await crm.operator.membersOf(context.fields as InputOf<'membersOf'>), [
            'email',
            'name',
            'role',
            'id',
          ]),
        ),
    },
  ],
  [
    'app create',
    {
      summary: 'register an OAuth app that is active at once',
      options: {
        name: { value: 'NAME', help: 'what users see when they approve it', required: true },
        email: { value: 'EMAIL', help: 'who answers for the app', required: true },
        'redirect-uri': {
          value: 'URI',
          help: 'where codes are sent; may be given again',
          required: true,
          kind: 'many',
          field: 'redirect_uris',
        },
        scopes: { value: 'SCOPE,…', help: 'such as people:read,tasks:write', required: true, kind: 'list' },
      },
      run: runOnStore((input: InputOf<'createApp'>, { crm }) => crm.operator.createApp(input)),
    },
  ],
  [
    'app list',
    {
      summary: 'list the apps that people registered',
      options: {},
      run: (context) =>
        withOpenStore(context, async ({ crm }) =>
          listResult('apps', await crm.operator.allApps(), [
            'client_id',
            'name',
            'email',
            'active',
            'created_at',
            'scopes',
          ]),
        ),
    },
  ],
  [
    'token create',
    {
      summary: 'make tokens for an app, as if the user had approved it',
      options: {
        workspace,
        client: { value: 'CLIENT_ID', help: 'the app', required: true, field: 'client_id', names: 'App' },
        user: {
          value: 'EMAIL',
          help: 'the member to act for',
          required: true,
          field: 'user_email',
          names: 'Member',
        },
        scopes: { value: 'SCOPE,…', help: "fewer than the app's", kind: 'list' },
      },
      run: tokenCreate,
    },
  ],
  ['seed', seedCommand],
  [
    'key rotate',
    {
      summary: 'sign new tokens with a new key; the old one verifies until its tokens have expired',
      options: {},
      run: runOnStore((_: unknown, { crm }) => crm.operator.rotateKey()),
    },
  ],
  [
    'key reseal',
    {
      summary: 'seal under SECRET_KEY what was sealed under SECRET_KEY_PREVIOUS; the service may run',
      options: {},
      run: (context) =>
        withOpenStore(context, async ({ crm }) => {
          const key = await readSecretKey(context.settings())
          return { value: await crm.operator.resealSecrets(secrets(key!)) }
        }),
    },
  ],
  ['backup', backup],
  ['restore', restore],
  ['doctor', doctor],
])
