import { forbidden, notFound, validationError } from '@sales-crm/core'
import { itemResponse, responseSchemas } from '@sales-crm/core/declarations'
import { BODY_ERRORS, UNKNOWN_PARAMETER } from './body-errors.ts'
import type { Operation } from './operation.ts'
import { EMPTY_OBJECT } from './webhook-operations.ts'

const tag = 'Members'
const FORBIDDEN = forbidden('update', 'member')

export const CREATE_CALENDAR_FEED: Operation = {
  ...{ id: 'createCalendarFeed', tag, summary: 'Create the address of the member’s calendar' },
  description:
    'For a member who is signed in to the console. Returns an address to which calendars subscribe: the open tasks of the ' +
    'member that have a due date, with their titles. It is shown once, and another call makes another one, which ends it.',
  body: { name: 'Nothing', schema: EMPTY_OBJECT, optional: true },
  success: {
    ...{ status: 201, description: 'The address.' },
    response: { name: 'CalendarFeedResponse', schema: itemResponse(responseSchemas.calendar_feeds.detail) },
  },
  errors: [...BODY_ERRORS, validationError({ days: 'Unknown field.' }), FORBIDDEN],
}

export const DELETE_CALENDAR_FEED: Operation = {
  ...{ id: 'deleteCalendarFeed', tag, summary: 'Revoke the address of the member’s calendar' },
  description: 'Ends it at once. It also ends with the membership.',
  success: { status: 204, description: 'The calendar has no address.' },
  errors: [FORBIDDEN],
}

export const READ_CALENDAR: Operation = {
  ...{ id: 'readCalendar', tag, summary: 'Read the calendar of a member' },
  description:
    'No token is required: the URL is what `POST /v1/me/calendar-feed` returns. At most 1000 open tasks that were due in the ' +
    'last 31 days or are due within a year, as events; one without a time of day takes the day.',
  params: {
    token: { description: 'The secret part of the address.', isId: false, example: 'crm_cf_01a1fc31.ics' },
  },
  success: { status: 200, description: 'The calendar (RFC 5545).', types: ['text/calendar'] },
  errors: [notFound('Calendar'), UNKNOWN_PARAMETER],
}
