import styles from './avatar.module.css'
import { classNames } from './class-names.ts'

const COLOURS = [styles.first, styles.second, styles.third, styles.fourth, styles.fifth]

interface AvatarProps {
  /** Undefined draws a dashed circle: nobody. */
  readonly of: { readonly id: string; readonly name: string } | undefined
  /** The accessible name; that of the record by default. Empty where the name stands beside it. */
  readonly label?: string
  readonly big?: boolean
}

export function Avatar({ of, label = of?.name, big = false }: AvatarProps) {
  const colour = of ? COLOURS[colourIndex(of.id)] : styles.nobody
  const className = classNames(styles.avatar, colour, big && styles.big)
  const letters = of && initials(of.name)
  if (label === '')
    return (
      <span class={className} aria-hidden="true">
        {letters}
      </span>
    )
  return (
    <span class={className} role="img" aria-label={label} title={label}>
      {letters}
    </span>
  )
}

/** The first letters of the first and the last word. */
export function initials(name: string): string {
  const words = name.split(/\s+/).filter(Boolean)
  const letters = words.length > 1 ? [words[0], words.at(-1)] : words
  return letters.map((word) => [...(word ?? '')][0]?.toUpperCase() ?? '').join('')
}

function colourIndex(id: string): number {
  let hash = 0
  for (const character of id) hash = (hash * 31 + (character.codePointAt(0) ?? 0)) >>> 0
  return hash % COLOURS.length
}
