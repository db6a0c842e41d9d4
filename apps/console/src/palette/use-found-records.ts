import type {
  ActivityListItem,
  CompanyListItem,
  DealListItem,
  PersonListItem,
  ProductListItem,
  TaskListItem,
} from '@sales-crm/client'
import { extractHtmlText } from '@sales-crm/core/browser'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useConsole } from '../app/console-context.ts'
import { useNow } from '../app/now.tsx'
import { cutAround, findWords } from '../format/find-match.ts'
import { readSearch } from '../format/typed-text.ts'
import { KIND_ICONS } from '../records/kinds.ts'
import { taskSubjects } from '../tasks/task-subjects.ts'
import { useTaskDialog } from '../tasks/use-task-dialog.tsx'
import type { Command, CommandGroup } from '../ui/command-dialog.tsx'
import { useLinkCommand } from './use-link-command.ts'

const LIMIT = 5
const SEARCHED_KINDS = 'people,companies,deals,products,tasks,activities'

interface FoundRecords {
  readonly groups: readonly CommandGroup[]
  /** True while the records are not yet those of the text. */
  readonly isSeeking: boolean
}

/** The records that a text finds, the tasks and the notes, each with what matches. */
export function useFoundRecords(text: string): FoundRecords {
  const { crm, texts } = useConsole()
  const commands = useRecordCommands(text)
  const sought = readSearch(text)
  const { data, isPlaceholderData, isLoading } = useQuery({
    queryKey: ['search', 'all', sought],
    queryFn: ({ signal }) =>
      crm.search({ search: sought ?? '', kinds: SEARCHED_KINDS, limit: LIMIT }, { signal }),
    enabled: sought !== undefined,
    placeholderData: keepPreviousData,
  })
  const isSeeking = sought !== undefined && (isPlaceholderData || isLoading)
  if (sought === undefined || !data) return { groups: [], isSeeking }
  const records = [
    ...(data.companies?.records ?? []).map(commands.contact('companies')),
    ...(data.people?.records ?? []).map(commands.contact('people')),
    ...(data.deals?.records ?? []).map(commands.deal),
    ...(data.products?.records ?? []).map(commands.product),
  ]
  const groups = [
    { title: texts.palette.found, items: records },
    { title: texts.labels.tasks, items: (data.tasks?.records ?? []).map(commands.task) },
    { title: texts.palette.notes, items: (data.activities?.records ?? []).flatMap(commands.note) },
  ]
  return { groups, isSeeking }
}

function useRecordCommands(text: string) {
  const { dates, formatAmount } = useConsole()
  const now = useNow()
  const link = useLinkCommand()
  const openTask = useTaskDialog()
  return {
    contact:
      (kind: 'people' | 'companies') =>
      (record: PersonListItem | CompanyListItem): Command => ({
        ...link(`/${kind}/${record.id}`),
        icon: KIND_ICONS[kind],
        label: record.full_name,
        detail: record.emails[0]?.email ?? record.phones[0]?.phone,
      }),
    deal: (deal: DealListItem): Command => ({
      ...link(`/deals/${deal.id}`),
      icon: KIND_ICONS.deals,
      label: deal.name,
      detail: deal.company?.full_name ?? deal.person?.full_name,
      after: [deal.stage?.name, deal.amount > 0 && formatAmount(deal)].filter(Boolean).join(', '),
    }),
    product: (product: ProductListItem): Command => ({
      ...link(`/products?search=${encodeURIComponent(product.name)}`),
      icon: KIND_ICONS.products,
      label: product.name,
      detail: product.code ?? undefined,
    }),
    /** Shows its notes if they match, and else what it is about. */
    task: (task: TaskListItem): Command => ({
      id: `task ${task.id}`,
      icon: task.completed ? 'check' : KIND_ICONS.tasks,
      label: task.title,
      detail:
        task.notes !== null && findWords(task.notes, text)
          ? cutAround(task.notes, text)
          : taskSubjects(task)[0]?.name,
      after: task.due_date === null ? undefined : dates.day(new Date(task.due_date), now),
      run: () => openTask(task),
    }),
    /** Opens its record. A note without one has no page. */
    note: ({ id, entity, entity_id, content_html, created_at }: ActivityListItem): readonly Command[] =>
      entity === null
        ? []
        : [
            {
              ...link(`/${entity}/${entity_id}?note=${id}`),
              icon: 'note',
              label: cutAround(extractHtmlText(content_html), text),
              after: dates.day(new Date(created_at), now),
            },
          ],
  }
}
