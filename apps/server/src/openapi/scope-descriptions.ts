import { RESOURCES } from '@sales-crm/core/declarations'

const OTHER_FAMILIES: Readonly<Record<string, string>> = {
  members: 'the members of the workspace',
  webhooks: 'webhooks and their deliveries',
}
/** Scopes of other actions. */
const OTHERS: Readonly<Record<string, string>> = {
  'imports:read': 'Read imports and their results',
  'imports:write': 'Import files, and take imports back',
  'imports:manage': 'Set when records were created and closed',
  'members:manage': 'Change the roles of members and teams, remove members, and invite new ones',
  'workspace:manage': 'Change the settings of the workspace',
}
const ACTIONS: Readonly<Record<string, string>> = {
  read: 'Read',
  write: 'Create, change and delete',
  manage: 'Read, create, change and delete',
}

/** @throws Error for a scope without a description */
export function scopeDescriptions(scopes: readonly string[]): Readonly<Record<string, string>> {
  return Object.fromEntries(
    scopes.map((scope) => {
      if (OTHERS[scope] !== undefined) return [scope, OTHERS[scope]]
      const [family = '', action = ''] = scope.split(':')
      const [records, verb] = [OTHER_FAMILIES[family] ?? kindsOfFamily(family), ACTIONS[action]]
      if (records === '' || verb === undefined)
        throw new Error(`The scope ${scope} has no description: add it to scope-descriptions.ts.`)
      return [scope, `${verb} ${records}`]
    }),
  )
}

/** `deals, pipelines and lost reasons` */
function kindsOfFamily(family: string): string {
  const kinds = Object.entries(RESOURCES).filter(([, { scopes }]) => scopes.read === `${family}:read`)
  return new Intl.ListFormat('en-GB').format(kinds.map(([kind]) => kind.replaceAll('_', ' ')))
}
