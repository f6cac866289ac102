import { expect, test } from 'vitest'
import { workflowProgress } from './workflow-progress.ts'

const node = (class_type: string, inputs: object = {}) => ({ class_type, inputs: { ...inputs } })

/** The nodes of a custom sampler: comfy_extras/nodes_custom_sampler.py. */
const custom = {
  '1': node('UNETLoader'),
  '2': node('BasicScheduler', { model: ['1', 0], steps: 8 }),
  '3': node('SamplerCustomAdvanced', { sigmas: ['2', 0], latent_image: ['4', 0] }),
  '4': node('EmptyLatentImage'),
  '5': node('SaveImage', { images: ['3', 0] }),
}

test('the progress of a workflow counts each step of a sampler once', () => {
  const progress = workflowProgress(custom)
  const parts = [0, 0.5, 1].map((part) => progress(new Map([['3', part]])))
  expect(parts).toEqual([3 / 12, 7 / 12, 11 / 12])
  expect(progress(new Map([['5', 1]]))).toBe(1)
})

test('an unknown, empty or cyclic workflow has a progress from 0 to 1', () => {
  const circle = { '1': node('A', { in: ['2', 0] }), '2': node('B', { in: ['1', 0], steps: 1e9 }) }
  for (const workflow of [{}, circle, custom]) {
    const progress = workflowProgress(workflow)
    for (const begun of [[], [['2', 0.5]], [['9', 1]]] as [string, number][][]) {
      const part = progress(new Map(begun))
      expect(part).toBeGreaterThanOrEqual(0)
      expect(part).toBeLessThanOrEqual(1)
    }
  }
})
