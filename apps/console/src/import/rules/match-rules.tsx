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
import type { RulesProps } from './rules-step.tsx'

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
        const usual = choices.filter((name) => name in texts.matchNames)
        const chosen = opened.match[kind]
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
                value={chosen === undefined ? ANY : (chosen ?? NEVER)}
                change={(value) => choose(kind, value)}
              >
                {usual.length > 1 && <option value={ANY}>{rules.anyOf(usual.map(nameOf).join(', '))}</option>}
                {choices.map((name, index) => (
                  // One choice alone is what the service tries by itself.
                  <option key={name} value={usual.length === 1 && index === 0 ? ANY : name}>
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
