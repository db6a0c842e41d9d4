/** Sentences that the operations of several kinds have in the OpenAPI document. */
export const DELETE_NOTE = 'The record is no longer returned and cannot be restored.'
export const MERGE_NOTE =
  'Changes only the fields in the body; `null` clears a field. ' +
  '`tags` and `lists` are replaced as a whole, `custom_fields` are merged by `key`.'
export const REQUIRED_FIELDS_NOTE = 'Changes only the fields in the body; none may be `null`.'
export const PATCH_NOTE = 'Changes only the fields in the body; `null` clears a field.'
export const KEY_NOTE = 'The `key` is unique in the workspace. By default it is derived from the name.'
export const LINKS_NOTE = 'Records linked to it then have `null` in its place.'
export const SEARCH_NOTE = '`search` matches beginnings of words and ignores case and accents.'
