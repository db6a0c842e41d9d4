interface Answer {
  readonly status: number
  readonly json: unknown
}

export interface ApiRecord {
  readonly id: string
  readonly [field: string]: unknown
}

/** Calls the API as the owner of the workspace. */
export class ApiCaller {
  readonly #base: string
  readonly #token: string

  constructor(port: number, token: string) {
    this.#base = `http://127.0.0.1:${port}`
    this.#token = token
  }

  /** @throws Error for any status but a 2xx, or a 422, since not every filter applies to every report */
  async get(path: string): Promise<void> {
    await this.#expect('GET', path, undefined, [200, 422])
  }

  async readJson(path: string): Promise<unknown> {
    return (await this.#expect('GET', path, undefined, [200])).json
  }

  async readPage(path: string): Promise<readonly ApiRecord[]> {
    return ((await this.readJson(path)) as { readonly data: readonly ApiRecord[] }).data
  }

  /** @param statuses those that the call may be answered with */
  async write(
    method: 'POST' | 'PATCH' | 'DELETE',
    path: string,
    body?: unknown,
    statuses: readonly number[] = [200, 201, 204],
  ): Promise<ApiRecord> {
    const { json } = await this.#expect(method, path, body, statuses)
    return (json as { readonly data: ApiRecord } | undefined)?.data ?? { id: '' }
  }

  async #expect(method: string, path: string, body: unknown, statuses: readonly number[]): Promise<Answer> {
    const response = await fetch(`${this.#base}${path}`, {
      method,
      headers: {
        Authorization: `Bearer ${this.#token}`,
        ...(body !== undefined && { 'Content-Type': 'application/json' }),
      },
      ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    })
    const text = await response.text()
    if (!statuses.includes(response.status))
      throw new Error(`${method} ${path} was answered ${response.status}: ${text.slice(0, 300)}`)
    return { status: response.status, json: text === '' || !isJson(response) ? undefined : JSON.parse(text) }
  }
}

/** Exports are CSV. */
function isJson({ headers }: Response): boolean {
  return headers.get('Content-Type')?.startsWith('application/json') ?? false
}
