/** A sample image of each type, in Base64, with its dimensions. */
export const SAMPLES = {
  'image/png': {
    base64:
      'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
    dimensions: { width: 1, height: 1 },
  },
  'image/jpeg': {
    base64:
      '/9j/4AAQSkZJRgABAQEASABIAAD/2wBDAP//////////////////////////////////////////////////////////////////////////////////////wgALCAABAAEBAREA/8QAFBABAAAAAAAAAAAAAAAAAAAAAP/aAAgBAQABPxA=',
    dimensions: { width: 1, height: 1 },
  },
  'image/gif': {
    base64: 'R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7',
    dimensions: { width: 1, height: 1 },
  },
  'image/webp': {
    base64: 'UklGRiIAAABXRUJQVlA4IBYAAAAwAQCdASoBAAEADsD+JaQAA3AAAAAA',
    dimensions: { width: 1, height: 1 },
  },
  'image/avif': {
    base64:
      'AAAAIGZ0eXBhdmlmAAAAAGF2aWZtaWYxbWlhZk1BMUIAAADybWV0YQAAAAAAAAAoaGRscgAAAAAAAAAAcGljdAAAAAAAAAAAAAAAAGxpYmF2aWYAAAAADnBpdG0AAAAAAAEAAAAeaWxvYwAAAABEAAABAAEAAAABAAABGgAAAB0AAAAoaWluZgAAAAAAAQAAABppbmZlAgAAAAABAABhdjAxQ29sb3IAAAAAamlwcnAAAABLaXBjbwAAABRpc3BlAAAAAAAAAAIAAAACAAAAEHBpeGkAAAAAAwgICAAAAAxhdjFDgQ0MAAAAABNjb2xybmNseAACAAIAAYAAAAAXaXBtYQAAAAAAAAABAAEEAQKDBAAAACVtZGF0EgAKCBgANogQEAwgMg8f8D///8WfhwB8+ErK42A=',
    dimensions: { width: 2, height: 2 },
  },
} as const

export type ImageType = keyof typeof SAMPLES
export const IMAGE_TYPES = Object.keys(SAMPLES) as ImageType[]

export function buildImage(type: ImageType): Buffer {
  return Buffer.from(SAMPLES[type].base64, 'base64')
}

/** The sample with other dimensions in its header. */
export function withDimensions(type: ImageType, width: number, height: number): Buffer {
  const bytes = buildImage(type)
  if (type === 'image/png') write32(bytes, 16, width, height)
  if (type === 'image/gif') bytes.writeUInt16LE(height, bytes.writeUInt16LE(width, 6))
  if (type === 'image/jpeg')
    bytes.writeUInt16BE(width, bytes.writeUInt16BE(height, bytes.indexOf(Buffer.of(0xff, 0xc2)) + 5))
  if (type === 'image/webp') bytes.writeUInt16LE(height, bytes.writeUInt16LE(width, 26))
  if (type === 'image/avif') write32(bytes, bytes.indexOf('ispe') + 8, width, height)
  return bytes
}

function write32(bytes: Buffer, offset: number, width: number, height: number): void {
  bytes.writeUInt32BE(height, bytes.writeUInt32BE(width, offset))
}

export function box(type: string, ...content: readonly Uint8Array[]): Buffer {
  const size = Buffer.alloc(4)
  size.writeUInt32BE(content.reduce((sum, { length }) => sum + length, 8))
  return Buffer.concat([size, Buffer.from(type), ...content])
}

export function ispeBox(width: number, height: number): Buffer {
  const content = Buffer.alloc(12)
  write32(content, 4, width, height)
  return box('ispe', content)
}

export function avifWith(...properties: readonly Uint8Array[]): Buffer {
  return Buffer.concat([
    box('ftyp', Buffer.from('avif\0\0\0\0avif')),
    box('meta', Buffer.alloc(4), box('iprp', box('ipco', ...properties))),
  ])
}
