import { readProvenance } from '@genmount/provenance'
import sharp from 'sharp'
import { expect, test } from 'vitest'
import { storedFile } from './marking-world.ts'

const formats = ['png', 'jpeg', 'webp'] as const

async function picture(format: (typeof formats)[number]): Promise<Uint8Array> {
  const noise = {
    width: 32,
    height: 32,
    channels: 3,
    background: 'teal',
  } as const
  return new Uint8Array(await sharp({ create: noise }).toFormat(format).toBuffer())
}

test.each(formats)(
  'a %s that is cut off anywhere is stored as it came, as bytes and from a link',
  async (format) => {
    const whole = await picture(format)
    for (let step = 1; step < 12; step++) {
      const cut = whole.subarray(0, 12 + Math.floor(((whole.byteLength - 12) * step) / 12))
      for (const pieceBytes of [undefined, 5]) {
        const { bytes, fetches, recordedBytes, lines } = await storedFile(
          cut,
          pieceBytes === undefined ? {} : { pieceBytes },
        )
        expect(Buffer.compare(bytes, cut), `${cut.byteLength} of ${whole.byteLength} bytes`).toBe(0)
        expect(recordedBytes).toBe(cut.byteLength)
        expect(fetches).toBe(pieceBytes === undefined ? 0 : 2)
        expect(lines.filter((line) => line.includes('stored without the change'))).toHaveLength(1)
      }
    }
  },
)

test.each(formats)('what begins as a %s and is something else is stored as it came', async (format) => {
  const lie = new Uint8Array(5000)
  lie.set((await picture(format)).subarray(0, 16))
  for (let at = 16; at < lie.byteLength; at++) lie[at] = (at * 7919) % 251
  const { bytes, lines } = await storedFile(lie)
  expect(Buffer.compare(bytes, lie)).toBe(0)
  expect(lines.join()).toContain('the file can not be marked')
})

/** A PNG whose only text is this XMP. */
function pngWithXmp(xmp: string): Blob {
  const chunk = (type: string, data: Uint8Array) => {
    const whole = Buffer.alloc(12 + data.byteLength)
    whole.writeUInt32BE(data.byteLength)
    whole.write(type, 4, 'latin1')
    whole.set(data, 8)
    return whole
  }
  return new Blob([
    Buffer.from('89504e470d0a1a0a', 'hex'),
    chunk('IHDR', new Uint8Array(13)),
    chunk('iTXt', Buffer.from(`XML:com.adobe.xmp\0\0\0\0\0${xmp}`)),
    chunk('IDAT', new Uint8Array(4)),
    chunk('IEND', new Uint8Array()),
  ])
}

test.each([
  'x:DigitalSourceType>',
  'x:DigitalSourceType="',
  "x:DigitalSourceType='",
  'x:DigitalSourceType ',
  'x:DigitalSourceType a:resource="',
  '<x:DigitalSourceType>',
  '<x:DigitalSourceType',
  '<x',
  '</x:RDF ',
  'x:about="',
])(
  'a megabyte of XMP that repeats %s is read, and looked at for a mark, in less than a second',
  async (piece) => {
    const xmp = piece.repeat(Math.floor(1_000_000 / piece.length))
    const file = pngWithXmp(`<x:xmpmeta>${xmp}`)
    const began = performance.now()
    expect((await readProvenance(file.stream())).isReadable).toBe(true)
    await storedFile(new Uint8Array(await file.arrayBuffer()))
    expect(performance.now() - began).toBeLessThan(1000)
  },
)
