import { addDays, type Calendar, type Day, nextMonday } from '../format/calendar.ts'

/** The days to which a task can be postponed. It keeps its time of the day. */
export function postponeChoices(due: Date | undefined, now: Date, calendar: Calendar) {
  const time = due && calendar.hasTime(due) ? calendar.timeOf(due) : ''
  const at = (day: Day): Date => calendar.readDate(day, time) ?? calendar.wholeDay(day)
  const today = calendar.dayOf(now)
  return {
    tomorrow: at(addDays(today, 1)),
    dayAfter: at(addDays(today, 2)),
    nextMonday: at(nextMonday(today)),
  }
}
