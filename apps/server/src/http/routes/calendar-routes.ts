import type { Crm } from '@sales-crm/core'
import * as operations from '../../openapi/calendar-operations.ts'
import { rejectQueryParameters } from '../query-string.ts'
import { respondJson } from '../response.ts'
import { rejectInput } from './reject-input.ts'
import { type ApiRoute, type OpenRoute, pathParam } from './route.ts'

const ANY_TOKEN = { scope: null }
const PATH = '/v1/me/calendar-feed'
const EXTENSION = '.ics'

/** The address of the calendar of the member of the token. */
export function calendarFeedRoutes({ calendar }: Pick<Crm, 'calendar'>): readonly ApiRoute[] {
  return [
    {
      ...{ method: 'POST', path: PATH, access: ANY_TOKEN, turn: 'short' },
      operation: operations.CREATE_CALENDAR_FEED,
      async handle(c) {
        await rejectInput(c)
        return respondJson(c, { data: await calendar.createFeed(c.get('actor')) }, 201)
      },
    },
    {
      ...{ method: 'DELETE', path: PATH, access: ANY_TOKEN, turn: 'short' },
      operation: operations.DELETE_CALENDAR_FEED,
      async handle(c) {
        rejectQueryParameters(c.req.url)
        await calendar.removeFeed(c.get('actor'))
        return c.body(null, 204)
      },
    },
  ]
}

/** The calendar of a member, for whoever has its address. */
export function calendarRoute({ calendar }: Pick<Crm, 'calendar'>): OpenRoute {
  return {
    ...{ method: 'GET', path: '/calendar/:token', access: 'nobody', limitedBy: 'address' },
    ...{ turn: 'address', operation: operations.READ_CALENDAR },
    async handle(c) {
      rejectQueryParameters(c.req.url)
      const name = pathParam(c, 'token')
      const token = name.endsWith(EXTENSION) ? name.slice(0, -EXTENSION.length) : ''
      return c.body(await calendar.read(token), 200, {
        'Content-Type': 'text/calendar; charset=utf-8',
        'Cache-Control': 'private, no-store',
        'Referrer-Policy': 'no-referrer',
        'X-Robots-Tag': 'noindex',
      })
    },
  }
}
