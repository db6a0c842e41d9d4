import fc from 'fast-check'
import { describe, expect, test, vi } from 'vitest'
import { readImageDimensions } from '../../src/files/image-dimensions.ts'
import { avifWith, box, buildImage, IMAGE_TYPES, ispeBox, SAMPLES, withDimensions } from './sample-images.ts'

describe('the dimensions', () => {
  test.each(IMAGE_TYPES)('are read from the header of %s', (type) => {
    expect(readImageDimensions(type, buildImage(type))).toEqual(SAMPLES[type].dimensions)
    expect(readImageDimensions(type, withDimensions(type, 4660, 9029))).toEqual({ width: 4660, height: 9029 })
  })

  test.each(IMAGE_TYPES)('are read from a %s in the middle of a larger buffer', (type) => {
    const buffer = Buffer.concat([Buffer.alloc(7, 0xff), buildImage(type), Buffer.alloc(7, 0xff)])
    expect(readImageDimensions(type, buffer.subarray(7, -7))).toEqual(SAMPLES[type].dimensions)
  })

  test('are undefined for any other type', () => {
    expect(readImageDimensions('image/svg+xml', buildImage('image/png'))).toBeUndefined()
  })

  test('of a lossless or extended WebP are those of its canvas', () => {
    const lossless = Buffer.from('UklGRhoAAABXRUJQVlA4TA0AAAAvAAAAEAcQERGIiP4HAA==', 'base64')
    expect(readImageDimensions('image/webp', lossless)).toEqual({ width: 1, height: 1 })
    lossless.writeUInt32LE((9999 | (1233 << 14)) >>> 0, 21)
    expect(readImageDimensions('image/webp', lossless)).toEqual({ width: 10_000, height: 1234 })
    const extended = Buffer.from('RIFF\x16\0\0\0WEBPVP8X\x0a\0\0\0\0\0\0\0\x01\x02\x03\x04\x05\x06', 'latin1')
    expect(readImageDimensions('image/webp', extended)).toEqual({ width: 0x030202, height: 0x060505 })
    expect(
      readImageDimensions('image/webp', Buffer.from('RIFF\x16\0\0\0WEBPJUNK'.padEnd(40, '\0'))),
    ).toBeUndefined()
  })

  test('of a JPEG are not those of its thumbnail, with bytes between segments skipped', () => {
    const [start, rest] = [Buffer.of(0xff, 0xd8), withDimensions('image/jpeg', 300, 200).subarray(2)]
    const thumbnail = Buffer.concat([
      Buffer.of(0xff, 0xe1, 0, 2 + buildImage('image/jpeg').length),
      buildImage('image/jpeg'),
    ])
    const padding = Buffer.of(0, 0xff, 0, 0xff, 0xff, 0xff, 0x01, 0xff, 0xd3)
    expect(
      readImageDimensions('image/jpeg', Buffer.concat([start, padding, thumbnail, padding, rest])),
    ).toEqual({
      width: 300,
      height: 200,
    })
  })

  test.each([0xc4, 0xc8, 0xcc, 0xdb, 0xfe])(
    'of a JPEG are not read from a segment with marker %i',
    (marker) => {
      const [start, rest] = [Buffer.of(0xff, 0xd8), buildImage('image/jpeg').subarray(2)]
      const segment = Buffer.of(0xff, marker, 0, 8, 8, 1, 1, 1, 1, 1)
      expect(readImageDimensions('image/jpeg', Buffer.concat([start, segment, rest]))).toEqual({
        width: 1,
        height: 1,
      })
    },
  )

  test('of a PNG are undefined when another chunk precedes its header', () => {
    const image = buildImage('image/png')
    const chunk = Buffer.from('\0\0\0\x04CgBI\0\0\0\0\0\0\0\0', 'latin1')
    expect(
      readImageDimensions('image/png', Buffer.concat([image.subarray(0, 8), chunk, image.subarray(8)])),
    ).toBeUndefined()
  })

  test.each([0xd8, 0xd9, 0xda])('of a JPEG are undefined when marker %i precedes the frame', (marker) => {
    const broken = Buffer.concat([
      Buffer.of(0xff, 0xd8, 0xff, marker, 0, 2),
      buildImage('image/jpeg').subarray(2),
    ])
    expect(readImageDimensions('image/jpeg', broken)).toBeUndefined()
  })

  test('of an AVIF are the largest width and height of its properties', () => {
    expect(
      readImageDimensions(
        'image/avif',
        avifWith(ispeBox(1, 300), box('pixi'), ispeBox(200, 2), ispeBox(3, 3)),
      ),
    ).toEqual({
      width: 200,
      height: 300,
    })
    expect(
      readImageDimensions('image/avif', Buffer.concat([avifWith(ispeBox(1, 1)), avifWith(ispeBox(9, 9))])),
    ).toEqual({
      width: 9,
      height: 9,
    })
  })

  test('of an AVIF are undefined when a box exceeds its parent or is shorter than its header', () => {
    const withSizes = (...sizes: number[]) =>
      Buffer.concat([...sizes.map((size) => Buffer.of(0, 0, 0, size)), Buffer.from('free')])
    for (const box of [withSizes(1), withSizes(7), withSizes(4, 8), withSizes(9), withSizes(255)]) {
      expect(readImageDimensions('image/avif', avifWith(ispeBox(1, 1), box, ispeBox(99, 99)))).toBeUndefined()
    }
    expect(readImageDimensions('image/avif', avifWith(ispeBox(1, 1), withSizes(8), ispeBox(99, 99)))).toEqual(
      {
        width: 99,
        height: 99,
      },
    )
    expect(readImageDimensions('image/avif', avifWith(box('ispe', Buffer.alloc(8))))).toBeUndefined()
    expect(readImageDimensions('image/avif', avifWith(ispeBox(1, 1)).subarray(0, -1))).toBeUndefined()
  })

  test('of an AVIF are read when its last box has no length', () => {
    const bytes = avifWith(ispeBox(5, 6))
    bytes.writeUInt32BE(0, bytes.indexOf('meta') - 4)
    expect(readImageDimensions('image/avif', bytes)).toEqual({ width: 5, height: 6 })
  })

  test('of an AVIF are read in one pass over its properties', () => {
    const bytes = avifWith(...Array(1000).fill(ispeBox(1, 1)))
    const reads = vi.spyOn(DataView.prototype, 'getUint32')
    expect(readImageDimensions('image/avif', bytes)).toEqual({ width: 1, height: 1 })
    expect(reads.mock.calls.length).toBeLessThan(3010)
    reads.mockRestore()
  })

  test.each(IMAGE_TYPES)('of a truncated or altered %s are unsigned integers or undefined', (type) => {
    fc.assert(
      fc.property(damage(buildImage(type)), (bytes) => {
        const dimensions = readImageDimensions(type, bytes)
        for (const size of Object.values(dimensions ?? {}))
          expect(Number.isInteger(size) && size >= 0 && size < 2 ** 32).toBe(true)
      }),
      { numRuns: 2000 },
    )
  })
})

function damage(image: Buffer): fc.Arbitrary<Buffer> {
  const changes = fc.array(
    fc.tuple(fc.nat(image.length - 1), fc.oneof(fc.constantFrom(0, 1, 7, 8, 0x7f, 0x80, 0xff), fc.nat(255))),
    {
      maxLength: 8,
    },
  )
  return fc.tuple(changes, fc.nat(image.length)).map(([edits, length]) => {
    const bytes = Buffer.from(image)
    for (const [index, value] of edits) bytes[index] = value
    return bytes.subarray(0, length)
  })
}
