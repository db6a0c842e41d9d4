import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { buildDocument, type Json, ROOT, reachableSchemas } from '../support/openapi-document.ts'
import { breakingChanges } from './breaking-changes.ts'

const DOCUMENT: Json = JSON.parse(JSON.stringify(buildDocument()))

/** A part of the document with few operations and events, and their schemas: it is compared faster. */
const PART = partWith(/^\/v1\/(workspace|tags|custom-fields)/, /^tag\./)

function partWith(paths: RegExp, events: RegExp): Json {
  const { paths: operations, webhooks, components = {}, ...rest } = DOCUMENT as Record<string, Json>
  const selected = { paths: only(operations!, paths), webhooks: only(webhooks!, events) }
  const { responses, schemas = {}, ...others } = components as Record<string, Json>
  const names = reachableSchemas([selected, responses], schemas)
  const reached = Object.fromEntries(Object.entries(schemas).filter(([name]) => names.has(name)))
  return { ...rest, ...selected, components: { ...others, responses, schemas: reached } }
}

function only(all: Json, pattern: RegExp): Json {
  return Object.fromEntries(Object.entries(all).filter(([name]) => pattern.test(name)))
}

/** The committed document at a commit; `undefined` without the commit, the file or git. */
function readDocumentAt(commit: string): Json | undefined {
  try {
    const output = execFileSync('git', ['show', `${commit}:docs/openapi.json`], {
      cwd: ROOT,
      maxBuffer: 1e8,
      stdio: ['ignore', 'pipe', 'ignore'],
    })
    return JSON.parse(output.toString())
  } catch {
    return undefined
  }
}

function readBreakingSection(): string {
  const [, unreleased = ''] = readFileSync(join(ROOT, 'CHANGELOG.md'), 'utf8').split(/^## /m)
  return unreleased.split(/^### /m).find((section) => section.startsWith('Breaking\n')) ?? ''
}

/** Returns `PART` with one change. */
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

describe('breaking changes of the API', () => {
  test.each(['HEAD', 'HEAD^'])('since %s are all listed in the changelog under "Breaking"', (commit) => {
    const before = readDocumentAt(commit)
    if (!before || JSON.stringify(before) === JSON.stringify(DOCUMENT)) return
    const breakingSection = readBreakingSection()
    expect(
      breakingChanges(before, DOCUMENT).filter((location) => !breakingSection.includes(`\`${location}\``)),
    ).toEqual([])
  })

  test.each<[string, () => Json, string]>([
    ['a response field is removed', () => inSchema('Workspace', without('slug')), 'GET /v1/workspace'],
    ['an input field is removed', () => inSchema('NewTag', without('color')), 'POST /v1/tags'],
    ['an input field becomes required', () => inSchema('NewTag', withField('shade', true)), 'POST /v1/tags'],
    [
      'a field changes its type',
      () => inSchema('Workspace', (schema) => retype(schema, 'slug')),
      'GET /v1/workspace',
    ],
    [
      'a maximum length decreases',
      () => inSchema('NewTag', (schema) => limitLength(schema, 'name')),
      'POST /v1/tags',
    ],
    ['an enum value is removed', () => inSchema('CustomFieldType', narrow), 'POST /v1/custom-fields'],
    ['a parameter becomes required', () => withParameter(true), 'GET /v1/tags'],
    [
      'an operation is removed',
      () => withChange(['paths', '/v1/tags/{id}'], (item) => drop(item, 'delete')),
      'DELETE /v1/tags/{id}',
    ],
    [
      'an event is removed',
      () => withChange(['webhooks'], (events) => drop(events, 'tag.created')),
      'tag.created',
    ],
    ['an event field is removed', () => inSchema('TagEvent', without('version')), 'TagEvent.version'],
    [
      'the required scope changes',
      () => withChange(['paths', '/v1/tags', 'get', 'security', '0'], rescope),
      'GET /v1/tags',
    ],
  ])('are reported if %s', (_, after, location) => {
    expect(breakingChanges(PART, after())).toContain(location)
  })

  test.each<[string, () => Json]>([
    ['nothing', () => structuredClone(PART)],
    ['a new response field', () => inSchema('Workspace', withField('motto', true))],
    ['a new optional input field', () => inSchema('NewTag', withField('shade', false))],
    ['a new optional parameter', () => withParameter(false)],
    ['a new enum value', () => inSchema('CustomFieldType', extendEnum)],
    [
      'another summary',
      () =>
        withChange(['paths', '/v1/tags', 'get'], (operation) =>
          Object.assign(operation, { summary: 'All tags' }),
        ),
    ],
  ])('are not reported for %s', (_, after) => {
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

function rescope(requirement: Json): void {
  requirement['oauth2'] = ['people:read']
}
