import type { SettingsVersionTriggers } from '@sales-crm/sql'

const NEW_VERSION = 'hex(randomblob(16))'

export const settingsVersionTriggers: SettingsVersionTriggers = {
  newVersion: NEW_VERSION,
  functions: [],
  createTriggers: (table, events, scope) =>
    events.map((event) => {
      const scopeExpression =
        scope === undefined ? `${event === 'delete' ? 'old' : 'new'}.workspace_id` : `'${scope}'`
      return `create trigger ${table}__settings_${event} after ${event} on ${table} begin
        insert into settings_versions values (${scopeExpression}, ${NEW_VERSION}) on conflict (scope) do update set version = excluded.version;
      end`
    }),
}
