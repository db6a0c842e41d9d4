import { secrets } from '@sales-crm/node'
import { readSecretKey } from '../process/secret-key-file.ts'
import { ARCHIVE_COMMANDS } from './archive-commands.ts'
import { backup } from './backup.ts'
import { type Command, runOnStore, withOpenStore } from './command.ts'
import { doctor } from './doctor.ts'
import { exportCommand } from './export-command.ts'
import { importCommand } from './imports/import-command.ts'
import { listResult } from './list-result.ts'
import { MEMBER_COMMANDS } from './member-commands.ts'
import { migrate } from './migrate-command.ts'
import type { OperatorInput } from './operator-input.ts'
import { restore } from './restore.ts'
import { seedCommand } from './seed-command.ts'
import { formatTable } from './table.ts'
import { WORKSPACE, WORKSPACE_COMMANDS } from './workspace-commands.ts'

/** Adds the issuer to the text, because the CLI may have another public URL configured than the service. */
const tokenCreate: Command['run'] = (context) =>
  withOpenStore(context, async ({ crm, ports }) => {
    const value = await crm.operator.createToken(context.fields as OperatorInput<'createToken'>)
    return { value, text: `${formatTable(value)}\n\nIt is good at ${ports.issuer}` }
  })

export const COMMANDS: ReadonlyMap<string, Command> = new Map<string, Command>([
  ['migrate', migrate],
  ...WORKSPACE_COMMANDS,
  ...ARCHIVE_COMMANDS,
  ...MEMBER_COMMANDS,
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
      run: runOnStore((input: OperatorInput<'createApp'>, { crm }) => crm.operator.createApp(input)),
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
        workspace: WORKSPACE,
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
  ['import', importCommand],
  ['export', exportCommand],
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
