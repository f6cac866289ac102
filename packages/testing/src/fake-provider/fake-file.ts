import type { OutputKind } from '@genmount/core'

/** PNG images of 8x8 pixels in one colour each: red, green, blue, yellow. */
const images = [
  'iVBORw0KGgoAAAANSUhEUgAAAAgAAAAIAQMAAAD+wSzIAAAAA1BMVEXIPDKD4tJdAAAACXBIWXMAAAPoAAAD6AG1e1JrAAAA' +
    'C0lEQVQI12NgQAUAABAAAaHFIcEAAAAASUVORK5CYII=',
  'iVBORw0KGgoAAAANSUhEUgAAAAgAAAAIAQMAAAD+wSzIAAAAA1BMVEU8oFBPZ8wzAAAACXBIWXMAAAPoAAAD6AG1e1JrAAAA' +
    'C0lEQVQI12NgQAUAABAAAaHFIcEAAAAASUVORK5CYII=',
  'iVBORw0KGgoAAAANSUhEUgAAAAgAAAAIAQMAAAD+wSzIAAAAA1BMVEU8Wshf4N5yAAAACXBIWXMAAAPoAAAD6AG1e1JrAAAA' +
    'C0lEQVQI12NgQAUAABAAAaHFIcEAAAAASUVORK5CYII=',
  'iVBORw0KGgoAAAANSUhEUgAAAAgAAAAIAQMAAAD+wSzIAAAAA1BMVEXmvjxfPG55AAAACXBIWXMAAAPoAAAD6AG1e1JrAAAA' +
    'C0lEQVQI12NgQAUAABAAAaHFIcEAAAAASUVORK5CYII=',
].map(bytesOf)

/** An MP4 of one second: four frames of H.264, 16x16 pixels, with the index at the start of the file. */
const video = bytesOf(
  'AAAAHGZ0eXBpc29tAAACAGlzb21hdmMxbXA0MQAAApttb292AAAAbG12aGQAAAAA5ycrr+cnK68AAOEAAADhAAABAAABAAAA' +
    'AAAAAAAAAAAAAQAAAAAAAAAAAAAAAAAAAAEAAAAAAAAAAAAAAAAAAEAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAC' +
    'AAACJ3RyYWsAAABcdGtoZAAAAAPnJyuv5ycrrwAAAAEAAAAAAADhAAAAAAAAAAAAAAAAAAAAAAAAAQAAAAAAAAAAAAAAAAAA' +
    'AAEAAAAAAAAAAAAAAAAAAEAAAAAAEAAAABAAAAAAAcNtZGlhAAAAIG1kaGQAAAAA5ycrr+cnK68AAAAEAAAABFXEAAAAAAA3' +
    'aGRscgAAAABtaGxydmlkZQAAAAAAAAAAAAAAAE1lZGlhYnVubnlWaWRlb0hhbmRsZXIAAAABZG1pbmYAAAAUdm1oZAAAAAEA' +
    'AAAAAAAAAAAAACRkaW5mAAAAHGRyZWYAAAAAAAAAAQAAAAx1cmwgAAAAAQAAASRzdGJsAAAArHN0c2QAAAAAAAAAAQAAAJxh' +
    'dmMxAAAAAAAAAAEAAAAAAAAAAAAAAAAAAAAAABAAEABIAAAASAAAAAAAAAABEk1lZGlhYnVubnkgdjEuNjEuMAAAAAAAAAAA' +
    'AAAAAAAAGP//AAAAH2F2Y0MBQgAK/+EAB2dCAAqmnkABAAVozgOcgAAAABNjb2xybmNseAACAAIAAgAAAAAUYnRydAAAAAAA' +
    'AAIYAAACGAAAABhzdHRzAAAAAAAAAAEAAAAEAAAAAQAAABxzdHNjAAAAAAAAAAEAAAABAAAAAgAAAAEAAAAkc3RzegAAAAAA' +
    'AAAAAAAABAAAABQAAAASAAAAEAAAAA0AAAAYc3RjbwAAAAAAAAACAAACvwAAAuUAAABLbWRhdAAAABBluBH///giij44ABaO' +
    'AARwAAAADmHhHzf//BFFfHAAJRwcAAAADGHiHzf//BFfjgAdgAAAAAlh4x8bxwDHAOA=',
)

/** A file that the fake provider reports as an output. */
export interface FakeFile {
  /** The content of the file. */
  bytes: Uint8Array<ArrayBuffer>
  /** `image/png` or `video/mp4`. */
  contentType: string
}

/**
 * The file that the fake provider reports as output number `index` of a task: a tiny PNG or MP4 that decoders accept.
 * The first four images all differ, and so do the first 256 videos.
 * @param index counts from 0. @default 0
 */
export function fakeFile(kind: OutputKind, index = 0): FakeFile {
  if (kind === 'video') return { bytes: withSpareBox(video, index), contentType: 'video/mp4' }
  return { bytes: new Uint8Array(images[index % images.length] ?? []), contentType: 'image/png' }
}

/**
 * Adds a `free` box (ISO/IEC 14496-12, 8.1.2), which players skip. Its one byte is the number of the file.
 */
function withSpareBox(file: Uint8Array, index: number): Uint8Array<ArrayBuffer> {
  const box = [0, 0, 0, 9, ...new TextEncoder().encode('free'), index % 256]
  return new Uint8Array([...file, ...box])
}

function bytesOf(base64: string): Uint8Array {
  return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0))
}
