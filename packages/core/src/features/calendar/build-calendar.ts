import { addSeconds, DAY, type Instant, MINUTE } from '../../kernel/instant.ts'
import { dayOf, isWholeDay } from '../../kernel/time-zone.ts'

/** An open task with a due date, as calendars show it. */
export interface CalendarTask {
  readonly id: string
  readonly title: string
  readonly due_date: Instant
  readonly updated_at: Instant
}

interface CalendarOptions {
  /** Of the workspace: whole days are days in it. */
  readonly timeZone: string
  readonly name: string
  /** The service's public address, without a trailing slash. */
  readonly issuer: string
  /** The page of the console that shows the tasks. */
  readonly page: string
}

/** How long a task with a time takes in a calendar. */
const TASK_SECONDS = 30 * MINUTE

/** Writes tasks as iCalendar (RFC 5545): titles only. A whole day is an event of that day. */
export function buildCalendar(
  tasks: readonly CalendarTask[],
  { timeZone, name, issuer, page }: CalendarOptions,
): string {
  const [, , host = ''] = issuer.split('/')
  const lines = [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'PRODID:-//sales-crm//tasks//EN',
    'CALSCALE:GREGORIAN',
    `X-WR-CALNAME:${escapeText(name)}`,
    'REFRESH-INTERVAL;VALUE=DURATION:PT1H',
    ...tasks.flatMap((task) => [
      'BEGIN:VEVENT',
      `UID:${task.id}@${host}`,
      `DTSTAMP:${formatInstant(task.updated_at)}`,
      ...formatTimes(task.due_date, timeZone),
      `SUMMARY:${escapeText(task.title)}`,
      'TRANSP:TRANSPARENT',
      `URL:${page}`,
      'END:VEVENT',
    ]),
    'END:VCALENDAR',
  ]
  return lines.map((line) => `${foldLine(line)}\r\n`).join('')
}

function formatTimes(due: Instant, timeZone: string): readonly string[] {
  if (!isWholeDay(due, timeZone))
    return [`DTSTART:${formatInstant(due)}`, `DTEND:${formatInstant(addSeconds(due, TASK_SECONDS))}`]
  const day = dayOf(due, timeZone)
  const next = addSeconds(`${day}T00:00:00.000Z`, DAY).slice(0, 'YYYY-MM-DD'.length)
  return [`DTSTART;VALUE=DATE:${formatDay(day)}`, `DTEND;VALUE=DATE:${formatDay(next)}`]
}

/** `20261130T083000Z` */
function formatInstant(at: Instant): string {
  return at.replaceAll(/[-:]|\.\d+/g, '')
}

function formatDay(day: string): string {
  return day.replaceAll('-', '')
}

/** Titles have one line. */
function escapeText(text: string): string {
  return text.replaceAll(/[\\;,]/g, (character) => `\\${character}`)
}

/** Bytes of a line without its end. */
const MAX_LINE_BYTES = 75

/** Breaks a line between characters; those after the first begin with a space, which readers take away. */
function foldLine(line: string): string {
  const parts = ['']
  let bytes = 0
  for (const character of line) {
    const size = byteLength(character)
    if (bytes + size > MAX_LINE_BYTES) {
      parts.push(' ')
      bytes = 1
    }
    parts[parts.length - 1] += character
    bytes += size
  }
  return parts.join('\r\n')
}

/** In UTF-8. */
function byteLength(character: string): number {
  const code = character.codePointAt(0)!
  if (code < 0x80) return 1
  if (code < 0x800) return 2
  return code < 0x10000 ? 3 : 4
}
