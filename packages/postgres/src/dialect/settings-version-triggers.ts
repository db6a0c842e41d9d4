import type { SettingsVersionTriggers } from '@sales-crm/sql'

const NEW_VERSION = 'gen_random_uuid()::text'

export const settingsVersionTriggers: SettingsVersionTriggers = {
  newVersion: NEW_VERSION,
  functions: [
    `create function settings_changed() returns trigger language plpgsql as $$
    declare changed uuid;
    begin
      if tg_nargs > 0 then changed := tg_argv[0]; elsif tg_op = 'DELETE' then changed := old.workspace_id; else changed := new.workspace_id; end if;
      insert into settings_versions values (changed, ${NEW_VERSION}) on conflict (scope) do update set version = excluded.version;
      return null;
    end $$`,
  ],
  createTriggers: (table, events, scope) => [
    `create trigger ${table}__settings after ${events.join(' or ')} on ${table}
      for each row execute function settings_changed(${scope === undefined ? '' : `'${scope}'`})`,
  ],
}
