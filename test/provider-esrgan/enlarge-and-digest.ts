import { esrganProvider } from '@genmount/provider-esrgan'
import { printDigests } from '../provider-kit/outputs-of.ts'
import { drawing } from './drawing.ts'

const { dataUri: image } = await drawing(60)
await printDigests(esrganProvider(), [
  ['esrgan-x2', { image }],
  ['esrgan-x4', { image }],
])
