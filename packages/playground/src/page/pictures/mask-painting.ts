/** A stroke of the brush: points in pixels of the picture. */
export interface Stroke {
  readonly isEraser: boolean
  readonly width: number
  readonly points: readonly (readonly [x: number, y: number])[]
}

/** Draws all strokes anew, so that the last one can be taken back. */
export function paintStrokes(canvas: HTMLCanvasElement, strokes: readonly Stroke[]): void {
  const context = contextOf(canvas)
  context.clearRect(0, 0, canvas.width, canvas.height)
  context.lineCap = context.lineJoin = 'round'
  for (const { isEraser, width, points } of strokes) {
    context.globalCompositeOperation = isEraser ? 'destination-out' : 'source-over'
    context.strokeStyle = '#e5484d'
    context.lineWidth = width
    context.beginPath()
    // The line begins and ends at the first point where there is one only, and its round ends make a dot.
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
