/** Mean width of a bold character in a wide face, in units of the drawing. Most faces are narrower. */
const CHARACTER_WIDTH = 8.2

const segmenter = new Intl.Segmenter(undefined, { granularity: 'grapheme' })

/** Estimates the width of a text, in units of the drawing. */
export function estimateWidth(text: string): number {
  return segmentText(text).length * CHARACTER_WIDTH
}

/** Cuts a text that is wider than `width`, at the end. */
export function cutToWidth(text: string, width: number): string {
  const characters = segmentText(text)
  const room = Math.floor(width / CHARACTER_WIDTH)
  if (characters.length <= room) return text
  return `${characters
    .slice(0, Math.max(1, room - 1))
    .join('')
    .trimEnd()}…`
}

/** Returns the step at which the labels of an axis do not touch: 1 shows all, 2 every second one. */
export function labelStep(labels: readonly string[], slot: number): number {
  const widest = Math.max(0, ...labels.map(estimateWidth))
  return slot > 0 ? Math.max(1, Math.ceil((widest + CHARACTER_WIDTH) / slot)) : 1
}

function segmentText(text: string): readonly string[] {
  return Array.from(segmenter.segment(text), ({ segment }) => segment)
}
