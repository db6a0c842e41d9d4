import { RPC_CODES } from './rpc-errors.ts'

/** An issue of the validator that the protocol library uses. */
interface Issue {
  readonly path: readonly (string | number)[]
  readonly message: string
  readonly expected?: string
}

interface RpcErrorResponse {
  readonly error: { readonly message: string }
}

/** The start of an error whose message is a list of issues as JSON, after a prefix for some methods. */
const LISTED_ISSUES = /"error":\{"code":-3260[23],"message":"[^"[]*\[\\n/
const MAX_ISSUES = 10

const RULES: Readonly<Record<string, string>> = {
  array: 'Must be an array.',
  boolean: 'Must be true or false.',
  number: 'Must be a number.',
  object: 'Must be an object.',
  record: 'Must be an object.',
  string: 'Must be a string.',
}

/**
 * Replaces the issues that the protocol library lists as JSON, under the code of an internal error for some
 * methods, by sentences. Returns any other response unchanged.
 */
export function explainInvalidParams(responseText: string): string {
  if (!LISTED_ISSUES.test(responseText)) return responseText
  const response = JSON.parse(responseText) as Partial<RpcErrorResponse>
  const { message = '' } = response.error ?? {}
  const issues = parseIssues(message.slice(message.indexOf('[')))
  if (!issues) return responseText
  const sentences = issues.slice(0, MAX_ISSUES).map((issue) => `${formatPath(issue.path)}: ${ruleOf(issue)}`)
  const error = { code: RPC_CODES.invalidParams, message: ['Invalid params.', ...sentences].join(' ') }
  return JSON.stringify({ ...response, error })
}

function parseIssues(text: string): readonly Issue[] | undefined {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function formatPath(path: Issue['path']): string {
  return path.reduce<string>((text, key) => {
    if (typeof key === 'number') return `${text}[${key}]`
    return text === '' ? key : `${text}.${key}`
  }, '')
}

function ruleOf({ message, expected = '' }: Issue): string {
  if (message.endsWith('received undefined')) return 'Required.'
  return RULES[expected] ?? `${message}.`
}
