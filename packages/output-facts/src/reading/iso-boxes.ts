/** A part of an ISO base media file: a type of four letters, and where its content is. */
export interface Box {
  readonly type: string
  readonly start: number
  /** The place behind its last byte. */
  readonly end: number
}

/** The head of a box (ISO/IEC 14496-12, 4.2). @returns `undefined` when there is none @throws Error when its length is wrong */
export function boxAt(view: DataView, at: number, end: number): Box | undefined {
  if (at + 8 > end) return undefined
  const size = view.getUint32(at)
  const type = String.fromCharCode(...[4, 5, 6, 7].map((place) => view.getUint8(at + place)))
  const head = size === 1 ? 16 : 8
  const length = size === 1 ? Number(view.getBigUint64(at + 8)) : size === 0 ? end - at : size
  if (length < head) throw new Error(`The box ${type} is shorter than its head.`)
  return { type, start: at + head, end: at + length }
}

/** The boxes in a part of a file. One that is longer than the part ends with it. */
export function* boxes(view: DataView, { start, end }: Pick<Box, 'end' | 'start'>): Generator<Box> {
  for (let at = start; ;) {
    const box = boxAt(view, at, end)
    if (!box) return
    yield { ...box, end: Math.min(end, box.end) }
    at = box.end
  }
}

/** The first box of this type. @param skipped how many bytes stand in front of the boxes. @default 0 */
export function boxIn(
  view: DataView,
  type: string,
  parent: Pick<Box, 'end' | 'start'>,
  skipped = 0,
): Box | undefined {
  for (const box of boxes(view, { start: parent.start + skipped, end: parent.end }))
    if (box.type === type) return box
  return undefined
}

/** The box at the end of a path of types. */
export function boxOn(
  view: DataView,
  parent: Pick<Box, 'end' | 'start'>,
  ...path: readonly string[]
): Box | undefined {
  let box: Pick<Box, 'end' | 'start'> | undefined = parent
  for (const type of path) box = box && boxIn(view, type, box)
  return box as Box | undefined
}
