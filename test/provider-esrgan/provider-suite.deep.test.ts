import { drawing } from './drawing.ts'
import { testModel } from './test-model.ts'

testModel('esrgan-x4', { image: (await drawing(24)).dataUri, format: 'webp' })
