import { Link } from 'wouter'
import { isAdmin, useConsole } from '../../app/console-context.ts'
import { useMenu } from '../../reference/queries.ts'
import { buttonStyles } from '../../ui/button.tsx'
import { classNames } from '../../ui/class-names.ts'
import { Icon } from '../../ui/icon.tsx'
import text from '../../ui/text.module.css'
import type { Kind } from '../kinds.ts'
import page from '../record-page.module.css'
import type { AnyRecord } from '../use-record.ts'
import { CustomFieldFact } from './custom-field-fact.tsx'
import { Facts } from './fact.tsx'
import { fieldsOfKind } from './fields-of-kind.ts'

export function CustomFieldFacts({ kind, record }: { readonly kind: Kind; readonly record: AnyRecord }) {
  const { me, texts } = useConsole()
  const fields = useMenu('customFields')
  const shown = fieldsOfKind(fields.data ?? [], kind)
  if (shown.length === 0) return null
  return (
    <section class={page.block}>
      <div class={page.blockHead}>
        <h2>{texts.record.customFields}</h2>
        {isAdmin(me) && (
          <Link
            class={classNames(buttonStyles.iconButton, buttonStyles.small, text.push)}
            href="/settings/custom-fields"
            aria-label={`${texts.nav.settings}: ${texts.record.customFields}`}
          >
            <Icon name="gear" />
          </Link>
        )}
      </div>
      <Facts>
        {shown.map((field) => (
          <CustomFieldFact key={field.key} kind={kind} record={record} field={field} />
        ))}
      </Facts>
    </section>
  )
}
