import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useConsole } from '../app/console-context.ts'
import type { Period } from './period.ts'
import { aggregate } from './report-calls.ts'

/**
 * The recorded activities and the completed tasks of each member, in all pipelines. The service does not say when a
 * task was completed: tasks count by their due date.
 */
export function useMemberActivity({ from, to }: Period) {
  const { crm } = useConsole()
  return useQuery({
    queryKey: ['reports', 'activity', from, to],
    queryFn: async ({ signal }) => {
      const query = { metric: 'count', group_by: 'owner' } as const
      const [activities, tasks] = await Promise.all([
        aggregate(
          crm.reports,
          { ...query, entity: 'activities', created_after: from, created_before: to },
          { signal },
        ),
        aggregate(
          crm.reports,
          { ...query, entity: 'tasks', completed: true, due_after: from, due_before: to },
          { signal },
        ),
      ])
      return { activities: activities.groups, tasks: tasks.groups, isPartial: activities.more || tasks.more }
    },
    placeholderData: keepPreviousData,
  })
}
