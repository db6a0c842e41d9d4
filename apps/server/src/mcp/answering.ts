import { setImmediate as othersTurn } from 'node:timers/promises'
import type { Actor } from '@sales-crm/core'
import type { Reply } from '../answer.ts'
import { readJsonValue } from '../body.ts'
import { failureOf } from '../errors.ts'
import type { ToolsCall, ToolsOptions } from './endpoint.ts'
import { RPC, type refusalsAt, rpcError } from './refusals.ts'
import type { Arguments, Caller, Tool } from './tool.ts'
import { TOOLS, toolNamed } from './tools.ts'

/** The one revision that knows batches; a program that names none speaks it. */
const WITH_BATCHES = '2025-03-26'
const MOST_MESSAGES = 20

type With = Pick<ToolsOptions, 'crm' | 'log'> & Pick<ReturnType<typeof refusalsAt>, 'lacking'>

/** Answers the message that a call sent, or each of a batch. */
export async function answerTo({ request, actor, requestId, countMore, note }: ToolsCall, { crm, log, lacking }: With): Promise<Reply> {
  const body = await readJsonValue(request)
  const fault = Array.isArray(body) ? faultOf(body, request) : undefined
  if (fault !== undefined) return rpcError(400, RPC.invalidRequest, fault)
  const messages: readonly unknown[] = Array.isArray(body) ? body : [body]
  const called = messages.map(toolCalledBy)
  const names = called.flatMap((each) => each?.tool.name ?? [])
  if (names.length > 0) note(names.join(' '))
  if (messages.length > 1) await countMore(messages.length - 1)
  const needed = called.map((each) => lackedBy(actor, each)).find((scopes) => scopes !== undefined)
  if (needed) return lacking(needed)

  // The protocol's library is the largest part, and who is refused need not wait for it.
  const { serve } = await import('./serving.ts')
  const unexpected = (thrown: unknown) => log.error({ request_id: requestId, err: failureOf(thrown) }, 'A tool failed unexpectedly.')
  const caller: Caller = { crm, actor, unexpected }
  const answered = (index: number) => serve(request, messages[index], { caller, tools: toolsFor(actor, called[index]) })
  return Array.isArray(body) ? replyToAll(messages.map((_, index) => () => answered(index))) : replyOf(await answered(0))
}

interface Called {
  readonly tool: Tool
  readonly args: Arguments
}

function toolCalledBy(message: unknown): Called | undefined {
  const { method, params } = Object(message) as { readonly method?: unknown; readonly params?: unknown }
  const { name, arguments: args } = Object(params) as { readonly name?: unknown; readonly arguments?: unknown }
  const tool = method === 'tools/call' ? toolNamed(name) : undefined
  return tool && { tool, args: Object(args) as Arguments }
}

/** What a call takes, where the token does not hold all of it. */
function lackedBy({ scopes }: Actor, called: Called | undefined): readonly string[] | undefined {
  const needed = called?.tool.needs(called.args, scopes) ?? []
  return needed.every((scope) => scopes.has(scope)) ? undefined : [...new Set(needed)]
}

/** A call needs the tool it calls alone; whatever else is asked is asked of those that are open. */
function toolsFor({ scopes }: Actor, called: Called | undefined): readonly Tool[] {
  return called ? [called.tool] : TOOLS.filter((tool) => tool.input(scopes) !== undefined)
}

function faultOf(batch: readonly unknown[], request: Request): string | undefined {
  const version = request.headers.get('MCP-Protocol-Version') ?? WITH_BATCHES
  if (version !== WITH_BATCHES) return 'Invalid Request: this protocol version knows no batches. Send one message at a time.'
  if (batch.some(Array.isArray)) return 'Invalid Request: a batch holds messages, and no batches.'
  if (batch.length > 0 && batch.length <= MOST_MESSAGES) return undefined
  return `Invalid Request: a batch must hold between 1 and ${MOST_MESSAGES} messages.`
}

/** One after the other, as they were sent, and between them whoever else has called. */
async function replyToAll(messages: readonly (() => Promise<Response>)[]): Promise<Reply> {
  const bodies: unknown[] = []
  for (const answered of messages) {
    await othersTurn()
    const response = await answered()
    const text = await response.text()
    if (text !== '') bodies.push(JSON.parse(text))
  }
  return bodies.length > 0 ? { status: 200, body: bodies } : { status: 202 }
}

async function replyOf(response: Response): Promise<Reply> {
  const [text, type] = [await response.text(), response.headers.get('Content-Type')]
  const status = response.status as Reply['status']
  return text === '' ? { status } : { status, raw: text, headers: type === null ? {} : { 'Content-Type': type } }
}
