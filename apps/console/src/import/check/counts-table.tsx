import type { Import } from '@sales-crm/client'
import { useConsole } from '../../app/console-context.ts'
import { classNames } from '../../ui/class-names.ts'
import { Icon } from '../../ui/icon.tsx'
import text from '../../ui/text.module.css'
import { IMPORT_KINDS } from '../can-import.ts'
import styles from '../import.module.css'
import { KIND_ICONS } from '../kind-icons.ts'
import { useImportTexts } from '../texts/texts.ts'

const ACTIONS = ['created', 'updated', 'unchanged', 'left_out'] as const

interface CountsTableProps {
  readonly counts: Import['counts']
}

/** What becomes of the records, for each kind. */
export function CountsTable({ counts }: CountsTableProps) {
  const { formatNumber } = useConsole()
  const texts = useImportTexts()
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a table that scrolls must be reached by the keyboard.
    <section class={styles.framed} tabIndex={0} aria-label={texts.counts.table}>
      <table class={styles.table} aria-label={texts.counts.table}>
        <thead>
          <tr>
            <th scope="col">{texts.counts.kind}</th>
            {ACTIONS.map((action) => (
              <th key={action} scope="col" class={styles.isNumber}>
                {texts.counts[action]}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {IMPORT_KINDS.flatMap((kind) => {
            const count = counts[kind]
            if (!count) return []
            return (
              <tr key={kind}>
                <th scope="row">
                  <span class={styles.kindName}>
                    <Icon name={KIND_ICONS[kind]} />
                    {texts.kinds[kind]}
                  </span>
                </th>
                {ACTIONS.map((action) => (
                  <td
                    key={action}
                    class={classNames(
                      styles.isNumber,
                      count[action] === 0 && text.soft,
                      action === 'left_out' && count[action] > 0 && styles.isCaution,
                    )}
                  >
                    {formatNumber(count[action])}
                  </td>
                ))}
              </tr>
            )
          })}
        </tbody>
      </table>
    </section>
  )
}
