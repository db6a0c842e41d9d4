import type { AccessTokens } from './access-tokens.ts'
import type { TimelineMeta } from './api-types.ts'
import { type CallOptions, checkCallOptions } from './call-options.ts'
import { CrmApiError } from './errors.ts'
import type { HttpCall, HttpClient } from './http-client.ts'
import {
  cursors,
  type Page,
  PagedList,
  type PageRequest,
  type Paging,
  pageNumbers,
  type RecordList,
} from './record-list.ts'

/** Sends authorized calls below `/v1/` and removes the `data` envelope of records. */
export class RecordCalls {
  readonly #http: HttpClient
  readonly #tokens: AccessTokens | undefined

  constructor(http: HttpClient, tokens: AccessTokens | undefined) {
    this.#http = http
    this.#tokens = tokens
  }

  list<Item>(path: string, query?: object, options?: CallOptions): RecordList<Item> {
    return this.#pagedList(path, query, options, pageNumbers)
  }

  timeline<Item>(path: string, query?: object, options?: CallOptions): RecordList<Item, TimelineMeta> {
    return this.#pagedList(path, query, options, cursors)
  }

  #pagedList<Item, Meta>(
    path: string,
    query: object = {},
    options: CallOptions = {},
    paging: Paging<Meta>,
  ): RecordList<Item, Meta> {
    checkCallOptions(options)
    const fetchPage = async (page: PageRequest): Promise<Page<Item, Meta>> => {
      const body = await this.#send({
        method: 'GET',
        path,
        query: encodeQuery({ ...query, ...page }),
        isRepeatable: true,
        ...options,
      })
      if (!isPage<Item, Meta>(body)) throw missingPart('data and meta', path)
      return body
    }
    return new PagedList(query, paging, fetchPage)
  }

  export<T>(path: string, query: object, options: CallOptions): AsyncGenerator<T, void, undefined> {
    const lines = this.#http.sendForLines(exportCall(path, query, options), this.#tokens)
    return lines as AsyncGenerator<T, void, undefined>
  }

  exportText(path: string, options: CallOptions): AsyncGenerator<string, void, undefined> {
    return this.#http.sendForText(exportCall(path, {}, options), this.#tokens)
  }

  async get<T>(path: string, options: CallOptions = {}, query: object = {}): Promise<T> {
    checkCallOptions(options)
    const call = { method: 'GET', path, query: encodeQuery(query), isRepeatable: true } as const
    return this.#sendForRecord({ ...call, ...options })
  }

  /** Returns a file of this type. */
  async getBytes(path: string, type: string, options: CallOptions = {}): Promise<Uint8Array<ArrayBuffer>> {
    checkCallOptions(options)
    const call = { method: 'GET', path: `/v1/${path}`, isRepeatable: true, ...options } as const
    return this.#http.sendForBytes(call, this.#tokens, type)
  }

  /** A call that is not repeatable is repeated only if the service rejected it. */
  async post<T>(
    path: string,
    input: unknown,
    options: CallOptions = {},
    idempotencyKey?: string,
    isRepeatable = idempotencyKey !== undefined,
  ): Promise<T> {
    checkCallOptions(options, idempotencyKey !== undefined)
    return this.#sendForRecord({
      ...writeCall('POST', path, input, options),
      isRepeatable,
      ...keyHeaders(idempotencyKey),
    })
  }

  async patch<T>(
    path: string,
    changes: unknown,
    options: CallOptions = {},
    { isRepeatable }: Pick<HttpCall, 'isRepeatable'>,
    idempotencyKey?: string,
  ): Promise<T> {
    checkCallOptions(options, idempotencyKey !== undefined)
    return this.#sendForRecord({
      ...writeCall('PATCH', path, changes, options),
      isRepeatable,
      ...keyHeaders(idempotencyKey),
    })
  }

  async put<T>(path: string, input: unknown, options: CallOptions = {}): Promise<T> {
    checkCallOptions(options)
    return this.#sendForRecord({ ...writeCall('PUT', path, input, options), isRepeatable: true })
  }

  /** For a call without input, whose response has no body. Executing it twice must be no worse than executing it once. */
  async putNothing(path: string, options: CallOptions = {}): Promise<void> {
    checkCallOptions(options)
    await this.#send({ method: 'PUT', path, isRepeatable: true, ...options })
  }

  /** Sends bytes. Executing the call twice must be no worse than executing it once. */
  async putBytes<T>(
    path: string,
    body: NonNullable<HttpCall['body']>,
    options: CallOptions,
    query: object,
  ): Promise<T> {
    checkCallOptions(options)
    const call = { method: 'PUT', path, query: encodeQuery(query), isRepeatable: true } as const
    return this.#sendForRecord({ ...call, headers: BYTES_HEADERS, body, ...options })
  }

  async delete(path: string, options: CallOptions = {}, query: object = {}): Promise<void> {
    checkCallOptions(options)
    const call = { method: 'DELETE', path, query: encodeQuery(query), isRepeatable: true } as const
    await this.#send({ ...call, ...options })
  }

  /** For a deletion whose response says what was deleted. */
  async deleteForResult<T>(path: string, options: CallOptions = {}): Promise<T> {
    checkCallOptions(options)
    return this.#sendForRecord({ method: 'DELETE', path, isRepeatable: false, ...options })
  }

  /** Sends a call whose response has `meta` beside its `data`, and returns both. */
  async sendForAll<T extends { readonly data: unknown; readonly meta: unknown }>(
    method: 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE',
    path: string,
    input: unknown,
    options: CallOptions = {},
    idempotencyKey?: string,
  ): Promise<T> {
    checkCallOptions(options, idempotencyKey !== undefined)
    const body = await this.#send({
      ...(input === undefined ? { method, path, ...options } : writeCall(method, path, input, options)),
      isRepeatable: method === 'GET' || method === 'PUT' || idempotencyKey !== undefined,
      ...keyHeaders(idempotencyKey),
    })
    if (!hasData(body) || !('meta' in body)) throw missingPart('data and meta', path)
    return body as T
  }

  async #sendForRecord<T>(call: HttpCall): Promise<T> {
    const body = await this.#send(call)
    if (!hasData<T>(body)) throw missingPart('data', call.path)
    return body.data
  }

  #send(call: HttpCall): Promise<unknown> {
    return this.#http.send({ ...call, path: `/v1/${call.path}` }, this.#tokens)
  }
}

