/** A row of one of the statements. */
export type Row = Readonly<Record<string, unknown>>

const formats = new Map<unknown, Intl.NumberFormat>()

export function taskView(row: Row) {
  return {
    id: row['id'],
    title: row['title'],
    notes: row['notes'],
    due_date: row['due_date'],
    type: row['type_id'] === null ? null : typeView(row),
    person: row['person_id'] === null ? null : personView(row),
    company: row['company_id'] === null ? null : companyView(row),
    deal: row['deal_id'] === null ? null : dealView(row),
    owner: ownerView(row),
    priority: row['priority'],
    completed: Boolean(row['completed']),
    created_at: row['created_at'],
    updated_at: row['updated_at'],
    external_ids: parseJson(row['external_ids']),
    shared_with: parseJson(row['shares']),
    remind_at: row['remind_at'],
  }
}

export function personItem({ owner_id, owner_name, owner_email, ...person }: Row) {
  return {
    ...person,
    emails: parseJson(person['emails']),
    phones: parseJson(person['phones']),
    score: Number(person['score']),
    owner: ownerView({ owner_id, owner_name, owner_email }),
    custom_fields: [],
  }
}

/** A person without tags, lists and custom fields, in the order of the API. */
export function personDetail(row: Row) {
  return {
    id: row['id'],
    entity_id: row['entity_id'],
    full_name: row['full_name'],
    emails: parseJson(row['emails']),
    phones: parseJson(row['phones']),
    position: row['position'],
    score: row['score'],
    avatar_url: row['avatar_url'],
    created_at: row['created_at'],
    updated_at: row['updated_at'],
    owner: ownerView(row),
    company: row['company_id'] === null ? null : companyView(row),
    companies: row['company_id'] === null ? [] : [companyLink(row)],
    custom_fields: [],
    tags: [],
    lists: [],
    external_ids: parseJson(row['external_ids']),
  }
}

function companyLink(row: Row) {
  return {
    company_id: row['company_id'],
    full_name: row['company_full_name'],
    position: row['position'],
    main: true,
  }
}

function typeView(row: Row) {
  return {
    id: row['type_id'],
    title: row['type_title'],
    color: row['type_color'],
    key: row['type_key'],
    created_at: row['type_created_at'],
    updated_at: row['type_updated_at'],
  }
}

function personView(row: Row) {
  return {
    id: row['person_id'],
    full_name: row['person_full_name'],
    emails: parseJson(row['person_emails']),
    phones: parseJson(row['person_phones']),
    score: Number(row['person_score']),
    position: row['person_position'],
    created_at: row['person_created_at'],
    updated_at: row['person_updated_at'],
  }
}

function companyView(row: Row) {
  return {
    id: row['company_id'],
    full_name: row['company_full_name'],
    emails: parseJson(row['company_emails']),
    phones: parseJson(row['company_phones']),
    created_at: row['company_created_at'],
    updated_at: row['company_updated_at'],
  }
}

function dealView(row: Row) {
  const amount = Number(row['deal_amount'])
  return {
    id: row['deal_id'],
    name: row['deal_name'],
    amount,
    currency: row['deal_currency'],
    formatted_amount: formatAmount(amount, row['deal_currency'] as string),
    pipeline: { id: row['pipeline_id'], name: row['pipeline_name'] },
    stage: { id: row['stage_id'], name: row['stage_name'], type: row['stage_type'] },
    source: row['deal_source'],
    forecast_date: row['deal_forecast_date'],
    created_at: row['deal_created_at'],
    updated_at: row['deal_updated_at'],
  }
}

function ownerView(row: Row) {
  return row['owner_id'] === null
    ? null
    : { id: row['owner_id'], name: row['owner_name'], email: row['owner_email'] }
}

function parseJson(value: unknown): unknown {
  return JSON.parse(value as string)
}

function formatAmount(amount: number, currency: string): string {
  let format = formats.get(currency)
  if (!format) {
    format = new Intl.NumberFormat('en-US', { style: 'currency', currency })
    formats.set(currency, format)
  }
  return format.format(amount / 100)
}
