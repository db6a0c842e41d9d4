import { type Axis, type FittedAxis, fitAxis, formatNumber } from './axes.ts'

/** A plot of panels, two in a row. */
export interface Plot {
  readonly title: string
  /** Alternative text. */
  readonly description: string
  /** The legend of solid and dashed lines, if there are any dashed ones. */
  readonly strokes?: { readonly solid: string; readonly dashed: string }
  readonly panels: readonly Panel[]
}

export interface Panel {
  readonly title: string
  readonly x: Axis
  readonly y: Axis
  readonly lines: readonly Line[]
  /** Horizontal lines that mark maxima. */
  readonly bounds?: readonly { readonly label: string; readonly at: number }[]
}

export interface Line {
  /** Legend label. Lines of one label have the same colour and mark. */
  readonly label: string
  readonly dashed: boolean
  readonly points: readonly (readonly [x: number, y: number])[]
}

/** Colours on a light and on a dark background. */
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
/** SVG paths of the marks, around the origin. */
const MARKS = [
  'M-3-3h6v6h-6z',
  'M0-4 4 3h-8z',
  'M-4 0 0-4 4 0 0 4z',
  'M0 4-4-3h8z',
  'M-3 0a3 3 0 1 0 6 0a3 3 0 1 0-6 0z',
]
/** Lines with more points have no marks, which would hide the line. */
const MAX_MARKED_POINTS = 20

const COLUMNS = 2
const WIDTH = 520
const PLOT = { left: 66, top: 34, width: 422, height: 210 }
const LEGEND = { left: 16, top: PLOT.top + PLOT.height + 58, columns: 2, width: 250, rowHeight: 17 }
const HEAD = 54

/** Renders the plot as a self-contained SVG file, with a dark colour scheme for dark mode. */
export function renderSvg({ title, description, strokes, panels }: Plot): string {
  const rows = Array.from({ length: Math.ceil(panels.length / COLUMNS) }, (_, row) =>
    panels.slice(row * COLUMNS, (row + 1) * COLUMNS),
  )
  const renderedPanels: string[] = []
  let totalHeight = HEAD
  for (const row of rows) {
    renderedPanels.push(
      ...row.map(
        (panel, column) =>
          `<g transform="translate(${column * WIDTH} ${totalHeight})">${renderPanel(panel)}</g>`,
      ),
    )
    totalHeight += Math.max(...row.map(panelHeight))
  }
  const totalWidth = WIDTH * Math.min(COLUMNS, panels.length)
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${totalWidth} ${totalHeight}" role="img" aria-labelledby="title desc">`,
    `<title id="title">${escapeXml(title)}</title>`,
    `<desc id="desc">${escapeXml(description)}</desc>`,
    `<style>${renderStyle()}</style>`,
    `<rect class="back" width="${totalWidth}" height="${totalHeight}"/>`,
    `<text class="title" x="16" y="24">${escapeXml(title)}</text>`,
    ...(strokes === undefined ? [] : [renderStrokesKey(strokes)]),
    ...renderedPanels,
    '</svg>\n',
  ].join('\n')
}

function panelHeight({ lines }: Panel): number {
  return LEGEND.top + Math.ceil(uniqueLabels(lines).length / LEGEND.columns) * LEGEND.rowHeight + 14
}

function renderPanel({ title, x, y, lines, bounds = [] }: Panel): string {
  const [xAxis, yAxis] = [
    fitAxis(
      x,
      lines.flatMap(({ points }) => points.map(([each]) => each)),
    ),
    fitAxis(y, [
      ...lines.flatMap(({ points }) => points.map(([, each]) => each)),
      ...bounds.map(({ at }) => at),
    ]),
  ]
  const toPixels = (point: readonly [number, number]) =>
    [
      round(PLOT.left + xAxis.positionOf(point[0]) * PLOT.width),
      round(PLOT.top + (1 - yAxis.positionOf(point[1])) * PLOT.height),
    ] as const
  const labels = uniqueLabels(lines)
  return [
    `<text class="panel" x="${PLOT.left}" y="20">${escapeXml(title)}</text>`,
    ...xAxis.ticks.map((tick) => renderXTick(tick, xAxis)),
    ...yAxis.ticks.map((tick) => renderYTick(tick, yAxis)),
    ...bounds.map(({ label, at }) => renderBound(label, toPixels([xAxis.ticks[0]!, at])[1])),
    `<text class="label" text-anchor="middle" x="${PLOT.left + PLOT.width / 2}" y="${PLOT.top + PLOT.height + 36}">${escapeXml(x.label)}</text>`,
    `<text class="label" text-anchor="middle" transform="translate(14 ${PLOT.top + PLOT.height / 2}) rotate(-90)">${escapeXml(y.label)}</text>`,
    ...lines.map(({ label, dashed, points }) =>
      renderLine(labels.indexOf(label), dashed, points.map(toPixels)),
    ),
    ...labels.map((label, index) => renderLegend(label, index)),
  ].join('\n')
}

