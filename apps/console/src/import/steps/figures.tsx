import text from '../../ui/text.module.css'
import styles from './steps.module.css'

interface Figure {
  readonly label: string
  readonly value: string
  readonly note?: string
}

/** Figures with what they count. */
export function Figures({ figures }: { readonly figures: readonly Figure[] }) {
  return (
    <dl class={styles.figures}>
      {figures.map(({ label, value, note }) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd>
            {value} {note && <small class={text.soft}>{note}</small>}
          </dd>
        </div>
      ))}
    </dl>
  )
}
