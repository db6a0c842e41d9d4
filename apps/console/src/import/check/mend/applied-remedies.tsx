import type { Import } from '@sales-crm/client'
import { Button } from '../../../ui/button.tsx'
import text from '../../../ui/text.module.css'
import styles from '../../import.module.css'
import { useImportTexts } from '../../texts/texts.ts'
import own from './mend.module.css'
import { useMendChoices } from './mend-choices.ts'
import type { Mend } from './use-mend.ts'

/** Replacements of a column that are written out. */
const MAX_SHOWN = 5

interface AppliedRemediesProps {
  readonly opened: Import
  readonly mend: Mend
}

/** What the cells of each column become in place of what the file has, and the way back. */
export function AppliedRemedies({ opened, mend }: AppliedRemediesProps) {
  const { check } = useImportTexts()
  const listChoices = useMendChoices()
  const mended = [...opened.columns.entries()].filter(
    ([, { target, replace, if_invalid }]) => target && (replace.length > 0 || if_invalid === 'blank'),
  )
  if (mended.length === 0) return null
  return (
    <section class={styles.block} aria-label={check.mend.applied}>
      <h2>{check.mend.applied}</h2>
      <ul class={own.applied}>
        {mended.map(([index, { name, target, replace, if_invalid }]) => {
          const choices = listChoices(target!)
          const nameOf = (to: string) => choices.find((choice) => choice.text === to)?.label ?? to
          return (
            <li key={index}>
              <b>{name}</b>
              <Button
                small
                look="quiet"
                class={text.push}
                aria-label={check.mend.takeBackOf(name)}
                aria-disabled={mend.isPending}
                onClick={() => mend.isPending || mend.reset(index)}
              >
                {check.mend.takeBack}
              </Button>
              <ul>
                {replace.slice(0, MAX_SHOWN).map(({ from, to }) => (
                  <li key={from}>{check.mend.pair(from, to ? nameOf(to) : null)}</li>
                ))}
                {replace.length > MAX_SHOWN && (
                  <li class={text.soft}>{check.mend.others(replace.length - MAX_SHOWN)}</li>
                )}
                {if_invalid === 'blank' && <li>{check.mend.isBlank}</li>}
              </ul>
            </li>
          )
        })}
      </ul>
    </section>
  )
}
