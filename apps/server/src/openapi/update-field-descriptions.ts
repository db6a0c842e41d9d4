/** Overrides of `REQUEST_FIELD_DESCRIPTIONS` for PATCH bodies, in which an omitted field has no default. */
export const UPDATE_FIELD_DESCRIPTIONS: Readonly<Record<string, string>> = {
  emails: 'Replaces the current entries. The default `type` of an entry is `work`.',
  phones: 'Replaces the current entries. The default `type` of an entry is `mobile`.',
  score: 'Lead score, from 0 to 100.',
  tags: 'Tags by id or key. Replaces the current tags.',
  lists: 'Lists by id. Replaces the current lists.',
  deals: 'Deals by id. Replaces the current links: deals that are not listed are unlinked.',
  custom_fields: 'Values of custom fields, each field at most once. Other fields stay unchanged.',
  amount: 'Amount in minor units of the currency, such as cents.',
  currency: 'ISO 4217 currency code.',
  pipeline_id: 'Id of the pipeline to move the deal to.',
  stage_id:
    "Id of a stage of the deal's new or current pipeline. Default with a new pipeline: its first stage.",
  priority: 'Priority.',
  completed: '`true` if the task is done.',
  required: '`true` if a new record must have a value.',
  show_people: '`true` if people have the field.',
  show_companies: '`true` if companies have the field.',
  show_deals: '`true` if deals have the field.',
  auth_enable:
    '`true` to sign deliveries. Setting it to `true` creates a new secret; setting it to `false` deletes ' +
    'the secret.',
  key: 'Lower-case letters and digits, joined by single underscores, unique.',
  color: 'Color as `#rrggbb`.',
}
