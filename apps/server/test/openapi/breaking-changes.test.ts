import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { buildDocument, type Json, ROOT, reachableSchemas } from '../support/openapi-document.ts'
import { breakingChanges } from './breaking-changes.ts'

const DOCUMENT: Json = JSON.parse(JSON.stringify(buildDocument()))

/** Few operations and events of it, and what they refer to, which are compared sooner. */
const PART = partWith(/^\/v1\/(workspace|tags|custom-fields)/, /^tag\./)

function partWith(paths: RegExp, events: RegExp): Json {
  const { paths: operations, webhooks, components = {}, ...rest } = DOCUMENT as Record<string, Json>
  const few = { paths: only(operations!, paths), webhooks: only(webhooks!, events) }
  const { responses, schemas = {}, ...others } = components as Record<string, Json>
  const names = reachableSchemas([few, responses], schemas)
  const reached = Object.fromEntries(Object.entries(schemas).filter(([name]) => names.has(name)))
  return { ...rest, ...few, components: { ...others, responses, schemas: reached } }
}

function only(all: Json, wanted: RegExp): Json {
  return Object.fromEntries(Object.entries(all).filter(([name]) => wanted.test(name)))
}

/** The copy as it was there; `undefined` where there is no such commit, no copy in it, or no git. */
function copyAt(commit: string): Json | undefined {
  try {
    const shown = execFileSync('git', ['show', `${commit}:docs/openapi.json`], {
      cwd: ROOT,
      maxBuffer: 1e8,
      stdio: ['ignore', 'pipe', 'ignore'],
    })
    return JSON.parse(shown.toString())
  } catch {
    return undefined
  }
}

function namedAsBreaking(): string {
  const [, unreleased = ''] = readFileSync(join(ROOT, 'CHANGELOG.md'), 'utf8').split(/^## /m)
  return unreleased.split(/^### /m).find((section) => section.startsWith('Breaking\n')) ?? ''
}

/** `PART` with a change somewhere in it. */
function withChange(path: readonly string[], change: (part: Json) => void): Json {
  const copy = structuredClone(PART)
  let part: Json = copy
  for (const step of path) part = part[step] as Json
  change(part)
  return copy
}

const inSchema = (name: string, change: (schema: Json) => void) =>
  withChange(['components', 'schemas', name], change)

function without(name: string) {
  return (schema: Json) => {
    delete (schema['properties'] as Json)[name]
    const { required } = schema
    if (Array.isArray(required)) schema['required'] = required.filter((each) => each !== name)
  }
}

function withField(name: string, isRequired: boolean) {
  return (schema: Json) => {
    Object.assign(schema['properties'] as Json, { [name]: { type: 'string', maxLength: 10 } })
    if (isRequired) schema['required'] = [...((schema['required'] as string[] | undefined) ?? []), name]
  }
}

function withParameter(isRequired: boolean): Json {
  return withChange(['paths', '/v1/tags', 'get'], ({ parameters }) => {
    const added = { name: 'color', in: 'query', required: isRequired, schema: { type: 'string' } }
    if (Array.isArray(parameters)) parameters.push(added)
  })
}

describe('a change of the interface', () => {
  test.each(['HEAD', 'HEAD^'])(
    'since %s breaks nobody, but as the changelog says under "Breaking"',
    (commit) => {
      const before = copyAt(commit)
      if (!before || JSON.stringify(before) === JSON.stringify(DOCUMENT)) return
      const told = namedAsBreaking()
      expect(breakingChanges(before, DOCUMENT).filter((place) => !told.includes(`\`${place}\``))).toEqual([])
    },
  )

  test.each<[string, () => Json, string]>([
    ['a field is not answered any more', () => inSchema('Workspace', without('slug')), 'GET /v1/workspace'],
    ['a field is not taken any more', () => inSchema('NewTag', without('color')), 'POST /v1/tags'],
    [
      'a field is asked for that was not',
      () => inSchema('NewTag', withField('shade', true)),
      'POST /v1/tags',
    ],
    [
      'a field has another type',
      () => inSchema('Workspace', (schema) => retype(schema, 'slug')),
      'GET /v1/workspace',
    ],
    [
      'a text may not be as long',
      () => inSchema('NewTag', (schema) => limitLength(schema, 'name')),
      'POST /v1/tags',
    ],
    ['a value is not taken any more', () => inSchema('CustomFieldType', narrow), 'POST /v1/custom-fields'],
    ['a parameter is asked for that was not', () => withParameter(true), 'GET /v1/tags'],
    [
      'an operation is gone',
      () => withChange(['paths', '/v1/tags/{id}'], (item) => drop(item, 'delete')),
      'DELETE /v1/tags/{id}',
    ],
    [
      'an event is gone',
      () => withChange(['webhooks'], (events) => drop(events, 'tag.created')),
      'tag.created',
    ],
    ['an event lacks a field', () => inSchema('TagEvent', without('version')), 'TagEvent.version'],
    [
      'another scope is asked for',
      () => withChange(['paths', '/v1/tags', 'get', 'security', '0'], rescope),
      'GET /v1/tags',
    ],
  ])('is seen where %s', (_, after, place) => {
    expect(breakingChanges(PART, after())).toContain(place)
  })

  test.each<[string, () => Json]>([
    ['nothing', () => structuredClone(PART)],
    ['a field more in an answer', () => inSchema('Workspace', withField('motto', true))],
    ['a field more that may be sent', () => inSchema('NewTag', withField('shade', false))],
    ['a parameter more that may be sent', () => withParameter(false)],
    ['a value more', () => inSchema('CustomFieldType', extendEnum)],
    [
      'other words',
      () =>
        withChange(['paths', '/v1/tags', 'get'], (operation) =>
          Object.assign(operation, { summary: 'All tags' }),
        ),
    ],
  ])('breaks nobody with %s', (_, after) => {
    expect(breakingChanges(PART, after())).toEqual([])
  })
})

function fieldOf(schema: Json, name: string): Json {
  return (schema['properties'] as Json)[name] as Json
}

function retype(schema: Json, name: string): void {
  fieldOf(schema, name)['type'] = 'integer'
}

function limitLength(schema: Json, name: string): void {
  fieldOf(schema, name)['maxLength'] = 10
}

function narrow({ enum: values }: Json): void {
  if (Array.isArray(values)) values.pop()
}

function extendEnum({ enum: values }: Json): void {
  if (Array.isArray(values)) values.push('color')
}

function drop(object: Json, name: string): void {
  delete object[name]
}

function rescope(way: Json): void {
  way['oauth2'] = ['people:read']
}