/** The service makes all of an export before its response begins. */
const EXPORT_TIMEOUT_MS = 600_000
const JSON_HEADERS = { 'Content-Type': 'application/json' }
const BYTES_HEADERS = { 'Content-Type': 'application/octet-stream' }

function keyHeaders(key: string | undefined): Pick<HttpCall, 'headers'> {
  return key === undefined ? {} : { headers: { ...JSON_HEADERS, 'Idempotency-Key': key } }
}

function writeCall(method: HttpCall['method'], path: string, body: unknown, options: CallOptions) {
  const { signal, timeoutMs, maxOutageMs, keepalive } = options
  const request = { method, path, headers: JSON_HEADERS, body: JSON.stringify(body) }
  return { ...request, signal, timeoutMs, maxOutageMs, keepalive }
}

function exportCall(path: string, query: object, options: CallOptions): HttpCall {
  checkCallOptions(options)
  const call = { method: 'GET', path: `/v1/${path}`, query: encodeQuery(query), isRepeatable: true } as const
  return { ...call, timeoutMs: EXPORT_TIMEOUT_MS, ...options }
}

function encodeQuery(query: object): string {
  const entries = Object.entries(query)
    .filter(([, value]) => value !== undefined && value !== null)
    .map(([name, value]) => [name, typeof value === 'object' ? JSON.stringify(value) : value])
  return entries.length === 0 ? '' : `?${new URLSearchParams(entries)}`
}

function hasData<T>(body: unknown): body is { readonly data: T } {
  return typeof body === 'object' && body !== null && 'data' in body
}

function isPage<Item, Meta>(body: unknown): body is Page<Item, Meta> {
  return hasData(body) && Array.isArray(body.data) && 'meta' in body
}

function missingPart(part: string, path: string): CrmApiError {
  return new CrmApiError(`The response to /v1/${path} has no ${part}: it is not one of the service.`, {
    status: 200,
  })
}
