import { type RuledKind, VISIBILITY_RULES, type VisibilityRule } from '@sales-crm/core/browser'
import { KIND_ICONS } from '../../records/kinds.ts'
import { classNames } from '../../ui/class-names.ts'
import group from '../../ui/group.module.css'
import { Icon } from '../../ui/icon.tsx'
import { useVisibilityTexts } from './texts.ts'
import styles from './visibility-page.module.css'

interface RuleRowProps {
  readonly kind: RuledKind
  readonly rule: VisibilityRule
  /** The rule that holds now. */
  readonly saved: VisibilityRule
  readonly hasTeams: boolean
  /** Undefined for a member who may not change it. */
  readonly change: ((rule: VisibilityRule) => void) | undefined
}

/** Chooses who sees the records of a kind. */
export function RuleRow({ kind, rule, saved, hasTeams, change }: RuleRowProps) {
  const texts = useVisibilityTexts()
  const name = texts.kinds[kind]
  const isDisabled = (each: VisibilityRule) =>
    change === undefined || (each === 'team' && !hasTeams && saved !== 'team')
  return (
    <div class={classNames(styles.rule, rule !== saved && styles.isChanged)}>
      <h3>
        <Icon name={KIND_ICONS[kind]} />
        {name}
      </h3>
      <fieldset class={group.group} aria-label={texts.whoSees(name)} aria-describedby={`rule-${kind}`}>
        {VISIBILITY_RULES.map((each) => (
          <label key={each}>
            <input
              type="radio"
              name={kind}
              checked={each === rule}
              disabled={isDisabled(each)}
              onChange={() => change?.(each)}
            />
            {texts.rules[each]}
          </label>
        ))}
      </fieldset>
      <p id={`rule-${kind}`}>
        {texts.means[rule](name)} {kind === 'tasks' && rule !== 'everyone' && texts.ofTasks}{' '}
        {rule !== saved && <b>{texts.was(texts.rules[saved])}</b>}{' '}
        {change && isDisabled('team') && `${texts.rules.team}: ${texts.teamFirst}`}
      </p>
    </div>
  )
}
