import { badRequest, CrmError, invalidClient, invalidGrant, invalidRequest } from '@sales-crm/core'
import { appInput, itemResponse, oauthResponses, rotateInput } from '@sales-crm/core/declarations'
import { authorizeQuery, resourceMetadata, revokeBody, serverMetadata, tokenForm } from './oauth-schemas.ts'
import type { Operation } from './operation.ts'

const BODY_TOO_LARGE = badRequest('Request body is too large.')
const missingParameter = (name: string) =>
  invalidRequest('A required parameter is missing.', { [name]: 'Required.' })
const REPEATED_PARAMETER = invalidRequest('A parameter was sent more than once.', {
  client_id: 'Must be sent only once.',
})
const UNREGISTERED_REDIRECT_URI = invalidRequest('The redirect_uri is not registered for the app.', {
  redirect_uri: 'Must be one of the registered redirect URIs, to the letter.',
})
const SERVER_METADATA_NOTE =
  'Endpoints and capabilities (RFC 8414), from which OAuth libraries configure themselves.'

export const AUTHORIZE: Operation = {
  id: 'authorize',
  tag: 'OAuth',
  summary: 'Ask a user for access',
  description: [
    "Send the user's browser here with a link or a redirect. " +
      'The user signs in, selects a workspace, and approves or denies.',
    'The browser is then redirected to `redirect_uri` with `code`, `state` and `iss`, or with ' +
      '`error=access_denied`, `state` and `iss`.',
    'Parameter errors are returned here and never redirected. ' + 'Unknown parameters are ignored.',
  ].join(' '),
  query: authorizeQuery,
  refusesWithPages: true,
  success: {
    status: 303,
    description: 'Redirect to the consent page.',
    headers: { Location: 'URL of the consent page.' },
  },
  errors: [
    missingParameter('redirect_uri'),
    REPEATED_PARAMETER,
    UNREGISTERED_REDIRECT_URI,
    invalidClient(),
    new CrmError('unsupported_response_type', 'The response_type must be code.', {
      response_type: 'Must be code.',
    }),
  ],
}

export const TOKEN: Operation = {
  id: 'token',
  tag: 'OAuth',
  summary: 'Exchange a code or a refresh token',
  description: [
    'Call this from your server, never from a browser. ' +
      'A client authenticates in the body or with HTTP Basic, but not both.',
    'A code is valid for ten minutes and one use; a second use revokes the tokens of the first. ' +
      'Each refresh returns a new refresh token',
    'and invalidates the previous one. A refresh token expires after 60 days without use.',
  ].join(' '),
  body: { name: 'TokenRequest', schema: tokenForm, type: 'application/x-www-form-urlencoded' },
  success: {
    status: 200,
    description: 'An access token, valid for one hour, and a refresh token.',
    response: { name: 'Tokens', schema: oauthResponses.tokens },
    headers: { Pragma: '`no-cache`, so that tokens are not stored.' },
  },
  errors: [
    BODY_TOO_LARGE,
    missingParameter('grant_type'),
    REPEATED_PARAMETER,
    invalidGrant('The code is invalid, has expired, or was used before.'),
    invalidGrant('The refresh token is invalid, has expired, or was replaced.'),
    new CrmError('unsupported_grant_type', 'The grant_type must be authorization_code or refresh_token.', {
      grant_type: 'Must be one of: authorization_code, refresh_token.',
    }),
    invalidClient(),
  ],
}

export const REVOKE: Operation = {
  id: 'revoke',
  tag: 'OAuth',
  summary: 'Revoke an access token',
  description: [
    'Revokes the grant of an access token, including its refresh token. The token may be expired. ' +
      'Unknown tokens get the same response.',
    'The body may also be form-urlencoded.',
  ].join(' '),
  body: { name: 'RevokeRequest', schema: revokeBody },
  success: {
    status: 200,
    description: 'The grant is revoked. Its token is rejected from now on.',
    response: { name: 'RevokedResponse', schema: itemResponse(oauthResponses.revoked) },
  },
  errors: [
    BODY_TOO_LARGE,
    missingParameter('token'),
    invalidRequest('A refresh token cannot be revoked here.', { token: 'Must be an access token.' }),
    invalidRequest('The token belongs to another app.', { token: 'Must be an access token of the client.' }),
    invalidClient(),
  ],
}

export const REGISTER_APP: Operation = {
  id: 'registerApp',
  tag: 'OAuth',
  summary: 'Register an app',
  description: [
    'Sends a link to `email` that is valid for 15 minutes and one use. ' +
      'It opens a page with a button that creates and shows the `client_secret` and activates the app.',
    'The response does not reveal whether the address is known.',
  ].join(' '),
  body: { name: 'NewApp', schema: appInput },
  success: {
    status: 201,
    description: 'The app, not yet active.',
    response: { name: 'AppResponse', schema: itemResponse(oauthResponses.app) },
  },
  errors: [
    BODY_TOO_LARGE,
    invalidRequest('Request body must be valid JSON.'),
    invalidRequest('The request is invalid.', { redirect_uris: 'Required.' }),
  ],
}

export const ROTATE_APP: Operation = {
  id: 'rotateApp',
  tag: 'OAuth',
  summary: "Rotate an app's secret",
  description:
    'Invalidates the `client_secret` at once and mails a link to a new one. Tokens stay valid. ' +
    'Use it also if the link of a new app has expired.',
  body: { name: 'RotateRequest', schema: rotateInput },
  success: {
    status: 200,
    description: 'The secret is invalid, and the mail is queued.',
    response: { name: 'RotatedResponse', schema: itemResponse(oauthResponses.rotated) },
  },
  errors: [
    BODY_TOO_LARGE,
    invalidRequest('Request body must be valid JSON.'),
    invalidRequest('The request is invalid.', { email: 'Must be an e-mail address.' }),
    new CrmError('invalid_client', 'There is no app with this client_id and e-mail.'),
  ],
}

const METADATA_HEADERS = { 'Cache-Control': 'One hour.' }

export const SERVER_METADATA: Operation = {
  id: 'getAuthorizationServer',
  tag: 'OAuth',
  summary: 'Discover the authorization server',
  isFixed: true,
  description: SERVER_METADATA_NOTE,
  success: {
    status: 200,
    description: 'The metadata of the authorization server.',
    headers: METADATA_HEADERS,
    response: { name: 'AuthorizationServer', schema: serverMetadata },
  },
  errors: [],
}

export const RESOURCE_METADATA: Operation = {
  id: 'getProtectedResource',
  tag: 'OAuth',
  summary: 'Discover the protected resource',
  isFixed: true,
  description: 'Metadata of this API (RFC 9728).',
  success: {
    status: 200,
    description: 'The metadata of the protected resource.',
    headers: METADATA_HEADERS,
    response: { name: 'ProtectedResource', schema: resourceMetadata },
  },
  errors: [],
}
