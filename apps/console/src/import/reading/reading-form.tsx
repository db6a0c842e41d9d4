import type { Import, ImportChanges } from '@sales-crm/client'
import { useState } from 'preact/hooks'
import { Button } from '../../ui/button.tsx'
import { Check, Field, Select } from '../../ui/field.tsx'
import { IMPORT_KINDS } from '../can-import.ts'
import styles from '../import.module.css'
import { useImportUpdate } from '../queries.ts'
import { useImportTexts } from '../texts/texts.ts'

interface ReadingFormProps {
  readonly opened: Import
  readonly onSent?: () => void
}

type Reading = Pick<ImportChanges, 'encoding' | 'delimiter' | 'has_header' | 'kind'>

/** How the file is read: its encoding, its separator, its header and the kind of its rows. */
export function ReadingForm({ opened, onSent }: ReadingFormProps) {
  const texts = useImportTexts()
  const { reading, file } = texts
  const update = useImportUpdate(opened.id)
  const [chosen, setChosen] = useState<Reading>({
    encoding: opened.is_encoding_guess ? null : opened.encoding,
    delimiter: opened.delimiter,
    has_header: opened.has_header,
    kind: opened.kind,
  })
  const choose = (changes: Reading) => setChosen({ ...chosen, ...changes })
  const send = (event: Event) => {
    event.preventDefault()
    update(chosen)
    onSent?.()
  }
  return (
    <form class={styles.reading} onSubmit={send}>
      <div class={styles.additions}>
        <Choice
          label={reading.encoding}
          any={reading.found}
          value={chosen.encoding}
          options={Object.entries(reading.encodings)}
          choose={(encoding) => choose({ encoding: encoding as Reading['encoding'] })}
        />
        {opened.format !== 'ndjson' && (
          <Choice
            label={reading.delimiter}
            any={reading.found}
            value={chosen.delimiter}
            options={Object.entries(reading.delimiters)}
            choose={(delimiter) => choose({ delimiter: delimiter as Reading['delimiter'] })}
          />
        )}
        <Choice
          label={file.kind}
          any={file.kindFound}
          value={chosen.kind}
          options={IMPORT_KINDS.map((kind) => [kind, texts.kind[kind]])}
          choose={(kind) => choose({ kind: kind as Reading['kind'] })}
        />
      </div>
      {opened.format !== 'ndjson' && (
        // biome-ignore lint/a11y/noLabelWithoutControl: the checkbox is in the component.
        <label class={styles.checkLine}>
          <Check
            label={reading.hasHeader}
            checked={chosen.has_header ?? true}
            change={(has_header) => choose({ has_header })}
          />
          {reading.hasHeader}
        </label>
      )}
      <p>
        <Button type="submit" look="main" icon="refresh">
          {reading.again}
        </Button>
      </p>
    </form>
  )
}

interface ChoiceProps {
  readonly label: string
  /** Of null: the service finds it. */
  readonly any: string
  readonly value: string | null | undefined
  readonly options: readonly (readonly [value: string, label: string])[]
  readonly choose: (value: string | null) => void
}

function Choice({ label, any, value, options, choose }: ChoiceProps) {
  return (
    <Field label={label}>
      {(ids) => (
        <Select {...ids} value={value ?? ''} change={(chosen) => choose(chosen || null)}>
          <option value="">{any}</option>
          {options.map(([each, name]) => (
            <option key={each} value={each}>
              {name}
            </option>
          ))}
        </Select>
      )}
    </Field>
  )
}
