import { Link } from 'wouter'
import { Bar, pageStyles, usePageTitle } from '../shell/page-parts.tsx'
import { useConsole } from './console-context.ts'

export function NotFoundPage() {
  const { texts } = useConsole()
  usePageTitle(texts.record.notFound)
  return (
    <>
      <Bar>
        <h1>{texts.record.notFound}</h1>
      </Bar>
      <div class={pageStyles.state}>
        <p>{texts.record.notFoundText}</p>
        <Link href="/">{texts.nav.myDay}</Link>
      </div>
    </>
  )
}
