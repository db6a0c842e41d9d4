import { SERVER_START } from './servers/leader.ts'

/** What a call may do, if the database has replicas that callers read from. */
export type Access = 'read' | 'write'

export interface GateStatement {
  readonly name: string
  readonly text: string
}

// `least` bounds a window that was opened before the clock was set back.
const COUNT_SQL = `
  insert into rate_windows as w (key, used, closes_at)
  select $1, 1, clock_timestamp() + make_interval(secs => $2) %FROM%
  on conflict (key) do update set
    used = case when w.closes_at <= clock_timestamp() then 1 else w.used + 1 end,
    closes_at = case when w.closes_at <= clock_timestamp() then clock_timestamp() + make_interval(secs => $2)
      else least(w.closes_at, clock_timestamp() + make_interval(secs => $2)) end
  returning used, extract(epoch from closes_at)::float8 as resets, extract(epoch from closes_at - clock_timestamp())::float8 as wait`

const GRANT_SQL = `
  select g.user_id, g.client_id, m.role
  from grants g join members m on m.workspace_id = g.workspace_id and m.id = g.user_id
  where g.workspace_id = %WORKSPACE% and g.id = %GRANT% and g.revoked_at is null and g.deleted_at is null
    and m.removed_at is null and m.deleted_at is null`

/** A grant's caller as `g`, and its mark as `r`. */
const IS_MARK_OF_GRANT =
  'r.workspace_id = %WORKSPACE% and r.client_id = g.client_id and r.user_id = g.user_id'
/** A caller without a mark may have had one before the server crashed. */
const READ_MARK_SQL = `
  known as (select r.position from recent_writes r, granted g where ${IS_MARK_OF_GRANT}),
  marked as (
    insert into recent_writes (workspace_id, client_id, user_id, written_at)
    select %WORKSPACE%, g.client_id, g.user_id, clock_timestamp() from granted g where not exists (select from known)
    on conflict do nothing),
  advanced as (
    update recent_writes r set position = pg_current_wal_insert_lsn() from granted g
    where ${IS_MARK_OF_GRANT} and r.position is null
      and r.written_at < clock_timestamp() - make_interval(secs => %SECONDS%)
    returning r.position),
  positions as (
    select coalesce((select position from advanced), (select position from known))::text as lsn, ${SERVER_START} as server)`

const WRITE_MARK_SQL = `
  insert into recent_writes (workspace_id, client_id, user_id, written_at)
  select %WORKSPACE%, %CALLER%, clock_timestamp() %FROM%
  on conflict (workspace_id, client_id, user_id) do update set written_at = excluded.written_at, position = null`

/**
 * Creates a function that authorizes and counts a call on a database that Citus distributes. As one statement, which reads
 * the server of a workspace and writes the coordinator, it takes more than twice as long.
 */
export const CREATE_AUTHORIZE = `
  create or replace function authorize_call(window_key text, seconds double precision, workspace uuid, call_grant uuid)
  returns table (user_id uuid, client_id uuid, role text, used integer, resets double precision, wait double precision)
  language plpgsql as $$
    #variable_conflict use_column
    declare
      granted record;
      counted record;
    begin
      ${fill(GRANT_SQL, { WORKSPACE: 'workspace', GRANT: 'call_grant' }).replace('from grants', 'into granted from grants')};
      if not found then return; end if;
      ${fill(COUNT_SQL, { FROM: '' }).replaceAll('$1', 'window_key').replaceAll('$2', 'seconds')} into counted;
      return query select granted.user_id, granted.client_id, granted.role, counted.used, counted.resets, counted.wait;
    end $$`
const AUTHORIZE_DISTRIBUTED: GateStatement = {
  name: 'crm_authorize_distributed',
  text: 'select * from authorize_call($1, $2, $3, $4)',
}

interface GateStatementsOptions {
  /** For which the reads of a caller go to the leader after a call that may write has begun. */
  readonly recentSeconds: number
  readonly isDistributed: boolean
}

/** The statements of the gate, by what they do besides authorizing. */
export class GateStatements {
  /** With the key and the seconds of a window. */
  readonly count: GateStatement = { name: 'crm_count', text: fill(COUNT_SQL, { FROM: '' }) }
  /** With the ids of the workspace, the app and the member. */
  readonly markWrite: GateStatement = {
    name: 'crm_mark_write',
    text: fill(WRITE_MARK_SQL, { WORKSPACE: '$1', CALLER: '$2::uuid, $3::uuid', FROM: '' }),
  }
  readonly #authorize: ReadonlyMap<string, GateStatement>
  readonly #isDistributed: boolean

  constructor({ recentSeconds, isDistributed }: GateStatementsOptions) {
    this.#isDistributed = isDistributed
    this.#authorize = new Map(
      [true, false].flatMap((isCounted) =>
        ([undefined, 'read', 'write'] as const).map((access) => {
          const name = nameAuthorize(isCounted, access)
          return [name, { name, text: authorizeSql(isCounted, access, recentSeconds) }]
        }),
      ),
    )
  }

  /** With the key and the seconds of a window, if it counts, then the ids of the workspace and the grant. */
  authorize(isCounted: boolean, access: Access | undefined): GateStatement {
    if (this.#isDistributed && isCounted) return AUTHORIZE_DISTRIBUTED
    return this.#authorize.get(nameAuthorize(isCounted, access))!
  }
}

function nameAuthorize(isCounted: boolean, access: Access | undefined): string {
  return `crm_authorize_${isCounted ? 'counted' : 'uncounted'}${access ? `_${access}` : ''}`
}

function authorizeSql(isCounted: boolean, access: Access | undefined, recentSeconds: number): string {
  const marks = {
    read: READ_MARK_SQL,
    write: `marked as (${fill(WRITE_MARK_SQL, { CALLER: 'client_id, user_id', FROM: 'from granted' })})`,
  }
  const parts = [
    `granted as (${GRANT_SQL})`,
    ...(isCounted ? [`counted as (${fill(COUNT_SQL, { FROM: 'from granted' })})`] : []),
    ...(access ? [marks[access]] : []),
  ]
  const sources = ['granted', ...(isCounted ? ['counted'] : []), ...(access === 'read' ? ['positions'] : [])]
  const sql = `with ${parts.join(', ')} select * from ${sources.join(' cross join ')}`
  const [workspace, grant] = isCounted ? ['$3', '$4'] : ['$1', '$2']
  return fill(sql, { WORKSPACE: workspace!, GRANT: grant!, SECONDS: String(recentSeconds) })
}

function fill(sql: string, values: Readonly<Record<string, string>>): string {
  return sql.replaceAll(/%([A-Z]+)%/g, (placeholder, name: string) => values[name] ?? placeholder)
}
