import type { CheckReport, Import } from '@sales-crm/client'
import { useConsole } from '../../app/console-context.ts'
import { useMenu } from '../../reference/queries.ts'
import text from '../../ui/text.module.css'
import styles from '../import.module.css'
import { useImportTexts } from '../texts/texts.ts'
import own from './check.module.css'
import { formatPreview } from './format-preview.ts'

interface ExampleRowsProps {
  readonly opened: Import
  readonly examples: CheckReport['examples']
}

/** The first rows as they will be: a column for each kind. */
export function ExampleRows({ opened, examples }: ExampleRowsProps) {
  const console = useConsole()
  const texts = useImportTexts()
  const { check } = texts
  const fields = useMenu('customFields').data ?? []
  const formatting = { ...console, texts, shared: console.texts, fields }
  return (
    <div class={styles.block}>
      <div class={styles.blockHead}>
        <h2>{check.examples}</h2>
        <span class={text.count}>{check.exampleCount(examples.length)}</span>
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a table that scrolls must be reached by the keyboard. */}
      <section class={styles.framed} tabIndex={0} aria-label={check.examples}>
        <table class={own.examples} aria-label={check.examples}>
          <thead>
            <tr>
              <th scope="col">{check.row}</th>
              {opened.kinds.map((kind) => (
                <th key={kind} scope="col">
                  {texts.kind[kind]}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {examples.map(({ row, records }) => (
              <tr key={row}>
                <td class={text.soft}>{console.formatNumber(row)}</td>
                {opened.kinds.map((kind) => (
                  <td key={kind}>
                    {records
                      .filter((record) => record.kind === kind)
                      .map((record, index) => (
                        <div key={index}>
                          <span>
                            {record.kind === 'activities' ? plainText(record.name) : (record.name ?? '—')}
                          </span>
                          <span class={styles.note}>
                            {[check.actions[record.action], ...formatPreview(record, formatting)].join(' · ')}
                          </span>
                        </div>
                      ))}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </section>
    </div>
  )
}

/** The text of a note, which may be cut within a tag. */
function plainText(html: string | null): string {
  const page = new DOMParser().parseFromString(html ?? '', 'text/html')
  return page.body.textContent ?? ''
}
