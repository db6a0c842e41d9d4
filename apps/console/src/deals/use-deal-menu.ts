import type { DealListItem } from '@sales-crm/client'
import { useConsole } from '../app/console-context.ts'
import { useShell } from '../shell/shell-context.ts'
import type { MenuGroup } from '../ui/menu.tsx'
import type { CardActions } from './card-actions.ts'

/** The actions of a deal, with the keys that do the same. */
export function useDealMenu(
  deal: DealListItem,
  { moveTo, chooseStage, stages }: CardActions,
): readonly MenuGroup[] {
  const { texts } = useConsole()
  const { openCreate, confirmDeletion } = useShell()
  const won = stages.find(({ type }) => type === 'win')
  const lost = stages.find(({ type }) => type === 'lost')
  const { actions } = texts
  return [
    {
      actions: [
        { label: actions.move, icon: 'arrow', shortcut: 'M', select: () => chooseStage(deal) },
        {
          label: actions.addTask,
          icon: 'tasks',
          shortcut: 'T',
          select: () => openCreate('tasks', { deal }),
        },
        ...(won
          ? [{ label: actions.won, icon: 'flag' as const, shortcut: 'W', select: () => moveTo(deal, won) }]
          : []),
        ...(lost
          ? [{ label: actions.lost, icon: 'x' as const, shortcut: '⇧W', select: () => moveTo(deal, lost) }]
          : []),
      ],
    },
    {
      actions: [
        {
          label: actions.delete,
          icon: 'trash',
          isRisky: true,
          select: () => confirmDeletion('deals', deal.id, deal.name),
        },
      ],
    },
  ]
}
