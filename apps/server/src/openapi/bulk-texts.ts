/** Descriptions of the fields of bulk changes, as `RESPONSE_FIELD_DESCRIPTIONS` has them. */
export const BULK_FIELD_DESCRIPTIONS: Readonly<Record<string, string>> = {
  'BulkChange.kind': 'Kind of the records.',
  'BulkChange.change': 'The change, as it was sent.',
  'BulkChange.user': 'The member who began it; `null` for one who was removed.',
  'BulkChange.state':
    '`running`, `done`, `stopped`, `reverting` or `reverted`. It is also `stopped` if its member was removed while it ran.',
  'BulkChange.total': 'Records that matched when it began.',
  'BulkChange.done': 'Records that were visited.',
  'BulkChange.changed': 'Records that were changed or deleted.',
  'BulkChange.failed': 'Records that were refused.',
  'BulkChange.ended_at': 'When it, or its reversal, ended; `null` while it goes on.',
  'BulkChange.expires_at': 'Until then it can be reverted. It is deleted then.',
  'BulkReversal.done': 'Records that were visited.',
  'BulkReversal.restored': 'Records that are as they were before the change.',
  'BulkReversal.failed': 'Records that were left, since somebody has changed them.',
  'BulkFailure.name': 'Its name; `null` if it was deleted, or the caller does not see it.',
  'BulkFailure.step': '`change`, or `reversal` for what was not restored.',
  'BulkFailure.code': 'Code of the error that the same call alone would have.',
  'BulkFailure.message': 'Message of that error.',
  'BulkFailure.fields': 'The rules that fields break; `null` if it is about no field.',
}

/** Descriptions of the fields of their input that no list or update has, as `REQUEST_FIELD_DESCRIPTIONS` has them. */
export const BULK_INPUT_DESCRIPTIONS: Readonly<Record<string, string>> = {
  all: '`true` to change all records, instead of a filter.',
  change: 'Fields as an update takes them, tags and lists to add or remove, or `delete`.',
  delete: '`true` to delete the records. Must be sent alone.',
}

const id = '01a1fc31-2c90-7f14-a3d0-6c1b2a5e8f79'
const change = { owner_user_id: '01a1fc31-29d2-7a51-9c43-0b8f6d2e4a17', add_tags: ['vip'] }
const filter = { field: 'address.city', op: 'is', value: 'São Paulo' }

/** Examples of schemas of bulk changes, by schema name. */
export const BULK_EXAMPLES: Readonly<Record<string, object>> = {
  BulkChange: {
    ...{ id, kind: 'people', change, user: null, state: 'running', total: 12_480, done: 8200, changed: 8197 },
    ...{ failed: 3, reversal: null, created_at: '2026-03-01T12:00:00.000Z', ended_at: null },
    expires_at: '2026-03-31T12:00:00.000Z',
  },
  BulkReversal: { done: 12_480, restored: 12_470, failed: 10 },
  BulkFailure: {
    ...{ id, name: 'Helena Dias', step: 'change', code: 'forbidden', fields: null },
    message: 'You do not have permission to update this person.',
  },
  NewPersonBulkChange: { filter, change: { add_tags: ['vip'] } },
  NewCompanyBulkChange: { filter, change: { add_tags: ['vip'] } },
  NewDealBulkChange: { status: 'open', change: { owner_user_id: change.owner_user_id } },
  NewTaskBulkChange: { completed: false, change: { owner_user_id: change.owner_user_id } },
  NewProductBulkChange: { is_active: true, change: { is_active: false } },
}
