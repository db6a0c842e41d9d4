import type { CustomField, Import } from '@sales-crm/client'
import { useId } from 'preact/hooks'
import { useConsole } from '../../app/console-context.ts'
import { Button, IconButton } from '../../ui/button.tsx'
import { Check, Select } from '../../ui/field.tsx'
import text from '../../ui/text.module.css'
import type { ImportKind } from '../can-import.ts'
import { policyField } from '../columns/target.ts'
import { fieldLabel } from '../columns/target-label.ts'
import styles from '../import.module.css'
import { useImportTexts } from '../texts/texts.ts'
import own from './rules.module.css'
import type { RulesProps } from './rules-props.ts'

type Policy = Import['policy']

const POLICIES: readonly Policy[] = ['fill', 'overwrite', 'keep']

interface PolicyRulesProps extends RulesProps {
  readonly fields: readonly CustomField[]
}

/** What happens to records that are found, with its exceptions. */
export function PolicyRules(props: PolicyRulesProps) {
  const { opened, update } = props
  const { rules } = useImportTexts()
  const name = useId()
  return (
    <section aria-label={rules.policy} class={styles.block}>
      <h2>{rules.policy}</h2>
      <fieldset class={own.pick} aria-label={rules.policy}>
        {POLICIES.map((policy) => (
          <label key={policy}>
            <input
              type="radio"
              name={name}
              checked={opened.policy === policy}
              onChange={() => update({ policy })}
            />
            <span>
              <b>{rules.policies[policy][0]}</b>
              {rules.policies[policy][1]}
            </span>
          </label>
        ))}
      </fieldset>
      <Exceptions {...props} />
      {/* biome-ignore lint/a11y/noLabelWithoutControl: the checkbox is in the component. */}
      <label class={styles.checkLine}>
        <Check
          label={rules.clearEmpty}
          checked={opened.clear_empty}
          change={(clear_empty) => update({ clear_empty })}
        />
        {rules.clearEmpty}
      </label>
    </section>
  )
}

/** The fields whose rule is another one. */
function Exceptions({ opened, update, fields }: PolicyRulesProps) {
  const { texts: shared } = useConsole()
  const texts = useImportTexts()
  const { rules } = texts
  const names = [...new Set(opened.columns.flatMap(({ target }) => (target && policyField(target)) ?? []))]
  const labelOf = (name: string) => {
    const [kind = '', ...field] = name.split('.')
    const label = fieldLabel({ field: field.join('.') }, { texts, shared, fields })
    return `${texts.kind[kind as ImportKind]}: ${label}`
  }
  const policies = Object.entries(opened.policies) as [string, Policy][]
  const free = names.filter((name) => !(name in opened.policies))
  const save = (entries: readonly (readonly [string, Policy])[]) =>
    update({ policies: Object.fromEntries(entries) })
  const [first] = free
  return (
    <>
      {policies.map(([name, policy], at) => (
        <p key={name} class={own.exception}>
          <span class={text.soft}>{rules.but}</span>
          <Select
            small
            aria-label={rules.exceptionField}
            value={name}
            change={(chosen) => save(policies.with(at, [chosen, policy]))}
          >
            {[name, ...free].map((each) => (
              <option key={each} value={each}>
                {labelOf(each)}
              </option>
            ))}
          </Select>
          <Select
            small
            aria-label={rules.ruleOf(labelOf(name))}
            value={policy}
            change={(chosen) => save(policies.with(at, [name, chosen as Policy]))}
          >
            {POLICIES.map((each) => (
              <option key={each} value={each}>
                {rules.policies[each][0]}
              </option>
            ))}
          </Select>
          <IconButton
            small
            icon="x"
            label={rules.removeException(labelOf(name))}
            onClick={() => save(policies.toSpliced(at, 1))}
          />
        </p>
      ))}
      {first !== undefined && (
        <p>
          <Button
            small
            look="quiet"
            icon="plus"
            onClick={() => save([...policies, [first, opened.policy === 'keep' ? 'fill' : 'keep']])}
          >
            {rules.addException}
          </Button>
        </p>
      )}
    </>
  )
}
