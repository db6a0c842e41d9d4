import { findWords } from '../format/find-match.ts'
import styles from './highlighted.module.css'

interface HighlightedProps {
  readonly text: string
  readonly sought: string
}

/** A text with the part that is sought marked. */
export function Highlighted({ text: words, sought }: HighlightedProps) {
  const match = findWords(words, sought)
  if (!match) return words
  const [start, end] = match
  return (
    <>
      {words.slice(0, start)}
      <mark class={styles.mark}>{words.slice(start, end)}</mark>
      {words.slice(end)}
    </>
  )
}
