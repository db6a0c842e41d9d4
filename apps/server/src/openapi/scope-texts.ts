const THINGS: Readonly<Record<string, string>> = {
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
const DEEDS: Readonly<Record<string, string>> = {
  read: 'Read',
  write: 'Create, change and delete',
  manage: 'Read, create, change and delete',
}

/** What each scope lets an app do. @throws Error for one of which nothing is known */
export function scopeTexts(scopes: readonly string[]): Readonly<Record<string, string>> {
  return Object.fromEntries(
    scopes.map((scope) => {
      const [family = '', deed = ''] = scope.split(':')
      const [what, does] = [THINGS[family], DEEDS[deed]]
      if (what === undefined || does === undefined) throw new Error(`Nothing is said of the scope ${scope}: add it to scope-texts.ts.`)
      return [scope, `${does} ${what}`]
    }),
  )
}
