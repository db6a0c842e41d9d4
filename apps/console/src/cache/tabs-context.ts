import type { OtherTabs } from './other-tabs.ts'

let tabs: OtherTabs | undefined

export function setOtherTabs(value: OtherTabs): void {
  tabs = value
}

export function otherTabs(): OtherTabs | undefined {
  return tabs
}
