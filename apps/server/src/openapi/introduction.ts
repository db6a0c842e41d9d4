/**
 * Returns the introduction in Markdown.
 * @param issuer public URL of the service
 */
export function introduction(
  issuer: string,
  { hasOAuth, hasTools }: { readonly hasOAuth: boolean; readonly hasTools: boolean },
): string {
  return `People, companies, deals, tasks and activities of a workspace.

## Authentication

${hasOAuth ? oauthAuthentication(issuer) : HOST_AUTHENTICATION}

## Responses

A record is \`{"data": {…}}\`, a page of a list \`{"data": […], "meta": {…}}\`, an error \`{"error": {…}}\`,
whose \`fields\` contains every invalid field. Times are UTC with milliseconds. Fields without a value are
\`null\` and never omitted. New enumeration values, events and fields may be added; clients should ignore
unknown ones.

## Request bodies

Bodies are JSON objects in UTF-8 of up to 1 MiB, unless documented otherwise. An unknown field or parameter,
and a repeated parameter, is a 422. Lengths count Unicode characters; single-line text is trimmed. In a POST,
\`null\` is equivalent to omitting the field. A PATCH changes only the fields in the body, and \`null\` clears
an optional field; a PATCH without a known field is a 400.

## Lists

\`page\` and \`per_page\` select a page, \`order_by\` and \`order\` the sort order. Filters can be combined; a
filter by an unknown id matches nothing.

## Idempotency

A POST of a person, company or deal with an \`Idempotency-Key\` creates one record, however often it is sent
within 24 hours.

## Rate limits

Calls are counted per app and method in windows of one minute: 1000 GET, 200 POST, 200 PATCH, 100 DELETE.
Calls to OAuth endpoints are counted per client address: 20 per minute, registrations and secret rotations 10
per hour. Operators can change these limits. Every response contains the remaining number of calls.

## Webhooks

The service sends changes to the URL of a webhook at least once and in any order. Use the \`id\` of the
envelope to detect duplicates. The section Events documents the requests.
${hasTools ? languageModels(issuer) : ''}`
}

const HOST_AUTHENTICATION =
  'The application that serves this API authenticates the calls. The role of the user limits them.'

function oauthAuthentication(issuer: string): string {
  return `An app [registers](${issuer}/docs/start), sends the user's browser to \`GET /oauth/authorize\`, and exchanges
the code from the redirect at \`POST /oauth/token\`. API calls then send \`Authorization: Bearer
<ACCESS_TOKEN>\`. A token is valid for one hour, for one workspace, and for the scopes that the user granted;
a \`:write\` scope does not imply \`:read\`. The role of the user limits it further.`
}

function languageModels(issuer: string): string {
  return `
## Language models

\`${issuer}/mcp\` offers the workspace to language models with the Model Context Protocol, which this document
does not cover.
`
}
