import { useEffect, useRef } from 'preact/hooks'
import { Button } from './button.tsx'

interface EndSentinelProps {
  readonly label: string
  readonly isBusy: boolean
  readonly reach: () => void
}

/** The end of a list: what follows is loaded a screen before it is seen, or by the button. */
export function EndSentinel({ label, isBusy, reach }: EndSentinelProps) {
  const element = useRef<HTMLDivElement>(null)
  const latest = useRef({ isBusy, reach })
  latest.current = { isBusy, reach }
  useEffect(() => {
    const observer = new IntersectionObserver(
      ([entry]) => entry?.isIntersecting && !latest.current.isBusy && latest.current.reach(),
      { rootMargin: '100% 0px' },
    )
    if (element.current) observer.observe(element.current)
    return () => observer.disconnect()
  }, [])
  return (
    <div ref={element}>
      <Button look="quiet" small aria-busy={isBusy} onClick={reach}>
        {label}
      </Button>
    </div>
  )
}
