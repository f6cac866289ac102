/** One stroke of the brush: its points in pixels of the picture. */
export interface Stroke {
  readonly isEraser: boolean
  readonly width: number
  readonly points: readonly (readonly [x: number, y: number])[]
}

/** Draws all strokes from scratch, so that the last stroke can be undone. */
export function paintStrokes(canvas: HTMLCanvasElement, strokes: readonly Stroke[]): void {
  const context = contextOf(canvas)
  context.clearRect(0, 0, canvas.width, canvas.height)
  context.lineCap = context.lineJoin = 'round'
  for (const { isEraser, width, points } of strokes) {
    context.globalCompositeOperation = isEraser ? 'destination-out' : 'source-over'
    context.strokeStyle = '#e5484d'
    context.lineWidth = width
    context.beginPath()
    // A stroke of one point is a line from this point to itself: the round ends of the line make a dot.
    for (const [x, y] of [...points.slice(0, 1), ...points]) context.lineTo(x, y)
    context.stroke()
  }
}

/** The pixels of the painting in RGBA. */
export function paintedPixels(canvas: HTMLCanvasElement): Uint8ClampedArray {
  return contextOf(canvas).getImageData(0, 0, canvas.width, canvas.height).data
}

function contextOf(canvas: HTMLCanvasElement): CanvasRenderingContext2D {
  return canvas.getContext('2d', { willReadFrequently: true })!
}
