import { useConsole } from '../app/console-context.ts'
import { useViewParams } from '../app/use-view-params.ts'
import { BOARD_ORDERS, findBoardOrder } from '../fields/deal-fields.tsx'
import { Button } from '../ui/button.tsx'
import { Menu } from '../ui/menu.tsx'
import text from '../ui/text.module.css'

export function SortMenu() {
  const { texts } = useConsole()
  const { params, set } = useViewParams()
  const { newestFirst, changedLast } = texts.deals.orders
  const labelOf = ({ name, label }: (typeof BOARD_ORDERS)[number]) =>
    name === 'created_at' ? newestFirst : name === 'updated_at' ? changedLast : label(texts)
  const chosen = findBoardOrder(params.get('sort') ?? undefined)
  return (
    <Menu
      align="end"
      label={texts.deals.sort}
      trigger={
        <Button icon="sort" class={text.deskOnly}>
          {labelOf(chosen)}
        </Button>
      }
      groups={[
        {
          actions: BOARD_ORDERS.map((field) => ({
            label: labelOf(field),
            isChecked: field === chosen,
            select: () => set({ sort: field === BOARD_ORDERS[0] ? undefined : field.name }),
          })),
        },
      ]}
    />
  )
}
