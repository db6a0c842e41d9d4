import { SHARED_SCOPE } from '@sales-crm/sql'
import { settingsVersionTriggers } from '../dialect/settings-version-triggers.ts'

const { newVersion } = settingsVersionTriggers
const UPSERT = 'on conflict (scope) do update set version = excluded.version'

/**
 * Statements that give the version of the settings of all workspaces a table of its own, which is not distributed. On the
 * server of some workspace, each call would wait for it, and fail when it is lost. The table exists already in a database
 * that was restored from a dump of a distributed one.
 */
export const SEPARATE_SHARED_VERSION = [
  'create table if not exists shared_settings_versions (like settings_versions including all)',
  `insert into shared_settings_versions select * from settings_versions where scope = '${SHARED_SCOPE}' on conflict do nothing`,
  `delete from settings_versions where scope = '${SHARED_SCOPE}'`,
  // The triggers of shared tables have the scope as an argument.
  `create or replace function settings_changed() returns trigger language plpgsql as $$
    begin
      if tg_nargs > 0 then
        insert into shared_settings_versions values (tg_argv[0]::uuid, ${newVersion}) ${UPSERT};
      elsif tg_op = 'DELETE' then
        insert into settings_versions values (old.workspace_id, ${newVersion}) ${UPSERT};
      else
        insert into settings_versions values (new.workspace_id, ${newVersion}) ${UPSERT};
      end if;
      return null;
    end $$`,
]