function uniqueLabels(lines: readonly Line[]): string[] {
  return [...new Set(lines.map(({ label }) => label))]
}

function renderXTick(tick: number, { positionOf }: FittedAxis): string {
  const x = round(PLOT.left + positionOf(tick) * PLOT.width)
  const bottom = PLOT.top + PLOT.height
  return `<path class="grid" d="M${x} ${PLOT.top}V${bottom}"/><text class="tick" text-anchor="middle" x="${x}" y="${bottom + 16}">${formatNumber(tick)}</text>`
}

function renderYTick(tick: number, { positionOf }: FittedAxis): string {
  const y = round(PLOT.top + (1 - positionOf(tick)) * PLOT.height)
  return `<path class="grid" d="M${PLOT.left} ${y}h${PLOT.width}"/><text class="tick" text-anchor="end" x="${PLOT.left - 6}" y="${round(y + 4)}">${formatNumber(tick)}</text>`
}

function renderBound(label: string, y: number): string {
  return `<path class="bound" d="M${PLOT.left} ${y}h${PLOT.width}"/><text class="tick" text-anchor="end" x="${PLOT.left + PLOT.width - 4}" y="${round(y - 5)}">${escapeXml(label)}</text>`
}

function renderLine(index: number, dashed: boolean, pixels: readonly (readonly [number, number])[]): string {
  const path = `<path class="line c${index % COLOURS.length}${dashed ? ' dashed' : ''}" d="M${pixels.map((each) => each.join(' ')).join('L')}"/>`
  return pixels.length > MAX_MARKED_POINTS
    ? path
    : path + pixels.map((each) => renderMark(index, each)).join('')
}

function renderMark(index: number, [x, y]: readonly [number, number]): string {
  return `<path class="mark m${index % COLOURS.length}" transform="translate(${x} ${y})" d="${MARKS[index % MARKS.length]}"/>`
}

function renderLegend(label: string, index: number): string {
  const x = LEGEND.left + (index % LEGEND.columns) * LEGEND.width
  const y = LEGEND.top + Math.floor(index / LEGEND.columns) * LEGEND.rowHeight
  return `<path class="line c${index % COLOURS.length}" d="M${x} ${y - 4}h18"/>${renderMark(index, [x + 9, y - 4])}<text class="tick" x="${x + 24}" y="${y}">${escapeXml(label)}</text>`
}

function renderStrokesKey({ solid, dashed }: NonNullable<Plot['strokes']>): string {
  return `<g class="key"><path class="line" d="M16 42h26"/><text class="tick" x="48" y="46">${escapeXml(solid)}</text><path class="line dashed" d="M136 42h26"/><text class="tick" x="168" y="46">${escapeXml(dashed)}</text></g>`
}

function renderStyle(): string {
  const colourRules = (shade: 0 | 1) =>
    COLOURS.map((each, index) => `.c${index}{stroke:${each[shade]}}.m${index}{fill:${each[shade]}}`).join('')
  const themeRules = (back: string, text: string, grid: string, boundColour: string, shade: 0 | 1) =>
    `.back{fill:${back}}text{fill:${text}}.grid{stroke:${grid}}.bound{stroke:${boundColour}}.key .line{stroke:${text}}${colourRules(shade)}`
  return [
    'text{font-family:system-ui,sans-serif;font-size:12px}.title{font-size:17px;font-weight:600}.panel{font-size:14px;font-weight:600}',
    '.grid{stroke-width:1}.bound{stroke-width:1.5;stroke-dasharray:2 3}.line{fill:none;stroke-width:1.8}.dashed{stroke-dasharray:6 4}',
    themeRules('#ffffff', '#1f2937', '#e5e7eb', '#b91c1c', 0),
    `@media (prefers-color-scheme: dark){${themeRules('#0d1117', '#e5e7eb', '#2d333b', '#f87171', 1)}}`,
  ].join('')
}

function escapeXml(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
}

function round(value: number): number {
  return Math.round(value * 10) / 10
}
