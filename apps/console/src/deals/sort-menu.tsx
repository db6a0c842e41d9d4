import { useConsole } from '../app/console-context.ts'
import { useViewParams } from '../app/use-view-params.ts'
import { Button } from '../ui/button.tsx'
import { Menu } from '../ui/menu.tsx'
import text from '../ui/text.module.css'

export function SortMenu() {
  const { texts } = useConsole()
  const { params, set } = useViewParams()
  const { sortBy } = texts.deals
  const chosen = params.get('sort') ?? 'created_at'
  return (
    <Menu
      align="end"
      label={texts.deals.sort}
      trigger={
        <Button icon="sort" class={text.deskOnly}>
          {sortBy[chosen] ?? sortBy['created_at']}
        </Button>
      }
      groups={[
        {
          actions: Object.entries(sortBy).map(([order, label]) => ({
            label,
            isChecked: order === chosen,
            select: () => set({ sort: order === 'created_at' ? undefined : order }),
          })),
        },
      ]}
    />
  )
}
