const RESOURCES: Readonly<Record<string, string>> = {
  people: 'people',
  companies: 'companies',
  deals: 'deals and pipelines',
  tasks: 'tasks and task types',
  activities: 'activities',
  products: 'products',
  tags: 'tags',
  lists: 'lists',
  custom_fields: 'custom fields',
  members: 'the members of the workspace',
  webhooks: 'webhooks and their deliveries',
}
/** Scopes of other actions. */
const OTHERS: Readonly<Record<string, string>> = {
  'members:manage': 'Change the roles of members, remove members, and invite new ones',
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
      const [resource, verb] = [RESOURCES[family], ACTIONS[action]]
      if (resource === undefined || verb === undefined)
        throw new Error(`The scope ${scope} has no description: add it to scope-descriptions.ts.`)
      return [scope, `${verb} ${resource}`]
    }),
  )
}
