import { setImmediate as yieldToEventLoop } from 'node:timers/promises'
import type { Actor } from '@sales-crm/core'
import { serializeError } from '../http/errors.ts'
import { readJsonValue } from '../http/request-body.ts'
import type { HttpResponse } from '../http/response.ts'
import { findTool, TOOLS } from './all-tools.ts'
import type { ToolsCall, ToolsOptions } from './endpoint.ts'
import { type createRejections, RPC_CODES, rpcError } from './rpc-errors.ts'
import type { Arguments, Caller, Tool } from './tool.ts'

/** The one revision that knows batches; a program that names none speaks it. */
const BATCH_PROTOCOL_VERSION = '2025-03-26'
const MAX_MESSAGES = 20
/** Characters that the answers to a batch have together, give or take the last of them. What comes after is not done. */
const MAX_RESPONSE_CHARACTERS = 8_000_000

type HandlerOptions = Pick<ToolsOptions, 'crm' | 'log'> & Pick<ReturnType<typeof createRejections>, 'lacking'>

/** Answers the message that a call sent, or each of a batch. */
export async function handleMessages(
  { request, actor, requestId, countAdditionalCalls: countMore, noteTool: note }: ToolsCall,
  { crm, log, lacking }: HandlerOptions,
): Promise<HttpResponse> {
  const body = await readJsonValue(request)
  const problem = Array.isArray(body) ? batchProblem(body, request) : undefined
  if (problem !== undefined) return rpcError(400, RPC_CODES.invalidRequest, problem)
  const messages: readonly unknown[] = Array.isArray(body) ? body : [body]
  const calls = messages.map(parseToolCall)
  const names = calls.flatMap((call) => call?.tool.name ?? [])
  if (names.length > 0) note(names.join(' '))
  if (messages.length > 1) await countMore(messages.length - 1)
  const requiredScopes = calls
    .map((call) => scopesToRequest(actor, call))
    .find((scopes) => scopes !== undefined)
  if (requiredScopes) return lacking(requiredScopes)

  // The protocol's library is the largest part, and who is refused need not wait for it.
  const { handleMessage: serve } = await import('./mcp-server.ts')
  const reportError = (thrown: unknown) =>
    log.error({ request_id: requestId, err: serializeError(thrown) }, 'A tool failed unexpectedly.')
  const caller: Caller = { crm, actor, reportError }
  const respondTo = (index: number) =>
    serve(request, messages[index], { caller, tools: visibleTools(actor, calls[index]) })
  return Array.isArray(body) ? respondToBatch(messages, respondTo) : toHttpResponse(await respondTo(0))
}

interface ToolInvocation {
  readonly tool: Tool
  readonly args: Arguments
}

function parseToolCall(message: unknown): ToolInvocation | undefined {
  const { method, params } = Object(message) as { readonly method?: unknown; readonly params?: unknown }
  const { name, arguments: args } = Object(params) as {
    readonly name?: unknown
    readonly arguments?: unknown
  }
  const tool = method === 'tools/call' ? findTool(name) : undefined
  return tool && { tool, args: Object(args) as Arguments }
}

/** Every scope that a call takes, where the token lacks one of them. */
function scopesToRequest({ scopes }: Actor, call: ToolInvocation | undefined): readonly string[] | undefined {
  const requiredScopes = call?.tool.requiredScopes(call.args, scopes) ?? []
  return requiredScopes.every((scope) => scopes.has(scope)) ? undefined : [...new Set(requiredScopes)]
}

/** The tool alone that a message calls; for any other message all tools of which the scopes open something. */
function visibleTools({ scopes }: Actor, call: ToolInvocation | undefined): readonly Tool[] {
  return call ? [call.tool] : TOOLS.filter((tool) => tool.input(scopes) !== undefined)
}

function batchProblem(batch: readonly unknown[], request: Request): string | undefined {
  const version = request.headers.get('MCP-Protocol-Version') ?? BATCH_PROTOCOL_VERSION
  if (version !== BATCH_PROTOCOL_VERSION)
    return 'Invalid Request: this protocol version knows no batches. Send one message at a time.'
  if (batch.some(Array.isArray)) return 'Invalid Request: a batch holds messages, and no batches.'
  if (batch.length > 0 && batch.length <= MAX_MESSAGES) return undefined
  return `Invalid Request: a batch must hold between 1 and ${MAX_MESSAGES} messages.`
}

/** One after the other, as they were sent, and between them whoever else has called. */
async function respondToBatch(
  messages: readonly unknown[],
  respondTo: (index: number) => Promise<Response>,
): Promise<HttpResponse> {
  const texts: string[] = []
  let characters = 0
  for (const [index, message] of messages.entries()) {
    await yieldToEventLoop()
    const text =
      characters < MAX_RESPONSE_CHARACTERS ? await (await respondTo(index)).text() : skippedMessage(message)
    if (text !== '') texts.push(text)
    characters += text.length
  }
  return texts.length > 0
    ? { status: 200, raw: `[${texts.join(',')}]`, headers: { 'Content-Type': 'application/json' } }
    : { status: 202 }
}

/** Of what asks for an answer. Nothing else that a program sends does anything. */
function skippedMessage(message: unknown): string {
  const { id } = Object(message) as { readonly id?: unknown }
  if (id === undefined) return ''
  const error = {
    code: RPC_CODES.server,
    message: 'Not done: the answers to this batch are too large. Send this message again by itself.',
  }
  return JSON.stringify({ jsonrpc: '2.0', id, error })
}

async function toHttpResponse(response: Response): Promise<HttpResponse> {
  const [text, type] = [await response.text(), response.headers.get('Content-Type')]
  const status = response.status as HttpResponse['status']
  return text === ''
    ? { status }
    : { status, raw: text, headers: type === null ? {} : { 'Content-Type': type } }
}
