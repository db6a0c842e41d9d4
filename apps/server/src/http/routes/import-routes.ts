import { type Crm, type ImportDetail, validate, validatePatch } from '@sales-crm/core'
import {
  decisionsInput,
  importChanges,
  importInput,
  MAX_PART_BYTES,
  runInput,
} from '@sales-crm/core/declarations'
import * as operations from '../../openapi/import-operations.ts'
import { readJson, readOptionalJson } from '../json-body.ts'
import { rejectQueryParameters, withQuery } from '../query-string.ts'
import { respondJson, respondList } from '../response.ts'
import { rejectInput } from './reject-input.ts'
import { type ApiRoute, pathParam, type RouteContext } from './route.ts'

const WRITE = { scope: 'imports:write' }
const READ = { scope: 'imports:read', alternativeScope: 'imports:write' }

type Step = 'check' | 'pause' | 'resume' | 'cancel' | 'revert'

/** Files whose rows become records, in the background. */
export function importRoutes({ imports }: Pick<Crm, 'imports'>): readonly ApiRoute[] {
  const path = '/v1/imports'
  /** A step of an import, which takes no input. */
  const step = (name: Step, run: (c: RouteContext, id: string) => Promise<ImportDetail>): ApiRoute => ({
    ...{ method: 'POST', path: `${path}/:id/${name}`, access: WRITE, turn: 'short' },
    operation: operations.IMPORT_STEPS[name],
    async handle(c) {
      await rejectInput(c)
      return respondJson(c, { data: await run(c, pathParam(c)) })
    },
  })
  return [
    {
      ...{ method: 'GET', path, access: READ, turn: 'short', operation: operations.LIST_IMPORTS },
      handle: async (c) =>
        respondList(c, await withQuery(c.req.url, (query) => imports.list(c.get('actor'), query as object))),
    },
    {
      ...{ method: 'POST', path, access: WRITE, write: 'update', turn: 'short' },
      operation: operations.CREATE_IMPORT,
      async handle(c) {
        const input = await readJson(c.get('body'))
        rejectQueryParameters(c.req.url, () => validate(importInput, input))
        return respondJson(c, { data: await imports.create(c.get('actor'), input as never) }, 201)
      },
    },
    {
      ...{
        method: 'GET',
        path: `${path}/:id`,
        access: READ,
        turn: 'short',
        operation: operations.GET_IMPORT,
      },
      async handle(c) {
        rejectQueryParameters(c.req.url)
        return respondJson(c, { data: await imports.get(c.get('actor'), pathParam(c)) })
      },
    },
    {
      ...{ method: 'PATCH', path: `${path}/:id`, access: WRITE, turn: 'short' },
      operation: operations.UPDATE_IMPORT,
      async handle(c) {
        const input = await readJson(c.get('body'))
        rejectQueryParameters(c.req.url, () => validatePatch(importChanges, input))
        return respondJson(c, { data: await imports.update(c.get('actor'), pathParam(c), input) })
      },
    },
    {
      ...{ method: 'DELETE', path: `${path}/:id`, access: WRITE, turn: 'long' },
      operation: operations.DELETE_IMPORT,
      async handle(c) {
        rejectQueryParameters(c.req.url)
        await imports.remove(c.get('actor'), pathParam(c))
        return c.body(null, 204)
      },
    },
    {
      ...{ method: 'PUT', path: `${path}/:id/file`, access: WRITE, write: 'update', turn: 'long' },
      ...{ maxBodyBytes: MAX_PART_BYTES, operation: operations.UPLOAD_PART },
      async handle(c) {
        const bytes = await c.get('body').read(MAX_PART_BYTES)
        const data = await withQuery(c.req.url, (query) =>
          imports.upload(c.get('actor'), pathParam(c), { ...query, bytes } as never),
        )
        return respondJson(c, { data })
      },
    },
    step('check', (c, id) => imports.check(c.get('actor'), id)),
    {
      ...{ method: 'POST', path: `${path}/:id/run`, access: WRITE, write: 'create', turn: 'short' },
      operation: operations.RUN_IMPORT,
      async handle(c) {
        const input = await readOptionalJson(c.get('body'))
        rejectQueryParameters(c.req.url, () => validate(runInput, input))
        return respondJson(c, { data: await imports.run(c.get('actor'), pathParam(c), input) })
      },
    },
    step('pause', (c, id) => imports.pause(c.get('actor'), id)),
    step('resume', (c, id) => imports.resume(c.get('actor'), id)),
    step('cancel', (c, id) => imports.cancel(c.get('actor'), id)),
    {
      ...{ method: 'GET', path: `${path}/:id/failed-rows`, access: READ, turn: 'long' },
      operation: operations.FAILED_ROWS,
      async handle(c) {
        rejectQueryParameters(c.req.url)
        const rows = await imports.failedRows(c.get('actor'), pathParam(c))
        return c.body(ReadableStream.from(encodeAll(rows)), 200, {
          'Content-Type': 'text/csv; charset=utf-8',
          'Content-Disposition': 'attachment; filename="failed-rows.csv"',
        })
      },
    },
    step('revert', (c, id) => imports.revert(c.get('actor'), id)),
    {
      ...{ method: 'GET', path: `${path}/:id/kept`, access: READ, turn: 'short' },
      operation: operations.LIST_KEPT,
      handle: async (c) =>
        respondList(
          c,
          await withQuery(c.req.url, (query) => imports.kept(c.get('actor'), pathParam(c), query as object)),
        ),
    },
    {
      ...{ method: 'POST', path: `${path}/:id/decisions`, access: WRITE, turn: 'long' },
      operation: operations.DECIDE_KEPT,
      async handle(c) {
        const input = await readJson(c.get('body'))
        rejectQueryParameters(c.req.url, () => validate(decisionsInput, input))
        return respondJson(c, { data: await imports.decide(c.get('actor'), pathParam(c), input) })
      },
    },
  ]
}

async function* encodeAll(texts: AsyncIterable<string>): AsyncGenerator<Uint8Array> {
  const encoder = new TextEncoder()
  for await (const text of texts) yield encoder.encode(text)
}
