import type { ComponentChildren } from 'preact'
import { useId } from 'preact/hooks'
import { Button } from '../../ui/button.tsx'
import { classNames } from '../../ui/class-names.ts'
import { FieldError, type FieldIds } from '../../ui/field.tsx'
import { useWorkspaceTexts } from './texts.ts'
import styles from './workspace-page.module.css'

interface SettingRowProps {
  readonly label: string
  /** What the setting changes, and what stays. */
  readonly text: string
  readonly children: (ids: FieldIds) => ComponentChildren
  /** What the setting does to an example. */
  readonly example?: string | undefined
  /** The saved value, for a setting that has an unsaved one. */
  readonly saved?: string | undefined
  readonly putBack?: (() => void) | undefined
  readonly error?: string | undefined
}

/** A setting with its explanation beside it. */
export function SettingRow(props: SettingRowProps) {
  const { label, text, children, example, saved, putBack, error } = props
  const texts = useWorkspaceTexts()
  const id = useId()
  const ids = {
    id,
    'aria-describedby': error === undefined ? `${id}-text` : `${id}-text ${id}-error`,
    ...(error !== undefined && { 'aria-invalid': true as const }),
  }
  return (
    <div class={classNames(styles.setting, saved !== undefined && styles.changed)}>
      <div>
        <label class={styles.settingLabel} for={id}>
          {label}
        </label>
        <p class={styles.settingText} id={`${id}-text`}>
          {text}
        </p>
      </div>
      <div class={styles.control}>
        {children(ids)}
        {error !== undefined && <FieldError id={`${id}-error`}>{error}</FieldError>}
        {example !== undefined && <p class={styles.settingText}>{example}</p>}
        {saved !== undefined && (
          <p class={styles.saved}>
            {texts.was(saved)}{' '}
            <Button small look="quiet" onClick={putBack}>
              {texts.putBack}
              <span class={styles.unseen}> {label}</span>
            </Button>
          </p>
        )}
      </div>
    </div>
  )
}
