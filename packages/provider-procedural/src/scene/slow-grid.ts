/** How many times per second of film the grid is computed. Slow movements need no more. */
const keyframesASecond = 3

/** A grid of numbers that changes slowly. It is computed a few times per second of film, and blended in between. */
export function slowGrid(
  size: number,
  compute: (seconds: number, grid: Float32Array) => void,
): (seconds: number) => Float32Array {
  let earlier = { keyframe: -1, grid: new Float32Array(size) }
  let later = { keyframe: -1, grid: new Float32Array(size) }
  const blended = new Float32Array(size)
  const ready = (slot: typeof earlier, keyframe: number): void => {
    if (slot.keyframe === keyframe) return
    slot.keyframe = keyframe
    compute(keyframe / keyframesASecond, slot.grid)
  }
  return (seconds) => {
    const at = seconds * keyframesASecond
    const keyframe = Math.floor(at)
    const share = at - keyframe
    if (later.keyframe === keyframe) [earlier, later] = [later, earlier]
    ready(earlier, keyframe)
    if (share === 0) return earlier.grid
    ready(later, keyframe + 1)
    for (let i = 0; i < size; i++) blended[i] = earlier.grid[i]! + (later.grid[i]! - earlier.grid[i]!) * share
    return blended
  }
}
