/** Returns the introduction in Markdown. @param issuer public URL of the service */
export function introduction(issuer: string): string {
  return `People, companies, deals and what is to be done about them, for the workspace a token belongs to.

## Getting a token

An app [registers](${issuer}/docs/start), sends a user's browser to \`GET /oauth/authorize\`, and exchanges the code it gets back at \`POST /oauth/token\`.
Calls then carry \`Authorization: Bearer <ACCESS_TOKEN>\`. A token is good for an hour, for one workspace, and for the scopes that the user allowed;
a \`:write\` scope does not imply \`:read\`. What it may do depends on the role of its member, too.

## Answers

One record is \`{"data": {…}}\`, a page of a list \`{"data": […], "meta": {…}}\`, a refusal \`{"error": {…}}\`, whose \`fields\` names every bad field at
once. Instants are UTC with milliseconds. Fields without a value are \`null\`, and never left out. New values of enumerations, new events and new
fields may come; programs that read should pass over what they do not know.

## Bodies

JSON objects in UTF-8, of 1 MiB at most unless it says otherwise. A field or parameter that does not exist, and a parameter that is sent twice, is a 422.
Lengths count Unicode characters; single lines are trimmed. In a POST, \`null\` is the same as leaving a field out. A PATCH changes only the fields
that are sent, and \`null\` clears one where it may be empty; one that sends no known field is a 400.

## Lists

\`page\` and \`per_page\` choose a page, \`order_by\` and \`order\` how they are ordered. Filters can be combined; one that names what is not there finds nothing.

## Sending a POST twice

People, companies and deals are made once for each \`Idempotency-Key\`, however often the request is sent within 24 hours.

## Rate limits

Calls are counted for each app and method, in windows of a minute: 1000 GET, 200 POST, 200 PATCH, 100 DELETE. Those of OAuth count for the
address they come from: 20 a minute, registrations and rotations 10 an hour. An operator may change these numbers. Each answer says what is left.

## Webhooks

A webhook has your server told of changes, at least once and in no order: tell repetitions by the envelope's \`id\`. What is sent is under Events.

## Language models

\`${issuer}/mcp\` offers this workspace to programs with language models, by the Model Context Protocol. That protocol describes it; it is no part of this document.
`
}
