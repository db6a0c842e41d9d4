import {
  appInput,
  badRequest,
  CrmError,
  invalidClient,
  invalidGrant,
  invalidRequest,
  itemResponse,
  oauthResponses,
  rotateInput,
} from '@sales-crm/core'
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
  'The endpoints above and what they take (RFC 8414). Libraries for OAuth set themselves up by it.'

export const AUTHORIZE: Operation = {
  id: 'authorize',
  tag: 'OAuth',
  summary: 'Ask a user for access',
  description: [
    "Send the user's browser here, by a link or a redirect; it is no call for programs. " +
      'The user signs in, chooses a workspace, and approves or denies.',
    'Then the browser is at `redirect_uri` with `code`, `state` and `iss`, or with ' +
      '`error=access_denied`, `state` and `iss`.',
    'What is wrong with a parameter is answered here, and never redirected. ' +
      'Parameters that are not listed are ignored.',
  ].join(' '),
  query: authorizeQuery,
  refusesWithPages: true,
  success: {
    status: 303,
    description: 'To the page on which the user decides.',
    headers: { Location: 'Where the browser goes on.' },
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
  summary: 'Exchange a code, or refresh',
  description: [
    'From your server, never from a browser. ' +
      'A client authenticates in the body or by HTTP Basic, not in both ways.',
    'A code is good for ten minutes and once: one that comes again ends the tokens of its first use. ' +
      'Each refresh gives another refresh token',
    'and ends the one before; one that nobody uses for 60 days has expired.',
  ].join(' '),
  body: { name: 'TokenRequest', schema: tokenForm, type: 'application/x-www-form-urlencoded' },
  success: {
    status: 200,
    description: 'An access token for an hour, and the refresh token for the next one.',
    response: { name: 'Tokens', schema: oauthResponses.tokens },
    headers: { Pragma: '`no-cache`: tokens stay on no disk.' },
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
    'Ends the grant of an access token, expired or not, its refresh token with it. ' +
      'Text that is no token of ours is answered the same.',
    'The body may be a form as well.',
  ].join(' '),
  body: { name: 'RevokeRequest', schema: revokeBody },
  success: {
    status: 200,
    description: 'The grant is revoked. The next call with its token is refused.',
    response: { name: 'RevokedAnswer', schema: itemResponse(oauthResponses.revoked) },
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
    'A link goes to `email`, good for 15 minutes and once. ' +
      'It opens a page with a button, which makes the `client_secret`, shows it, and makes the app active.',
    'Whether the address is known makes no difference to the answer.',
  ].join(' '),
  body: { name: 'NewApp', schema: appInput },
  success: {
    status: 201,
    description: 'The app, which is yet to be made active.',
    response: { name: 'AppAnswer', schema: itemResponse(oauthResponses.app) },
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
    'Ends the `client_secret` at once, and mails a link to another. Tokens stay good. ' +
    'For an app whose link ran out it is the way to a new one.',
  body: { name: 'RotateRequest', schema: rotateInput },
  success: {
    status: 200,
    description: 'The secret is worth nothing any more, and the mail is on its way.',
    response: { name: 'RotatedAnswer', schema: itemResponse(oauthResponses.rotated) },
  },
  errors: [
    BODY_TOO_LARGE,
    invalidRequest('Request body must be valid JSON.'),
    invalidRequest('The request is invalid.', { email: 'Must be an e-mail address.' }),
    new CrmError('invalid_client', 'There is no app with this client_id and e-mail.'),
  ],
}

const METADATA_HEADERS = { 'Cache-Control': 'For an hour.' }

export const SERVER_METADATA: Operation = {
  id: 'getAuthorizationServer',
  tag: 'OAuth',
  summary: 'Discover the authorization server',
  isFixed: true,
  description: SERVER_METADATA_NOTE,
  success: {
    status: 200,
    description: 'What a client can find out by itself.',
    headers: METADATA_HEADERS,
    response: { name: 'AuthorizationServer', schema: serverMetadata },
  },
  errors: [],
}

export const RESOURCE_METADATA: Operation = {
  id: 'getProtectedResource',
  tag: 'OAuth',
  summary: 'Discover where tokens come from',
  isFixed: true,
  description: 'For this interface (RFC 9728).',
  success: {
    status: 200,
    description: 'The authorization server whose tokens are good here.',
    headers: METADATA_HEADERS,
    response: { name: 'ProtectedResource', schema: resourceMetadata },
  },
  errors: [],
}
