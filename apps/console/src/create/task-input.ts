import type { NewTask } from '@sales-crm/client'
import { endOfDay } from '../format/dates.ts'
import type { PickedRecord } from '../records/record-picker.tsx'

/** The fields of a task that name what it is about. */
export function subjectFields(subject: PickedRecord | null): Partial<NewTask> {
  if (!subject?.id) return {}
  const { kind, id } = subject
  return { [{ deals: 'deal_id', people: 'person_id', companies: 'company_id' }[kind]]: id }
}

/** The instant of a due date: its time, or the end of its day. */
export function dueInstant(day: string, time: string): string | undefined {
  if (day === '') return undefined
  const date = new Date(`${day}T${time || '12:00'}`)
  if (Number.isNaN(date.getTime())) return undefined
  return (time === '' ? endOfDay(date) : date).toISOString()
}
