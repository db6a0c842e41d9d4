import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import PDFDocument from 'pdfkit'

/** In points, as all lengths. */
export const [PAGE_WIDTH, PAGE_HEIGHT, MARGIN] = [595.28, 841.89, 50]
export const CONTENT_WIDTH = PAGE_WIDTH - 2 * MARGIN
const FOOT_HEIGHT = 24
const BOTTOM = PAGE_HEIGHT - MARGIN - FOOT_HEIGHT

export const COLORS = { ink: '#1c211f', soft: '#555c58', accent: '#0e5a49', line: '#d9d4c7' } as const

/** Latin, Greek and Cyrillic. A letter that a font lacks is an empty box. */
const FONTS = { regular: loadFont('400Regular'), bold: loadFont('600SemiBold') } as const

export interface TextStyle {
  readonly size: number
  readonly font?: keyof typeof FONTS
  readonly color?: keyof typeof COLORS
}

interface PlacedText extends TextStyle {
  readonly x: number
  readonly y: number
  readonly width: number
  readonly align?: 'left' | 'right'
}

interface PaperOptions {
  readonly title: string
  readonly author: string
  readonly language: string
  readonly createdAt: Date
  /** Draws the head of each page, and returns its height. */
  drawHead(paper: OfferPaper): number
  /** Draws the foot of a page at `y`. */
  drawFoot(paper: OfferPaper, y: number, nth: number, count: number): void
}

const GRAPHEMES = new Intl.Segmenter('en', { granularity: 'grapheme' })

/** Pages of A4 with a cursor. Texts are broken here, so that none leaves its column or its page. */
export class OfferPaper {
  readonly #document: PDFKit.PDFDocument
  readonly #options: PaperOptions
  readonly #chunks: Buffer[] = []
  /** The position of what is drawn next. */
  y = 0

  constructor(options: PaperOptions) {
    const { title, author, language, createdAt } = options
    this.#options = options
    this.#document = new PDFDocument({
      ...{
        size: 'A4',
        margin: 0,
        autoFirstPage: false,
        bufferPages: true,
        lang: language,
        displayTitle: true,
      },
      ...{ pdfVersion: '1.7', font: null as never },
      info: { Title: title, Author: author, CreationDate: createdAt, ModDate: createdAt },
    })
    this.#document.registerFont('regular', FONTS.regular).registerFont('bold', FONTS.bold)
    this.#document.on('data', (chunk: Buffer) => this.#chunks.push(chunk))
    this.addPage()
  }

  addPage(): void {
    this.#document.addPage()
    this.y = MARGIN
    this.y += this.#options.drawHead(this)
  }

  /** True if something of this height has room on the page. */
  hasRoom(height: number): boolean {
    return this.y + height <= BOTTOM
  }

  /** Begins a page unless there is room. Returns true if it has begun one. */
  require(height: number): boolean {
    if (this.hasRoom(height)) return false
    this.addPage()
    return true
  }

  measure(text: string, { size, font = 'regular' }: TextStyle): number {
    return this.#document.font(font).fontSize(size).widthOfString(text)
  }

  /** Breaks a text into lines of a width, between words if it can. */
  wrap(text: string, style: TextStyle, width: number): readonly string[] {
    return text.split(/\r\n|[\n\r\u2028\u2029]/).flatMap((line) => this.#wrapLine(line, style, width))
  }

  #wrapLine(text: string, style: TextStyle, width: number): readonly string[] {
    const space = this.measure(' ', style)
    const lines: string[] = []
    let [line, length] = ['', 0]
    for (const word of text.split(/[^\S\u00a0\u202f]+/).filter((each) => each !== '')) {
      for (const part of this.#breakWord(word, style, width)) {
        const size = this.measure(part, style)
        if (line !== '' && length + space + size > width) {
          lines.push(line)
          line = ''
        }
        length = line === '' ? size : length + space + size
        line = line === '' ? part : `${line} ${part}`
      }
    }
    return [...lines, line]
  }

  /** Returns the word, or its parts if it is longer than a line. */
  #breakWord(word: string, style: TextStyle, width: number): readonly string[] {
    if (this.measure(word, style) <= width) return [word]
    const parts: string[] = []
    let [part, length] = ['', 0]
    for (const { segment } of GRAPHEMES.segment(word)) {
      const size = this.measure(segment, style)
      if (part !== '' && length + size > width) {
        parts.push(part)
        part = ''
        length = 0
      }
      part += segment
      length += size
    }
    return [...parts, part]
  }

  /** Draws one line, whatever its length. */
  write(
    text: string,
    { x, y, width, align = 'left', size, font = 'regular', color = 'ink' }: PlacedText,
  ): void {
    const start = align === 'left' ? x : x + width - this.measure(text, { size, font })
    this.#document
      .font(font)
      .fontSize(size)
      .fillColor(COLORS[color])
      .text(text, start, y, { lineBreak: false })
  }

  /** Draws lines below each other, on as many pages as they need. */
  writeLines(lines: readonly string[], height: number, place: Omit<PlacedText, 'y'>): void {
    for (const line of lines) {
      this.require(height)
      this.write(line, { ...place, y: this.y })
      this.y += height
    }
  }

  rule(x: number, width: number, color: keyof typeof COLORS, thickness = 0.6): void {
    this.#document
      .moveTo(x, this.y)
      .lineTo(x + width, this.y)
      .lineWidth(thickness)
      .strokeColor(COLORS[color])
      .stroke()
  }

  /** Returns false for an image that cannot be read. */
  image(content: Buffer, x: number, y: number, fit: readonly [width: number, height: number]): boolean {
    try {
      this.#document.image(content, x, y, { fit: [...fit] })
      return true
    } catch {
      return false
    }
  }

  /** Draws the foot of each page, and returns the document. */
  async end(): Promise<Uint8Array> {
    const { count } = this.#document.bufferedPageRange()
    for (let page = 0; page < count; page += 1) {
      this.#document.switchToPage(page)
      this.#options.drawFoot(this, PAGE_HEIGHT - MARGIN - 10, page + 1, count)
    }
    const ended = new Promise((resolve, reject) => this.#document.on('end', resolve).on('error', reject))
    this.#document.end()
    await ended
    return new Uint8Array(Buffer.concat(this.#chunks))
  }
}

function loadFont(name: string): Buffer {
  const file = `@expo-google-fonts/inter/${name}/Inter_${name}.ttf`
  return readFileSync(fileURLToPath(import.meta.resolve(file)))
}
