import styles from './gauge.module.css'

export interface StagePlace {
  readonly type: 'open' | 'win' | 'lost'
  /** Position among the open stages, from 1. */
  readonly at?: number
  /** Number of open stages. */
  readonly of?: number
}

/** Shows how far a stage is: a piece for each open stage, a dot for won and lost. */
export function Gauge({ type, at = 0, of = 0 }: StagePlace) {
  if (type === 'win') return <i class={styles.won} aria-hidden="true" />
  if (type === 'lost') return <i class={styles.lost} aria-hidden="true" />
  return <i class={styles.gauge} style={{ '--at': at, '--of': of }} aria-hidden="true" />
}
