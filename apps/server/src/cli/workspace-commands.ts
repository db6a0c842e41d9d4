import { type Command, type Option, runOnStore, withOpenStore } from './command.ts'
import { listResult } from './list-result.ts'
import type { OperatorInput } from './operator-input.ts'

export const WORKSPACE: Option = { value: 'SLUG', help: 'the workspace', required: true, names: 'Workspace' }

export const WORKSPACE_COMMANDS: readonly (readonly [string, Command])[] = [
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
        country: { value: 'CODE', help: 'two letters, such as BR; default that of the locale' },
        locale: { value: 'LOCALE', help: 'how amounts are written, such as pt-BR; default en-US' },
        currency: { value: 'CODE', help: 'currency of new deals, such as BRL; default USD' },
        'time-zone': { value: 'ZONE', help: 'such as America/Sao_Paulo; default UTC' },
      },
      run: runOnStore((input: OperatorInput<'createWorkspace'>, { crm }) =>
        crm.operator.createWorkspace(input),
      ),
    },
  ],
  [
    'workspace update',
    {
      summary: 'change the settings of a workspace; its slug stays',
      options: {
        workspace: WORKSPACE,
        name: { value: 'NAME', help: 'what people call it' },
        country: { value: 'CODE', help: 'two letters, such as BR' },
        locale: { value: 'LOCALE', help: 'how amounts are written, such as pt-BR' },
        currency: { value: 'CODE', help: 'currency of new deals, such as BRL; amounts are not converted' },
        'time-zone': { value: 'ZONE', help: 'such as America/Sao_Paulo' },
        visibility: {
          ...{ value: 'KIND=RULE,…', kind: 'pairs' },
          help: 'who sees records of others, such as people=team,deals=owner; rules: everyone, team, owner',
        },
      },
      run: runOnStore((input: OperatorInput<'updateWorkspace'>, { crm }) =>
        crm.operator.updateWorkspace(input),
      ),
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
]
