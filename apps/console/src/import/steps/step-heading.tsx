import type { ComponentChildren } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import styles from '../import.module.css'

interface StepHeadingProps {
  readonly children: ComponentChildren
  /** False for the first step, which is where the page begins. */
  readonly takesFocus?: boolean
  /** When it changes, the heading takes the focus of a button that is gone. */
  readonly state?: string
}

/** The heading of a step, which has the focus when the step begins. */
export function StepHeading({ children, takesFocus = true, state }: StepHeadingProps) {
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    if (takesFocus) heading.current?.focus()
  }, [takesFocus])
  useEffect(() => {
    if (state !== undefined && document.activeElement === document.body) heading.current?.focus()
  }, [state])
  return (
    <h2 ref={heading} class={styles.heading} tabIndex={-1}>
      {children}
    </h2>
  )
}
