import { crc32 } from 'node:zlib'
import { expect, test } from 'vitest'
import { fakeFile } from '@genmount/testing'

test('the images of fakeFile are PNGs with whole chunks, and four of them differ', () => {
  const images = [0, 1, 2, 3].map((index) => fakeFile('image', index))
  expect(new Set(images.map(({ bytes }) => bytes.join())).size).toBe(4)
  for (const { bytes, contentType } of images) {
    expect(contentType).toBe('image/png')
    const file = Buffer.from(bytes)
    expect(file.subarray(0, 8).toString('latin1')).toBe('\x89PNG\r\n\x1a\n')
    const chunks: string[] = []
    for (let offset = 8; offset < file.length;) {
      const end = offset + 8 + file.readUInt32BE(offset)
      chunks.push(file.toString('latin1', offset + 4, offset + 8))
      expect(file.readUInt32BE(end)).toBe(crc32(file.subarray(offset + 4, end)))
      offset = end + 4
    }
    expect([chunks[0], chunks.at(-1)]).toEqual(['IHDR', 'IEND'])
  }
})

test('the videos of fakeFile are MP4s with the index in front, and all differ', () => {
  const videos = [0, 1, 2, 255].map((index) => fakeFile('video', index))
  expect(new Set(videos.map(({ bytes }) => bytes.join())).size).toBe(4)
  for (const { bytes, contentType } of videos) {
    expect(contentType).toBe('video/mp4')
    const file = Buffer.from(bytes)
    const boxes: string[] = []
    for (let offset = 0; offset < file.length; offset += file.readUInt32BE(offset)) {
      boxes.push(file.toString('latin1', offset + 4, offset + 8))
    }
    expect(boxes).toEqual(['ftyp', 'moov', 'mdat', 'free'])
  }
})

test('a change to the bytes of fakeFile changes only a copy', () => {
  fakeFile('image').bytes.fill(0)
  fakeFile('video').bytes.fill(0)
  expect(fakeFile('image').bytes[0]).toBe(0x89)
  expect(fakeFile('video').bytes[3]).toBe(0x1c)
})
