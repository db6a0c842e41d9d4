/** Overrides of `REQUEST_FIELD_DESCRIPTIONS` for PATCH bodies, in which an omitted field has no default. */
export const UPDATE_FIELD_DESCRIPTIONS: Readonly<Record<string, string>> = {
  emails: 'Replaces those there are. The type of one is `work` unless it is sent.',
  phones: 'Replaces those there are. The type of one is `mobile` unless it is sent.',
  score: 'How promising the person is, from 0 to 100.',
  tags: 'Each by its id or its key. Replaces those there are.',
  lists: 'By their ids. Replaces those there are.',
  deals: 'By their ids: these get the record, and those left out lose it.',
  custom_fields: 'Each at most once. Those that are not named stay as they are.',
  amount: 'In minor units of the currency, such as cents.',
  currency: 'By its ISO 4217 code.',
  pipeline_id: 'The pipeline it goes to.',
  stage_id: 'A stage of its pipeline, or of the one it goes to: its first where only the pipeline is sent.',
  priority: 'How urgent it is.',
  completed: 'Whether it is done.',
  required: 'Whether a new record must have it.',
  show_people: 'Whether people have it.',
  show_companies: 'Whether companies have it.',
  show_deals: 'Whether deals have it.',
  auth_enable:
    'Whether deliveries are signed. A secret is made when it becomes `true`, and is gone for good when ' +
    'it becomes `false`.',
  key: 'Lower-case letters and digits, joined by single underscores, unique.',
  color: '`#rrggbb`.',
}
