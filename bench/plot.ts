import { type Axis, type FittedAxis, fitAxis, shownNumber } from './axes.ts'

/** Panels side by side, two in a row. */
export interface Plot {
  readonly title: string
  /** What it shows and says, for those who do not see it. */
  readonly description: string
  /** What a dashed line means beside a whole one; left out where none is dashed. */
  readonly strokes?: { readonly whole: string; readonly dashed: string }
  readonly panels: readonly Panel[]
}

export interface Panel {
  readonly title: string
  readonly x: Axis
  readonly y: Axis
  readonly lines: readonly Line[]
  /** Heights that are not to be passed. */
  readonly bounds?: readonly { readonly label: string; readonly at: number }[]
}

export interface Line {
  /** In the legend, and by colour and mark. Lines of one label are drawn alike. */
  readonly label: string
  readonly dashed: boolean
  readonly points: readonly (readonly [x: number, y: number])[]
}

/** Each on white, and on the dark. */
const COLOURS = [
  ['#0b62a4', '#60a5fa'],
  ['#b45309', '#fbbf24'],
  ['#047857', '#34d399'],
  ['#a21caf', '#e879f9'],
  ['#b91c1c', '#f87171'],
  ['#475569', '#cbd5e1'],
  ['#0e7490', '#22d3ee'],
  ['#713f12', '#d6a35c'],
  ['#4d7c0f', '#a3e635'],
] as const
/** A mark of each kind, about the origin. */
const MARKS = [
  'M-3-3h6v6h-6z',
  'M0-4 4 3h-8z',
  'M-4 0 0-4 4 0 0 4z',
  'M0 4-4-3h8z',
  'M-3 0a3 3 0 1 0 6 0a3 3 0 1 0-6 0z',
]
/** With more points than this marks would hide the line. */
const MOST_MARKS = 20

const COLUMNS = 2
const WIDTH = 520
const PLOT = { left: 66, top: 34, width: 422, height: 210 }
const LEGEND = { left: 16, top: PLOT.top + PLOT.height + 58, columns: 2, width: 250, line: 17 }
const HEAD = 54

/** The plot as an SVG file that needs nothing else, dark where whoever looks at it has it dark. */
export function svgOf({ title, description, strokes, panels }: Plot): string {
  const rows = Array.from({ length: Math.ceil(panels.length / COLUMNS) }, (_, row) =>
    panels.slice(row * COLUMNS, (row + 1) * COLUMNS),
  )
  const drawn: string[] = []
  let high = HEAD
  for (const row of rows) {
    drawn.push(
      ...row.map(
        (panel, column) => `<g transform="translate(${column * WIDTH} ${high})">${panelOf(panel)}</g>`,
      ),
    )
    high += Math.max(...row.map(heightOf))
  }
  const wide = WIDTH * Math.min(COLUMNS, panels.length)
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${wide} ${high}" role="img" aria-labelledby="title desc">`,
    `<title id="title">${escaped(title)}</title>`,
    `<desc id="desc">${escaped(description)}</desc>`,
    `<style>${style()}</style>`,
    `<rect class="back" width="${wide}" height="${high}"/>`,
    `<text class="title" x="16" y="24">${escaped(title)}</text>`,
    ...(strokes === undefined ? [] : [strokesKey(strokes)]),
    ...drawn,
    '</svg>\n',
  ].join('\n')
}

function heightOf({ lines }: Panel): number {
  return LEGEND.top + Math.ceil(labelsOf(lines).length / LEGEND.columns) * LEGEND.line + 14
}

function panelOf({ title, x, y, lines, bounds = [] }: Panel): string {
  const [across, up] = [
    fitAxis(
      x,
      lines.flatMap(({ points }) => points.map(([each]) => each)),
    ),
    fitAxis(y, [
      ...lines.flatMap(({ points }) => points.map(([, each]) => each)),
      ...bounds.map(({ at }) => at),
    ]),
  ]
  const place = (point: readonly [number, number]) =>
    [
      round(PLOT.left + across.at(point[0]) * PLOT.width),
      round(PLOT.top + (1 - up.at(point[1])) * PLOT.height),
    ] as const
  const labels = labelsOf(lines)
  return [
    `<text class="panel" x="${PLOT.left}" y="20">${escaped(title)}</text>`,
    ...across.ticks.map((tick) => vertical(tick, across)),
    ...up.ticks.map((tick) => horizontal(tick, up)),
    ...bounds.map(({ label, at }) => bound(label, place([across.ticks[0]!, at])[1])),
    `<text class="label" text-anchor="middle" x="${PLOT.left + PLOT.width / 2}" y="${PLOT.top + PLOT.height + 36}">${escaped(x.label)}</text>`,
    `<text class="label" text-anchor="middle" transform="translate(14 ${PLOT.top + PLOT.height / 2}) rotate(-90)">${escaped(y.label)}</text>`,
    ...lines.map(({ label, dashed, points }) => line(labels.indexOf(label), dashed, points.map(place))),
    ...labels.map((label, index) => legend(label, index)),
  ].join('\n')
}

