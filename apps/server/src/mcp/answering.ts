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
/** Characters that the answers to a batch have together, give or take the last of them. What comes after is not done. */
const MOST_CHARACTERS = 8_000_000

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
  const needed = called.map((each) => scopesToAskFor(actor, each)).find((scopes) => scopes !== undefined)
  if (needed) return lacking(needed)

  // The protocol's library is the largest part, and who is refused need not wait for it.
  const { serve } = await import('./serving.ts')
  const unexpected = (thrown: unknown) => log.error({ request_id: requestId, err: failureOf(thrown) }, 'A tool failed unexpectedly.')
  const caller: Caller = { crm, actor, unexpected }
  const answered = (index: number) => serve(request, messages[index], { caller, tools: toolsFor(actor, called[index]) })
  return Array.isArray(body) ? replyToAll(messages, answered) : replyOf(await answered(0))
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

/** Every scope that a call takes, where the token lacks one of them. */
function scopesToAskFor({ scopes }: Actor, called: Called | undefined): readonly string[] | undefined {
  const needed = called?.tool.needs(called.args, scopes) ?? []
  return needed.every((scope) => scopes.has(scope)) ? undefined : [...new Set(needed)]
}

/** The tool alone that a message calls; for any other message all tools of which the scopes open something. */
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
async function replyToAll(messages: readonly unknown[], answered: (index: number) => Promise<Response>): Promise<Reply> {
  const texts: string[] = []
  let characters = 0
  for (const [index, message] of messages.entries()) {
    await othersTurn()
    const text = characters < MOST_CHARACTERS ? await (await answered(index)).text() : leftOut(message)
    if (text !== '') texts.push(text)
    characters += text.length
  }
  return texts.length > 0 ? { status: 200, raw: `[${texts.join(',')}]`, headers: { 'Content-Type': 'application/json' } } : { status: 202 }
}

/** Of what asks for an answer. Nothing else that a program sends does anything. */
function leftOut(message: unknown): string {
  const { id } = Object(message) as { readonly id?: unknown }
  if (id === undefined) return ''
  const error = { code: RPC.server, message: 'Not done: the answers to this batch are too large. Send this message again by itself.' }
  return JSON.stringify({ jsonrpc: '2.0', id, error })
}

async function replyOf(response: Response): Promise<Reply> {
  const [text, type] = [await response.text(), response.headers.get('Content-Type')]
  const status = response.status as Reply['status']
  return text === '' ? { status } : { status, raw: text, headers: type === null ? {} : { 'Content-Type': type } }
}
