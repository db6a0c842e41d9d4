import type { CustomField } from '@sales-crm/client'
import { useConsole } from '../../app/console-context.ts'
import { Select } from '../../ui/field.tsx'
import { Icon } from '../../ui/icon.tsx'
import text from '../../ui/text.module.css'
import type { ImportKind } from '../can-import.ts'
import { fieldLabel } from '../columns/target-label.ts'
import styles from '../import.module.css'
import { KIND_ICONS } from '../kind-icons.ts'
import { useImportTexts } from '../texts/texts.ts'
import own from './rules.module.css'
import type { RulesProps } from './rules-props.ts'

interface MatchRulesProps extends RulesProps {
  readonly fields: readonly CustomField[]
}

/** Stands for what the service tries by itself. */
const ANY = ''
/** Stands for a kind whose records are all new. */
const NEVER = 'never'

/** By what each kind is found. */
export function MatchRules({ opened, update, fields }: MatchRulesProps) {
  const { texts: shared } = useConsole()
  const texts = useImportTexts()
  const { rules } = texts
  const nameOf = (name: string) =>
    texts.matchNames[name] ?? fieldLabel({ field: name }, { texts, shared, fields })
  const choose = (kind: ImportKind, chosen: string) => {
    const { [kind]: _, ...others } = opened.match as Readonly<Record<string, string | null>>
    update({ match: chosen === ANY ? others : { ...others, [kind]: chosen === NEVER ? null : chosen } })
  }
  return (
    <ul class={own.lines}>
      {opened.kinds.map((kind) => {
        const choices = opened.match_choices[kind] ?? []
        const isOnly = choices.length === 1
        const chosen = opened.match[kind]
        // The only choice is what the service tries by itself.
        const value = chosen === undefined || (isOnly && chosen === choices[0]) ? ANY : (chosen ?? NEVER)
        return (
          <li key={kind}>
            <span class={styles.kindName}>
              <Icon name={KIND_ICONS[kind]} />
              {texts.kinds[kind]}
            </span>
            {choices.length === 0 ? (
              <span class={text.soft}>{rules.noColumn}</span>
            ) : (
              <Select
                small
                aria-label={rules.foundBy(texts.kinds[kind])}
                value={value}
                change={(name) => choose(kind, name)}
              >
                <option value={ANY}>
                  {isOnly ? nameOf(choices[0]!) : rules.anyOf(choices.map(nameOf).join(', '))}
                </option>
                {!isOnly &&
                  choices.map((name) => (
                    <option key={name} value={name}>
                      {nameOf(name)}
                    </option>
                  ))}
                <option value={NEVER}>{rules.never}</option>
              </Select>
            )}
          </li>
        )
      })}
    </ul>
  )
}
