import process from 'node:process'
import { proceduralProvider } from '@genmount/provider-procedural'
import { printDigests } from '../provider-kit/outputs-of.ts'

const picture =
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAIAAAACCAIAAAD91JpzAAAACXBIWXMAAAPoAAAD6AG1e1JrAAAAFElEQVQImWP4z8DAAMIM/////w8AH+4F+0HwQUsAAAAASUVORK5CYII='

const small = { resolution: '480p' }
const film = { ...small, aspect_ratio: '1:1', duration: 1, fps: 12 }
const few = [
  ['procedural-image', { ...small, prompt: 'a mountain lake at sunset, birds', num_outputs: 2 }],
  ['procedural-image', { ...small, prompt: 'an oil painting at dusk', image: picture, format: 'webp' }],
  ['procedural-video', { ...film, prompt: 'the sea at dawn' }],
] as const
const more = [
  ['procedural-image', { ...small, prompt: 'neon city in the rain', format: 'webp' }],
  ['procedural-image', { ...small, prompt: 'saturn in a nebula', format: 'jpeg' }],
  ['procedural-image', { ...small, prompt: 'an abstract dream', aspect_ratio: '16:9' }],
  ['procedural-image', { ...small, prompt: 'an oil painting at dusk', image: picture }],
  ['procedural-video', { ...film, prompt: 'zoom in', image: picture }],
] as const
await printDigests(proceduralProvider(), process.argv[2] === 'all' ? [...few, ...more] : few)
