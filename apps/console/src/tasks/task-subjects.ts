import type { TaskListItem } from '@sales-crm/client'

interface TaskSubject {
  readonly href: string
  readonly name: string
}

/** What a task is about: its deal, person and company. */
export function taskSubjects({ deal, person, company }: TaskListItem): readonly TaskSubject[] {
  return [
    ...(deal ? [{ href: `/deals/${deal.id}`, name: deal.name }] : []),
    ...(person ? [{ href: `/people/${person.id}`, name: person.full_name }] : []),
    ...(company ? [{ href: `/companies/${company.id}`, name: company.full_name }] : []),
  ]
}
