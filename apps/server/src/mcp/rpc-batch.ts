import { setImmediate as yieldToEventLoop } from 'node:timers/promises'
import { explainInvalidParams } from './invalid-params.ts'
import { RPC_CODES } from './rpc-errors.ts'

/** The only protocol revision with batches. A client that names no revision uses it. */
const BATCH_PROTOCOL_VERSION = '2025-03-26'
const MAX_MESSAGES = 20
/** Limit on the responses to a batch, exceeded by the last one at most. Later messages are not handled. */
const MAX_RESPONSE_CHARACTERS = 8_000_000

/** Returns the message for an invalid JSON-RPC batch; `undefined` for a valid one. */
export function rpcBatchProblem(batch: readonly unknown[], request: Request): string | undefined {
  const version = request.headers.get('MCP-Protocol-Version') ?? BATCH_PROTOCOL_VERSION
  if (version !== BATCH_PROTOCOL_VERSION)
    return 'Invalid Request: this protocol version knows no batches. Send one message at a time.'
  if (batch.some(Array.isArray)) return 'Invalid Request: a batch holds messages, and no batches.'
  if (batch.length > 0 && batch.length <= MAX_MESSAGES) return undefined
  return `Invalid Request: a batch must hold between 1 and ${MAX_MESSAGES} messages.`
}

/** Handles the messages in order, and yields to the event loop before each. */
export async function respondToRpcBatch(
  messages: readonly unknown[],
  respondTo: (index: number) => Promise<Response>,
): Promise<Response> {
  const texts: string[] = []
  let characters = 0
  for (const [index, message] of messages.entries()) {
    await yieldToEventLoop()
    const text =
      characters < MAX_RESPONSE_CHARACTERS
        ? explainInvalidParams(await (await respondTo(index)).text())
        : skippedMessage(message)
    if (text !== '') texts.push(text)
    characters += text.length
  }
  return texts.length > 0
    ? new Response(`[${texts.join(',')}]`, { headers: { 'Content-Type': 'application/json' } })
    : new Response(null, { status: 202 })
}

/** The error for a request that was not handled. Empty for a notification, which has no effect here. */
function skippedMessage(message: unknown): string {
  const { id } = Object(message) as { readonly id?: unknown }
  if (id === undefined) return ''
  const error = {
    code: RPC_CODES.server,
    message: 'Not done: the answers to this batch are too large. Send this message again by itself.',
  }
  return JSON.stringify({ jsonrpc: '2.0', id, error })
}
