/** Overrides of `RESPONSE_FIELD_DESCRIPTIONS` for request fields. */
export const REQUEST_FIELD_DESCRIPTIONS: Readonly<Record<string, string>> = {
  id: 'Id of an existing stage to keep. Omit it for a new stage.',
  value: 'Value; its JSON type depends on the type of the field. `null` clears it.',
  type: 'Type.',
  auth_enable:
    '`true` to sign deliveries. Default: `false`; receivers then cannot verify that a delivery is ' +
    'authentic.',
  'CustomFieldInput.key': 'The key of the custom field.',
  'SelectOptionInput.key': 'Lower-case letters and digits, joined by single underscores, unique in the list.',
  url: 'An https URL with a public address or a valid host name, without user name, password and fragment.',
  events: 'Event names. New events are added over time.',
  email: 'An e-mail address, without `?`, `&`, `=` and `%`.',
  'WebhookChanges.auth_enable':
    '`true` to sign deliveries. Setting it to `true` creates a new secret; setting it to `false` deletes ' +
    'the secret.',
  add_tags: 'Tags to add, by id or key.',
  remove_tags: 'Tags to remove, by id or key.',
  add_lists: 'Lists to add, by id.',
  remove_lists: 'Lists to remove, by id.',
  'NewApp.email': 'E-mail address that receives the link to the secret.',
  'RotateRequest.email': 'E-mail address with which the app was registered.',
  'NewApp.name': 'Name of the app on the consent page. Must not contain `://`, `www.` or `@`.',
  redirect_uris:
    'https, or http on `localhost`, `127.0.0.1` or `[::1]`; without fragment, user name and password.',
  client_id: 'Id of the app. Omit it with HTTP Basic authentication.',
  'RotateRequest.client_id': 'Id of the app.',
  client_secret: 'Secret of the app. Omit it with HTTP Basic authentication.',
  grant_type: 'Grant type.',
  code: 'For `authorization_code`: the code from the redirect.',
  redirect_uri: 'If sent, the `redirect_uri` of the authorization request.',
  code_verifier: 'PKCE verifier. Required if the authorization request had a `code_challenge`.',
  refresh_token: 'For `refresh_token`: the latest refresh token.',
  'NewInvitation.email': 'E-mail address of the person to invite.',
  'NewInvitation.role': 'Role after joining. Only an owner may invite an owner.',
  'MemberChanges.role': 'New role.',
  'WorkspaceChanges.name': 'Name of the workspace.',
  'WorkspaceChanges.country': 'Country (ISO 3166-1, two letters). `null` clears it.',
  'WorkspaceChanges.currency': 'ISO 4217 currency code: the default of new deals.',
  'WorkspaceChanges.locale': 'Locale for formatted amounts (BCP 47).',
  'WorkspaceChanges.time_zone':
    'Time zone (IANA). Open tasks and deals whose date is a whole day move to the same day in it.',
  scope: 'For `refresh_token`: a subset of the granted scopes, separated by spaces.',
  resource: 'Resource that the token is for (RFC 8707).',
  token: 'An access token; it may be expired.',
}
