import type { Deal } from '@sales-crm/client'
import { useConsole } from '../app/console-context.ts'
import { useIsReadOnly } from '../records/read-only.tsx'
import page from '../records/record-page.module.css'
import { LoadError } from '../shell/load-boundary.tsx'
import text from '../ui/text.module.css'
import { useMedia } from '../ui/use-media.ts'
import { ItemSums } from './item-sums.tsx'
import styles from './items.module.css'
import { ItemsGrid } from './items-grid.tsx'
import { ItemsList } from './items-list.tsx'
import { useItemTexts } from './texts.ts'
import { useItemChanges } from './use-item-changes.ts'
import { useItemSave } from './use-item-save.ts'
import { useItemNotation, useItems } from './use-items.ts'

/** Too narrow for the columns of the grid. */
const NARROW = '(max-width: 60rem)'

/** What a deal sells: its line items and what they come to. */
export function ItemsSection({ deal }: { readonly deal: Deal }) {
  const { formatNumber } = useConsole()
  const itemTexts = useItemTexts()
  const isReadOnly = useIsReadOnly()
  const isNarrow = useMedia(NARROW)
  const { list, readItems, error, refetch } = useItems(deal.id)
  const notation = useItemNotation(deal)
  const changes = useItemChanges(deal)
  const save = useItemSave(notation, changes)
  const items = list?.data ?? []
  const props = { deal, items, readItems, notation, changes, save, isReadOnly }
  return (
    <section class={page.items} aria-labelledby="items">
      <div class={page.blockHead}>
        <h2 id="items" tabIndex={-1} class={styles.heading}>
          {itemTexts.items} <span class={text.count}>{items.length > 0 && formatNumber(items.length)}</span>
        </h2>
        {!isNarrow && !isReadOnly && <KeyHints />}
      </div>
      {!list && error && <LoadError error={error} retry={refetch} />}
      {list && isReadOnly && items.length === 0 && <p class={text.missing}>{itemTexts.noItems}</p>}
      {list &&
        !(isReadOnly && items.length === 0) &&
        (isNarrow ? <ItemsList {...props} /> : <ItemsGrid {...props} />)}
      {list && items.length > 0 && <ItemSums deal={deal} list={list} isReadOnly={isReadOnly} />}
    </section>
  )
}

function KeyHints() {
  const { keys } = useItemTexts()
  const hints = [
    [['Enter'], keys.edit],
    [['Tab'], keys.next],
    [['Ctrl', 'Enter'], keys.newLine],
    [['Alt', '↑', '↓'], keys.move],
    [['Ctrl', 'D'], keys.copy],
    [['Del'], keys.remove],
  ] as const
  return (
    <p class={styles.hints}>
      {hints.map(([names, label]) => (
        <span key={label}>
          {names.map((name) => (
            <kbd key={name}>{name}</kbd>
          ))}{' '}
          {label}
        </span>
      ))}
    </p>
  )
}
