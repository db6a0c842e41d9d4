import type { Actor, Crm } from '@sales-crm/core'
import { readJsonValue } from '../http/json-body.ts'
import { serializeError } from '../observability/redaction.ts'
import type { ServiceLog } from '../observability/service-log.ts'
import { findTool, TOOLS } from './all-tools.ts'
import { explainInvalidParams } from './invalid-params.ts'
import { respondToRpcBatch, rpcBatchProblem } from './rpc-batch.ts'
import { RPC_CODES, rpcError } from './rpc-errors.ts'
import type { Arguments, Tool } from './tool.ts'
import type { Caller, ToolsCall } from './types.ts'

interface HandlerOptions {
  readonly crm: Crm
  readonly log: Pick<ServiceLog, 'error'>
  /** Responds to a call whose token lacks some of the scopes. */
  insufficientScope(scopes: readonly string[]): Response
}

/** Handles the JSON-RPC message of a call, or each message of a batch. */
export async function handleMessages(
  { request, body, actor, requestId, countAdditionalCalls, noteTool }: ToolsCall,
  { crm, log, insufficientScope }: HandlerOptions,
): Promise<Response> {
  const value = await readJsonValue(body)
  const problem = Array.isArray(value) ? rpcBatchProblem(value, request) : undefined
  if (problem !== undefined) return rpcError(400, RPC_CODES.invalidRequest, problem)
  const messages = (Array.isArray(value) ? value : [value]).map(withArguments)
  const calls = messages.map(parseToolCall)
  const names = calls.flatMap((call) => call?.tool.name ?? [])
  if (names.length > 0) noteTool(names.join(' '))
  if (messages.length > 1) await countAdditionalCalls(messages.length - 1)
  const requiredScopes = calls
    .map((call) => scopesToRequest(actor, call))
    .find((scopes) => scopes !== undefined)
  if (requiredScopes) return insufficientScope(requiredScopes)

  // The protocol library is the largest module, so it is loaded after the checks that may reject the call.
  const { handleMessage } = await import('./mcp-server.ts')
  const reportError = (thrown: unknown) =>
    log.error({ request_id: requestId, err: serializeError(thrown) }, 'A tool failed unexpectedly.')
  const caller: Caller = { crm, actor, reportError }
  const respondTo = (index: number) =>
    handleMessage(request, messages[index], { caller, tools: visibleTools(actor, calls[index]) })
  return Array.isArray(value) ? respondToRpcBatch(messages, respondTo) : withExplanation(await respondTo(0))
}

/** Some clients send null for a tool without arguments. */
function withArguments(message: unknown): unknown {
  const { method, params } = Object(message) as { readonly method?: unknown; readonly params?: unknown }
  if (method !== 'tools/call' || (params as { readonly arguments?: unknown } | null)?.arguments !== null)
    return message
  return { ...(message as object), params: { ...(params as object), arguments: {} } }
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

/** All scopes that the call needs, if the token lacks one of them; `undefined` if it has all. */
function scopesToRequest({ scopes }: Actor, call: ToolInvocation | undefined): readonly string[] | undefined {
  const requiredScopes = call?.tool.requiredScopes(call.args, scopes) ?? []
  return requiredScopes.every((scope) => scopes.has(scope)) ? undefined : [...new Set(requiredScopes)]
}

/** The called tool, or, for any other message, all tools that the scopes allow to some extent. */
function visibleTools({ scopes }: Actor, call: ToolInvocation | undefined): readonly Tool[] {
  return call ? [call.tool] : TOOLS.filter((tool) => tool.input(scopes) !== undefined)
}

async function withExplanation(response: Response): Promise<Response> {
  const [text, type] = [explainInvalidParams(await response.text()), response.headers.get('Content-Type')]
  const headers = type === null ? {} : { 'Content-Type': type }
  return new Response(text === '' ? null : text, { status: response.status, headers })
}
