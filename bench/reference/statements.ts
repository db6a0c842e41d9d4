/**
 * The statements of the reference and of pgbench. Each value is used once and in order, so
 * that SQLite can use `?` placeholders.
 */

export const TASK = `
  select t.id, t.title, t.notes, t.due_date, t.priority, t.completed, t.created_at, t.updated_at, t.external_ids, t.shares, t.remind_at,
    y.id as type_id, y.title as type_title, y.color as type_color, y.key as type_key,
    y.created_at as type_created_at, y.updated_at as type_updated_at,
    p.id as person_id, p.full_name as person_full_name, p.emails as person_emails, p.phones as person_phones,
    p.score as person_score, p.position as person_position, p.created_at as person_created_at, p.updated_at as person_updated_at,
    c.id as company_id, c.full_name as company_full_name, c.emails as company_emails, c.phones as company_phones,
    c.created_at as company_created_at, c.updated_at as company_updated_at,
    d.id as deal_id, d.name as deal_name, d.amount as deal_amount, d.currency as deal_currency, d.source as deal_source,
    d.forecast_date as deal_forecast_date, d.created_at as deal_created_at, d.updated_at as deal_updated_at,
    l.id as pipeline_id, l.name as pipeline_name, s.id as stage_id, s.name as stage_name, s.type as stage_type,
    u.id as owner_id, u.name as owner_name, u.email as owner_email
  from tasks t
    left join task_types y on y.workspace_id = t.workspace_id and y.id = t.type_id and y.deleted_at is null
    left join people p on p.workspace_id = t.workspace_id and p.id = t.person_id and p.deleted_at is null
    left join companies c on c.workspace_id = t.workspace_id and c.id = t.company_id and c.deleted_at is null
    left join deals d on d.workspace_id = t.workspace_id and d.id = t.deal_id and d.deleted_at is null
    left join pipelines l on l.workspace_id = d.workspace_id and l.id = d.pipeline_id and l.deleted_at is null
    left join stages s on s.workspace_id = d.workspace_id and s.id = d.stage_id and s.deleted_at is null
    left join members m on m.workspace_id = t.workspace_id and m.id = t.owner_user_id and m.removed_at is null
    left join users u on u.id = m.id
  where t.workspace_id = $1 and t.id = $2 and t.deleted_at is null`

export const PEOPLE = `
  select p.id, p.entity_id, p.full_name, p.emails, p.phones, p.position, p.score, p.avatar_url, p.created_at, p.updated_at,
    u.id as owner_id, u.name as owner_name, u.email as owner_email
  from people p
    left join members m on m.workspace_id = p.workspace_id and m.id = p.owner_user_id and m.removed_at is null
    left join users u on u.id = m.id
  where p.workspace_id = $1 and p.deleted_at is null
  order by p.created_at desc nulls last, p.id desc
  limit 50`

export const PEOPLE_COUNT =
  'select count(*) as total from people where workspace_id = $1 and deleted_at is null'

export const INSERT_TASK = `
  insert into tasks (workspace_id, id, title, due_date, person_id, company_id, deal_id, created_at, updated_at, priority, completed)
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9, 'medium', false)`

export const UPDATE_TASK = `
  update tasks set title = $1, priority = $2, updated_at = $3
  where workspace_id = $4 and id = $5 and deleted_at is null`
