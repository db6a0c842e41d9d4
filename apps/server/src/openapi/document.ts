import { SCOPES } from '@sales-crm/core'
import { isDocumented, type Route } from '../http/routes/route.ts'
import { componentSchemas } from './component-schemas.ts'
import { errorExamples } from './error-responses.ts'
import { EVENT_PARAMETERS, eventOperations } from './event-operations.ts'
import { introduction } from './introduction.ts'
import type { JsonSchemas } from './json-schema.ts'
import { OPERATION_TAGS } from './operation-tags.ts'
import { sharedParameters } from './parameters.ts'
import { pathItems } from './path-items.ts'
import { RESPONSE_HEADERS } from './response-headers.ts'
import { scopeDescriptions } from './scope-descriptions.ts'

type Json = Readonly<Record<string, unknown>>

export interface OpenApiDocument {
  readonly openapi: '3.1.0'
  readonly info: Json
  readonly servers: readonly Json[]
  readonly paths: Readonly<Record<string, Readonly<Record<string, Json>>>>
  readonly webhooks: Readonly<Record<string, { readonly post: Json }>>
  readonly components: { readonly schemas: JsonSchemas } & Readonly<Record<string, Json>>
  readonly [part: string]: unknown
}

export interface DocumentOptions {
  /** Public URL of the service. */
  readonly issuer: string
  readonly version: string
  /** Whether the service has tools for language models. */
  readonly hasTools: boolean
}

/**
 * Builds the document from the routes that the service has.
 * @throws Error for a field or parameter without a description
 */
export function openapiDocument(
  allRoutes: readonly Route[],
  { issuer, version, hasTools }: DocumentOptions,
): OpenApiDocument {
  const routes = allRoutes.filter(isDocumented)
  const serves = (path: string) => allRoutes.some((route) => route.path === path)
  const hasOAuth = serves('/oauth/authorize')
  const sendsEvents = serves('/v1/webhooks')
  const usedTags = new Set<string>(routes.map(({ operation }) => operation.tag))
  if (sendsEvents) usedTags.add('Events')
  const responses = new Map<string, Json>()
  const paths = pathItems(routes, responses, hasOAuth)
  return {
    openapi: '3.1.0',
    info: {
      title: 'Sales CRM',
      version,
      summary: 'REST API of a multi-tenant sales CRM.',
      description: introduction(issuer, { hasOAuth, hasTools }),
      license: { name: 'MIT', identifier: 'MIT' },
    },
    externalDocs: { description: 'API reference and getting started guide', url: `${issuer}/docs` },
    servers: [{ url: issuer, description: 'This service' }],
    tags: Object.entries(OPERATION_TAGS)
      .filter(([name]) => usedTags.has(name))
      .map(([name, description]) => ({ name, description })),
    paths: paths as OpenApiDocument['paths'],
    webhooks: (sendsEvents ? eventOperations() : {}) as OpenApiDocument['webhooks'],
    components: {
      schemas: componentSchemas(
        routes.map(({ operation }) => operation),
        issuer,
      ),
      responses: Object.fromEntries(responses),
      parameters: { ...sharedParameters(), ...EVENT_PARAMETERS },
      examples: errorExamples(routes),
      headers: RESPONSE_HEADERS,
      securitySchemes: hasOAuth ? oauthSchemes(issuer) : { bearer: HOST_TOKEN },
    },
  }
}

/** Without OAuth, the application that serves the API authenticates the calls. */
const HOST_TOKEN = {
  type: 'http',
  scheme: 'bearer',
  description: 'A token of the application that serves this API, if it uses tokens.',
}

function oauthSchemes(issuer: string): Json {
  return {
    oauth2: {
      type: 'oauth2',
      description: 'An access token that a user granted to an app.',
      flows: {
        authorizationCode: {
          authorizationUrl: `${issuer}/oauth/authorize`,
          tokenUrl: `${issuer}/oauth/token`,
          refreshUrl: `${issuer}/oauth/token`,
          scopes: scopeDescriptions(SCOPES),
        },
      },
    },
    bearer: {
      type: 'http',
      scheme: 'bearer',
      bearerFormat: 'JWT',
      description: 'An existing access token with its scopes.',
    },
    client: {
      type: 'http',
      scheme: 'basic',
      description: "An app's `client_id` and `client_secret`, if they are not in the body.",
    },
  }
}
