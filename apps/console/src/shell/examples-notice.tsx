import { useConsole } from '../app/console-context.ts'
import { useExamples } from '../reference/use-examples.ts'
import { Button } from '../ui/button.tsx'
import styles from './examples-notice.module.css'

/** Says that there are examples, and takes them out again. */
export function ExamplesNotice() {
  const { texts } = useConsole()
  const examples = useExamples()
  if (!examples?.areThere) return null
  return (
    <p class={styles.notice}>
      <span>{texts.examples.areThere}</span>
      <Button small look="quiet" onClick={examples.remove}>
        {texts.examples.remove}
      </Button>
    </p>
  )
}
