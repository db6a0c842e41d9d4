import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Page } from 'playwright-core'

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

interface Violation {
  readonly id: string
  readonly nodes: readonly { readonly html: string }[]
}

/**
 * Returns the accessibility violations of a page.
 * @param hasPopup popups stand beside the landmarks, with guards that hand the focus on
 */
export async function violations(page: Page, hasPopup = false): Promise<string[]> {
  await page.evaluate(AXE)
  const options = hasPopup
    ? "{ exclude: ['[data-base-ui-focus-guard]'] }, { rules: { region: { enabled: false } } }"
    : ''
  const { violations } = (await page.evaluate(`axe.run(${options})`)) as { violations: readonly Violation[] }
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`)
}
