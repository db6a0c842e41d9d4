import styles from './logo.module.css'

/** Three stages of a pipeline and a won deal. */
export function Logo() {
  return (
    <svg class={styles.mark} viewBox="0 0 32 32" aria-hidden="true">
      <rect class={styles.ground} width="32" height="32" rx="9" />
      <rect class={styles.stage} x="7" y="8" width="9" height="3.5" rx="1.75" />
      <rect class={styles.stage} x="7" y="14.25" width="13" height="3.5" rx="1.75" />
      <rect class={styles.stage} x="7" y="20.5" width="9" height="3.5" rx="1.75" />
      <circle class={styles.won} cx="22" cy="22.25" r="3.25" />
    </svg>
  )
}
