import type { Texts } from '../texts/en.ts'
import { lowerFirst } from '../texts/lower-first.ts'
import { COMPANY_NAME, type Target } from './columns/target.ts'
import type { ImportTexts } from './texts-en.ts'

/** The name of what a column becomes, as the choice has it. */
export function targetLabel(target: Target, texts: ImportTexts, shared: Texts): string {
  const { targets } = texts
  switch (target.kind) {
    case 'email':
      return `${targets.email} (${targets.emailTypes[target.type]})`
    case 'phone':
      return `${targets.phone} (${targets.phoneTypes[target.type]})`
    case 'field':
      return target.field.label
    case 'address':
      return `${target.field.label}: ${lowerFirst(shared.address[target.part])}`
    default:
      return target.id === COMPANY_NAME ? texts.shortTargets.name : targets[target.kind]
  }
}

/** The same without how it is found, for headings. */
export function shortLabel(target: Target, texts: ImportTexts, shared: Texts): string {
  const { targets, shortTargets } = texts
  switch (target.kind) {
    case 'email':
    case 'phone':
      return targets[target.kind]
    case 'company':
    case 'owner':
    case 'tags':
    case 'note':
      return shortTargets[target.kind]
    default:
      return targetLabel(target, texts, shared)
  }
}
