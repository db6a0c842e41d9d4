import { type Envelope, parseEnvelope } from './delivery.ts'
import { type ReceiverOptions, type ReceiverSettings, validateOptions } from './receiver-options.ts'
import { readBody } from './request-body.ts'
import { createVerifier, parseSignature } from './signature.ts'

/** Receives deliveries. The adapters hand requests to it. */
export interface Receiver {
  /**
   * Verifies a delivery, processes it unless its id was processed before, and returns the response:
   * 200 when processed, processed before, or without a handler; 401 for a missing or wrong signature;
   * 413 for a body over `maxBytes`; 405 for another method; 400 for a body that is incomplete or no event;
   * 500 when the handler or the store fails, after which the service delivers again.
   * @throws Error if something else has read the body: the signature covers its bytes as received
   */
  receive(request: Pick<Request, 'method' | 'headers' | 'body' | 'bodyUsed'>): Promise<Response>
}

/**
 * Creates a receiver of webhook deliveries.
 * @throws TypeError for an option that breaks a rule
 */
export function createReceiver<Transaction>(options: ReceiverOptions<Transaction>): Receiver {
  const settings = validateOptions(options)
  const verify = createVerifier(settings.secrets)

  return {
    async receive({ method, headers, body: stream, bodyUsed }) {
      if (method !== 'POST') return methodNotAllowed()
      if (bodyUsed)
        throw new Error(
          'The body of the webhook request was already read. Mount the receiver before the body parser, ' +
            'or pass it the bytes as received.',
        )
      const signature = parseSignature(headers.get('webhook-signature'))
      if (!signature) return invalidSignature()
      const body = await readBody(stream, settings.maxBytes)
      if (body === 'aborted') return respondError(400, 'bad_request', 'The request body is incomplete.')
      if (body === 'too_large')
        return respondError(413, 'body_too_large', `The body exceeds ${settings.maxBytes} bytes.`)
      if (!(await verify(signature, body))) return invalidSignature()
      const event = parseEnvelope(body)
      return event
        ? processEvent(event, settings)
        : respondError(400, 'bad_request', 'The body must be a JSON object with an id and an event.')
    },
  }
}

async function processEvent<Transaction>(
  event: Envelope,
  { store, findHandler, onError }: ReceiverSettings<Transaction>,
): Promise<Response> {
  const handler = findHandler(event.event)
  if (!handler) return Response.json({ status: 'ignored' })
  try {
    const isNew = await store.runOnce(event.id, async (transaction) => {
      await handler(event, { transaction })
    })
    return Response.json({ status: isNew ? 'processed' : 'duplicate' })
  } catch (error) {
    onError(error, event)
    return respondError(500, 'internal_error', 'The event was not processed.')
  }
}

function methodNotAllowed(): Response {
  return respondError(405, 'method_not_allowed', 'Deliveries are sent with POST.', { Allow: 'POST' })
}

function invalidSignature(): Response {
  return respondError(401, 'unauthorized', 'Missing or invalid Webhook-Signature header.')
}

function respondError(
  status: number,
  code: string,
  message: string,
  headers: Readonly<Record<string, string>> = {},
): Response {
  return Response.json({ error: { code, message } }, { status, headers })
}
