import type { SettingsChanged } from '@sales-crm/sql'

const NEW_VERSION = 'hex(randomblob(16))'

export const settingsChanged: SettingsChanged = {
  newVersion: NEW_VERSION,
  prepared: [],
  triggers: (table, events, scope) =>
    events.map((event) => {
      const changed = scope === undefined ? `${event === 'delete' ? 'old' : 'new'}.workspace_id` : `'${scope}'`
      return `create trigger ${table}__settings_${event} after ${event} on ${table} begin
        insert into settings_versions values (${changed}, ${NEW_VERSION}) on conflict (scope) do update set version = excluded.version;
      end`
    }),
}
