import { addDays, endOfDay, hasTime, nextMonday } from '../format/dates.ts'

/** The days to which a task can be postponed. It keeps its time of the day. */
export function postponeChoices(due: Date | undefined, now: Date) {
  const at = (day: Date): Date => {
    if (!due || !hasTime(due)) return endOfDay(day)
    const moved = new Date(day)
    moved.setHours(due.getHours(), due.getMinutes(), 0, 0)
    return moved
  }
  return {
    tomorrow: at(addDays(now, 1)),
    dayAfter: at(addDays(now, 2)),
    nextMonday: at(nextMonday(now)),
  }
}
