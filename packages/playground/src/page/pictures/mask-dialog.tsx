import { Dialog, Icon } from '@genmount/page-kit/page'
import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import { paintedPixels, paintStrokes, type Stroke } from './mask-painting.ts'
import { maskPng } from './mask-png.ts'

interface MaskDialogProps {
  /** The `blob:` address of the picture to paint on. */
  readonly picture: string
  readonly onClose: () => void
  readonly onMask: (mask: Blob) => void
}

/** Lets the visitor paint over a picture. The painted parts are those that the model changes. */
export function MaskDialog({ picture, onClose, onMask }: MaskDialogProps) {
  const canvas = useRef<HTMLCanvasElement>(null)
  const [extent, setExtent] = useState({ width: 1, height: 1 })
  const [strokes, setStrokes] = useState<readonly Stroke[]>([])
  const [isEraser, setIsEraser] = useState(false)
  const [share, setShare] = useState(8)
  useLayoutEffect(() => {
    if (canvas.current) paintStrokes(canvas.current, strokes)
  }, [strokes, extent])

  /** The position of the pointer in pixels of the picture. */
  function pointOf({ clientX, clientY }: PointerEvent): readonly [number, number] {
    const { left, top, width, height } = canvas.current!.getBoundingClientRect()
    return [((clientX - left) / width) * extent.width, ((clientY - top) / height) * extent.height]
  }

  function begin(event: PointerEvent) {
    canvas.current?.setPointerCapture(event.pointerId)
    const width = (Math.max(extent.width, extent.height) * share) / 100
    setStrokes([...strokes, { isEraser, width, points: [pointOf(event)] }])
  }

  function go(event: PointerEvent) {
    if (event.buttons === 0) return
    setStrokes((now) => {
      const last = now.at(-1)
      return last ? [...now.slice(0, -1), { ...last, points: [...last.points, pointOf(event)] }] : now
    })
  }

  /** Fills the whole picture, for visitors who can't paint with a pointer. The model may then change all of it. */
  function fill() {
    const { width, height } = extent
    const points = [
      [0, height / 2],
      [width, height / 2],
    ] as const
    setStrokes([...strokes, { isEraser: false, width: height * 2, points }])
  }

  async function use() {
    const { current } = canvas
    if (!current) return
    onMask(await maskPng(paintedPixels(current), current.width, current.height))
    onClose()
  }

  return (
    <Dialog title="Paint what is to change" size="wide" onClose={onClose}>
      <div class="painting">
        <img
          src={picture}
          alt="The picture that is painted over"
          draggable={false}
          onLoad={({ currentTarget: { naturalWidth: width, naturalHeight: height } }) =>
            setExtent({ width, height })
          }
        />
        <canvas
          ref={canvas}
          width={extent.width}
          height={extent.height}
          onPointerDown={begin}
          onPointerMove={go}
        />
      </div>
      <footer class="dialog-foot painting-tools">
        <div class="segments" role="radiogroup" aria-label="Tool">
          {[false, true].map((value) => (
            <label key={String(value)} class="segment">
              <input
                type="radio"
                name="tool"
                checked={isEraser === value}
                onChange={() => setIsEraser(value)}
              />
              <span>{value ? 'Eraser' : 'Brush'}</span>
            </label>
          ))}
        </div>
        <label class="brush-size">
          <span class="label">Size</span>
          <input
            class="slider"
            type="range"
            min={1}
            max={30}
            value={share}
            style={{ '--share': `${((share - 1) / 29) * 100}%` }}
            onInput={({ currentTarget }) => setShare(currentTarget.valueAsNumber)}
          />
        </label>
        <button
          type="button"
          class="button"
          disabled={strokes.length === 0}
          onClick={() => setStrokes(strokes.slice(0, -1))}
        >
          <Icon name="undo" /> Undo
        </button>
        <button type="button" class="button" onClick={fill}>
          All of it
        </button>
        <button type="button" class="button primary" disabled={strokes.length === 0} onClick={use}>
          <Icon name="check" /> Use the mask
        </button>
      </footer>
    </Dialog>
  )
}
