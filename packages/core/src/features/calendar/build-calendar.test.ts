import fc from 'fast-check'
import ICAL from 'ical.js'
import { expect, test } from 'vitest'
import { buildCalendar } from './build-calendar.ts'

const OPTIONS = {
  timeZone: 'America/Sao_Paulo',
  name: 'Acme; Ltda',
  issuer: 'https://crm.example',
  page: 'https://crm.example/w/acme/tasks',
}
const AT = '2026-11-30T11:30:00.000Z'
const task = (title: string, due_date = AT) => ({ id: 'a', title, due_date, updated_at: AT })

function readEvents(text: string) {
  const calendar = new ICAL.Component(ICAL.parse(text) as never)
  return calendar.getAllSubcomponents('vevent').map((each) => new ICAL.Event(each))
}

test('a task with a time is an event at it, one of a whole day takes the day', () => {
  const text = buildCalendar([task('Call'), task('Pay', '2026-12-01T02:59:00.000Z')], OPTIONS)
  expect(text).toContain('DTSTART:20261130T113000Z\r\nDTEND:20261130T120000Z\r\n')
  expect(text).toContain('DTSTART;VALUE=DATE:20261130\r\nDTEND;VALUE=DATE:20261201\r\n')
  expect(text).toContain('X-WR-CALNAME:Acme\\; Ltda\r\n')
  expect(readEvents(text).map(({ summary, startDate }) => [summary, startDate.isDate])).toEqual([
    ['Call', false],
    ['Pay', true],
  ])
})

test('readers get each title as it is, from lines of at most 75 bytes', () => {
  const character = fc.constantFrom('a', 'é', '好', '😀', ',', ';', '\\', ':', '"', ' ', 'n', 'N')
  const title = fc.array(character, { minLength: 1, maxLength: 200 }).map((all) => `x${all.join('')}x`)
  fc.assert(
    fc.property(title, (text) => {
      const calendar = buildCalendar([task(text)], OPTIONS)
      expect(readEvents(calendar).map(({ summary }) => summary)).toEqual([text])
      for (const line of calendar.split('\r\n')) expect(Buffer.byteLength(line)).toBeLessThanOrEqual(75)
    }),
  )
})
