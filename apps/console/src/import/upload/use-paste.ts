import { useEffect, useRef } from 'preact/hooks'

/** Takes what is pasted outside of fields: a file, or the rows of a spreadsheet. */
export function usePaste(takeFile: (file: File) => void, takeText: (text: string) => void): void {
  const latest = useRef({ takeFile, takeText })
  latest.current = { takeFile, takeText }
  useEffect(() => {
    const paste = ({ clipboardData, target }: ClipboardEvent) => {
      if (target instanceof HTMLElement && target.closest('input, textarea')) return
      // Spreadsheets also copy a picture of the cells.
      const file = [...(clipboardData?.files ?? [])].find(({ type }) => !type.startsWith('image/'))
      const content = clipboardData?.getData('text/plain') ?? ''
      if (file) latest.current.takeFile(file)
      else if (content.trim() !== '') latest.current.takeText(content)
    }
    document.addEventListener('paste', paste)
    return () => document.removeEventListener('paste', paste)
  }, [])
}
