import { isAdmin, useConsole } from '../../app/console-context.ts'
import { IconButton } from '../../ui/button.tsx'
import { InlineText } from '../frame/inline-text.tsx'
import { partStyles } from '../frame/part-page.tsx'
import { useSettingsTexts } from '../texts.ts'
import { ColourPicker } from './colour-picker.tsx'
import { DEFAULT_COLOUR, type Label, type LabelKind } from './label.ts'
import styles from './label-page.module.css'
import { useLabelUpdate } from './use-label-update.ts'

const MAX_DESCRIPTION_LENGTH = 500

interface LabelRowProps {
  readonly kind: LabelKind
  readonly label: Label
  readonly askDeletion: () => void
}

/** A label that is edited in its place. */
export function LabelRow({ kind, label, askDeletion }: LabelRowProps) {
  const { me, texts } = useConsole()
  const settings = useSettingsTexts()
  const update = useLabelUpdate(kind)
  return (
    <li class={partStyles.row}>
      {kind.has === 'colour' && (
        <ColourPicker
          label={settings.labels.colourOf(label.name)}
          value={label.colour ?? DEFAULT_COLOUR}
          change={(colour) => update(label, { colour })}
        />
      )}
      <div class={styles.texts}>
        <InlineText
          isStrong
          label={texts.labels.name}
          field={kind.nameField}
          value={label.name}
          maxLength={kind.maxNameLength}
          save={(name, onError) => update(label, { name }, onError)}
        />
        {kind.has === 'description' && (
          <InlineText
            isOptional
            isMultiline
            label={texts.labels.description}
            field="description"
            value={label.description ?? ''}
            maxLength={MAX_DESCRIPTION_LENGTH}
            save={(description, onError) => update(label, { description }, onError)}
          />
        )}
      </div>
      {label.note && <span class={styles.note}>{label.note}</span>}
      {isAdmin(me) && (
        <IconButton
          small
          icon="trash"
          label={settings.deleteItem(label.name)}
          data-deletion={label.id}
          onClick={askDeletion}
        />
      )}
    </li>
  )
}
