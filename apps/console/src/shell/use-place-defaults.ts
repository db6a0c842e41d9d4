import { useEffect } from 'preact/hooks'
import type { CreateDefaults } from '../create/create-defaults.ts'
import { useLatest } from '../keyboard/use-latest.ts'
import { useShell } from './shell-context.ts'

/** Begins what is created from anywhere with the links of this page, while the component is shown. */
export function usePlaceDefaults(defaults: CreateDefaults): void {
  const { setPlaceDefaults } = useShell()
  const defaultsNow = useLatest(() => defaults)
  useEffect(() => {
    setPlaceDefaults(defaultsNow)
    return () => setPlaceDefaults(undefined)
  }, [])
}
