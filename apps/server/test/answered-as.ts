import { type Answered, answers, errorAnswer, listAnswer, oneAnswer } from '@sales-crm/core'
import * as v from 'valibot'

interface Call {
  readonly method: string
  readonly path: string
}

/** @throws Error when a call below `/v1` was answered otherwise than the core says of its kind: with a field more, for one */
export function mustBeAnswered({ method, path }: Call, status: number, json: unknown): void {
  const expected = status < 400 ? schemaOf(method, path) : errorOf(path)
  if (expected === undefined || json === undefined) return
  const { issues } = v.safeParse(expected, json)
  if (issues) throw new Error(`${method} ${path} was answered with ${status}: ${issues.map(said).join(' ')}`)
}

function said(issue: v.BaseIssue<unknown>): string {
  return `${v.getDotPath(issue)}: ${issue.message}`
}

function errorOf(path: string): v.GenericSchema | undefined {
  return path.startsWith('/v1/') ? errorAnswer : undefined
}

function schemaOf(method: string, path: string): v.GenericSchema | undefined {
  const [, version, family = '', id, inner, innerId] = new URL(path, 'http://localhost').pathname.split('/')
  if (version !== 'v1') return undefined
  if (family === 'webhooks' && inner === 'test') return oneAnswer(answers.deliveries.detail)
  if (family === 'webhooks' && inner === 'deliveries') return answerFor('deliveries', method === 'GET' && innerId === undefined)
  if (!(family in answers) || inner !== undefined) return undefined
  return answerFor(family as Answered, method === 'GET' && id === undefined && family !== 'workspace')
}

function answerFor(kind: Answered, isList: boolean): v.GenericSchema {
  const { item, detail } = answers[kind]
  return isList ? listAnswer(item as v.GenericSchema) : oneAnswer(detail as v.GenericSchema)
}
