import {
  createMcpHandler,
  isLegacyRequest,
  McpServer,
  type StandardSchemaWithJSON,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server'
import { type JsonSchema, type OverrideActionContext, toJsonSchema } from '@valibot/to-json-schema'
import type * as v from 'valibot'
import { readManifest } from '../process/manifest.ts'
import { errorText, toCrmError } from './error-text.ts'
import type { Arguments, Tool } from './tool.ts'
import { ALL_TOOL_SCOPES } from './tool-scopes.ts'
import type { Caller } from './types.ts'

/** The caller of a message, and the tools that the server lists and runs for it. */
export interface MessageContext {
  readonly caller: Caller
  readonly tools: readonly Tool[]
}

const SERVER = { name: 'sales-crm', title: 'Sales CRM', version: readManifest().version }
const INSTRUCTIONS =
  'The sales CRM of one workspace: people, companies, deals in pipelines, tasks, activities, products.\n' +
  'Call get_context first, and describe_schema before you write records of a kind. ' +
  'Money is in minor units (cents). Instants are ISO 8601 with a time zone. ' +
  'A due or forecast date without a time of day is 23:59:00 in the time zone of the workspace.'

/** Cache lifetime of the tool list, which changes only with the token's scopes and the service's version. */
const LIST_TTL_MS = 300_000
const SERVER_OPTIONS = {
  capabilities: { tools: { listChanged: false } },
  instructions: INSTRUCTIONS,
  cacheHints: {
    'tools/list': { ttlMs: LIST_TTL_MS, cacheScope: 'private' },
    'server/discover': { ttlMs: LIST_TTL_MS, cacheScope: 'private' },
  },
} as const

/** Handles one message with a server of its own, so that no state is shared between callers. */
export async function handleMessage(
  request: Request,
  message: unknown,
  session: MessageContext,
): Promise<Response> {
  const isLegacy = await isLegacyRequest(request, message)
  if (isLegacy) return handleLegacyMessage(request, message, session)
  return createMcpHandler(() => createServer(session), { legacy: 'reject' }).fetch(request, {
    parsedBody: message,
  })
}

/** Handles revisions before 2026-07-28. Responds with JSON, not with a stream, since there is one message. */
async function handleLegacyMessage(
  request: Request,
  message: unknown,
  session: MessageContext,
): Promise<Response> {
  const server = createServer(session)
  const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true })
  await server.connect(transport)
  try {
    return await transport.handleRequest(request, { parsedBody: message })
  } finally {
    await server.close()
  }
}

function createServer({ caller, tools }: MessageContext): McpServer {
  const server = new McpServer(SERVER, SERVER_OPTIONS)
  for (const tool of tools) {
    const { name, title, description, hints, output } = tool
    const input = tool.input(caller.actor.scopes) ?? tool.input(ALL_TOOL_SCOPES)!
    const definition = {
      title,
      description,
      annotations: hints,
      inputSchema: toStandardSchema(input),
      ...(output && { outputSchema: toStandardSchema(output) }),
    }
    server.registerTool(name, definition, (args: unknown) => runTool(tool, caller, args as Arguments))
  }
  return server
}

/**
 * Limit on a result: more than any model reads. The result is sent twice, as text and as structured content.
 */
const MAX_RESULT_CHARACTERS = 2_000_000

async function runTool(tool: Tool, caller: Caller, args: Arguments) {
  try {
    if (tool.write) await enforceQuota(tool.write, caller, args)
    const { result, hasFailed = false } = await tool.run(caller, args)
    const text = JSON.stringify(result)
    if (text.length > MAX_RESULT_CHARACTERS)
      return { content: [textBlock(tooLargeMessage(tool))], isError: true }
    return { content: [textBlock(text)], structuredContent: result, ...(hasFailed && { isError: true }) }
  } catch (thrown) {
    return { content: [textBlock(errorText(toCrmError(thrown, caller)))], isError: true }
  }
}

/** @throws CrmError `forbidden` for a write to a full workspace */
function enforceQuota(kind: 'create' | 'update', { crm, actor }: Caller, args: Arguments): Promise<void> {
  return crm.workspace.enforceQuota(actor, { kind, bytes: JSON.stringify(args).length })
}

function tooLargeMessage({ hints }: Tool): string {
  const prefix = hints.readOnlyHint ? '' : 'It is done. '
  return (
    `${prefix}The answer has more than ${MAX_RESULT_CHARACTERS} characters. ` +
    'Ask for fewer records at once.'
  )
}

function textBlock(text: string) {
  return { type: 'text' as const, text }
}

/** Describes an object that the core validates as a plain `object`. */
function overrideSchema({ valibotSchema }: { readonly valibotSchema: { readonly type: string } }) {
  return valibotSchema.type === 'custom' ? { type: 'object' as const } : undefined
}

/** Merges metadata into the JSON Schema, for keywords that valibot cannot express. */
function overrideAction({ valibotAction, jsonSchema }: OverrideActionContext): JsonSchema | undefined {
  return valibotAction.type === 'metadata'
    ? { ...jsonSchema, ...(valibotAction as v.MetadataAction<unknown, Record<string, unknown>>).metadata }
    : undefined
}

/**
 * Converts a schema for display. Its validation accepts everything: the tool validates with better errors.
 */
function toStandardSchema(schema: v.GenericSchema): StandardSchemaWithJSON {
  const convert = (typeMode: 'input' | 'output') => () => {
    const { $schema, ...json } = toJsonSchema(schema, {
      typeMode,
      target: 'draft-2020-12',
      errorMode: 'ignore',
      overrideSchema,
      overrideAction,
    })
    return json as Record<string, unknown>
  }
  return {
    '~standard': {
      version: 1,
      vendor: 'sales-crm',
      validate: (value) => ({ value }),
      jsonSchema: { input: convert('input'), output: convert('output') },
    },
  }
}