function labelsOf(lines: readonly Line[]): string[] {
  return [...new Set(lines.map(({ label }) => label))]
}

function vertical(tick: number, { at }: FittedAxis): string {
  const x = round(PLOT.left + at(tick) * PLOT.width)
  const bottom = PLOT.top + PLOT.height
  return `<path class="grid" d="M${x} ${PLOT.top}V${bottom}"/><text class="tick" text-anchor="middle" x="${x}" y="${bottom + 16}">${shownNumber(tick)}</text>`
}

function horizontal(tick: number, { at }: FittedAxis): string {
  const y = round(PLOT.top + (1 - at(tick)) * PLOT.height)
  return `<path class="grid" d="M${PLOT.left} ${y}h${PLOT.width}"/><text class="tick" text-anchor="end" x="${PLOT.left - 6}" y="${round(y + 4)}">${shownNumber(tick)}</text>`
}

function bound(label: string, y: number): string {
  return `<path class="bound" d="M${PLOT.left} ${y}h${PLOT.width}"/><text class="tick" text-anchor="end" x="${PLOT.left + PLOT.width - 4}" y="${round(y - 5)}">${escaped(label)}</text>`
}

function line(index: number, dashed: boolean, places: readonly (readonly [number, number])[]): string {
  const path = `<path class="line c${index % COLOURS.length}${dashed ? ' dashed' : ''}" d="M${places.map((each) => each.join(' ')).join('L')}"/>`
  return places.length > MOST_MARKS ? path : path + places.map((each) => mark(index, each)).join('')
}

function mark(index: number, [x, y]: readonly [number, number]): string {
  return `<path class="mark m${index % COLOURS.length}" transform="translate(${x} ${y})" d="${MARKS[index % MARKS.length]}"/>`
}

function legend(label: string, index: number): string {
  const x = LEGEND.left + (index % LEGEND.columns) * LEGEND.width
  const y = LEGEND.top + Math.floor(index / LEGEND.columns) * LEGEND.line
  return `<path class="line c${index % COLOURS.length}" d="M${x} ${y - 4}h18"/>${mark(index, [x + 9, y - 4])}<text class="tick" x="${x + 24}" y="${y}">${escaped(label)}</text>`
}

function strokesKey({ whole, dashed }: NonNullable<Plot['strokes']>): string {
  return `<g class="key"><path class="line" d="M16 42h26"/><text class="tick" x="48" y="46">${escaped(whole)}</text><path class="line dashed" d="M136 42h26"/><text class="tick" x="168" y="46">${escaped(dashed)}</text></g>`
}

function style(): string {
  const coloured = (shade: 0 | 1) =>
    COLOURS.map((each, index) => `.c${index}{stroke:${each[shade]}}.m${index}{fill:${each[shade]}}`).join('')
  const shaded = (back: string, text: string, grid: string, bound: string, shade: 0 | 1) =>
    `.back{fill:${back}}text{fill:${text}}.grid{stroke:${grid}}.bound{stroke:${bound}}.key .line{stroke:${text}}${coloured(shade)}`
  return [
    'text{font-family:system-ui,sans-serif;font-size:12px}.title{font-size:17px;font-weight:600}.panel{font-size:14px;font-weight:600}',
    '.grid{stroke-width:1}.bound{stroke-width:1.5;stroke-dasharray:2 3}.line{fill:none;stroke-width:1.8}.dashed{stroke-dasharray:6 4}',
    shaded('#ffffff', '#1f2937', '#e5e7eb', '#b91c1c', 0),
    `@media (prefers-color-scheme: dark){${shaded('#0d1117', '#e5e7eb', '#2d333b', '#f87171', 1)}}`,
  ].join('')
}

function escaped(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
}

function round(value: number): number {
  return Math.round(value * 10) / 10
}
