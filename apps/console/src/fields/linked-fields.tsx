import type { NextTask, OpenDealAmount } from '@sales-crm/client'
import { sortAmounts } from '../format/money.ts'
import { NextTaskDue } from '../tasks/due.tsx'
import type { ShownField } from './field.ts'

interface Linked {
  readonly next_task?: NextTask | null
  readonly last_activity_at?: string | null
  readonly open_amounts?: readonly OpenDealAmount[]
}

/** What is next, what was last, and what is at stake: of the tasks, activities and deals of a record, in a table. */

export const nextTaskColumn: ShownField<Linked> = {
  ...{ type: 'shown', name: 'next_task', label: ({ labels }) => labels.nextTask, include: 'next_task' },
  render: ({ next_task }) => <NextTaskDue task={next_task} />,
}

export const lastActivityColumn: ShownField<Linked> = {
  ...{ type: 'shown', name: 'last_activity_at', label: ({ labels }) => labels.lastActivity },
  ...{ filter: 'day', include: 'last_activity_at', order: 'desc' },
  render: ({ last_activity_at: at }, { dates }) => (at ? dates.dayWithYear(new Date(at)) : '—'),
}

export const openAmountColumn: ShownField<Linked> = {
  ...{ type: 'shown', name: 'open_amounts', label: ({ labels }) => labels.openAmount },
  ...{ include: 'open_amounts', isNumber: true, order: 'desc' },
  render: ({ open_amounts = [] }, { formatAmount, workspace }) =>
    sortAmounts(open_amounts, workspace.currency).map(formatAmount).join(' + ') || '—',
}
