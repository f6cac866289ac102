import { expect, test } from 'vitest'
import { visitedNodes } from './visited-nodes.ts'

test('the progress of a task in ComfyUI reaches the visitors of each node of a Postgres', async () => {
  const { visitors, reaches } = await visitedNodes()
  await reaches(10, visitors)
  expect(visitors.map(({ heard }) => heard.at(-1)?.progress)).toEqual([14 / 26, 14 / 26])
})
