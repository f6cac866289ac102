import { test } from 'vitest'
import { visitedNodes } from './visited-nodes.ts'

test('the progress of a task in ComfyUI still reaches the visitors of one node when those of another node leave', async () => {
  const { visitors, reaches } = await visitedNodes()
  await reaches(10, visitors)
  visitors[1]?.leave()
  // ComfyUI sends the messages of a prompt to whoever connected last, and to nobody once that connection has ended. The
  // other node connects again when it has heard nothing for 20 seconds.
  await reaches(15, visitors.slice(0, 1))
})
